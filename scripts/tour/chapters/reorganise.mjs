import { accountState } from '../checks.mjs';

const BEST = 'Webinars 2024 – Best of';
const SPRING = 'Webinars 2024 – Spring';

/** Three channels changed with one confirmation, and set back. */
export const reorganise = {
  name: 'reorganise',
  title: 'Reorganising channels',
  async run({ ask, say, world, assert }) {
    const best = world.channelNamed(BEST);
    const spring = world.channelNamed(SPRING);
    const help = world.channelNamed('Legacy Player Help');
    const dark = world.templates.find(({ name, planType }) => name === 'Dark' && planType === 1);
    const untouched = accountState(world);
    const isUntouched = () => assert.deepEqual(accountState(world), untouched);

    say(
      'An update replaces everything that a channel holds, even if only its name should change, and the service never returns what a channel holds. A careless rename empties the channel.',
    );

    await ask({
      wants: `Rename “${help.name}” to “Player Help”.`,
      call: ['update_channels', { changes: [{ channel: help.name, name: 'Player Help' }] }],
      refused: true,
      proves: `Nothing was sent. The channel still holds its ${help.videoKeys.length} videos.`,
      came: 'Nothing was sent: the service does not tell which videos it holds, and the update would have replaced them with none. It asks for the list, from the dashboard.',
      check: isUntouched,
    });

    say('The person copies its list from the dashboard. What it holds now is stated beside the change, so the rename keeps it.');

    const renamed = await ask({
      wants: `Its videos are these, in order. Now rename it.`,
      call: [
        'update_channels',
        {
          changes: [
            { channel: help.name, name: 'Player Help', currentVideoKeys: [...help.videoKeys], currentProjectKeys: [...help.projectKeys] },
          ],
        },
      ],
      proves: 'Renamed, with all its videos in their order.',
      came: `Renamed, with all its ${help.videoKeys.length} videos in their order.`,
      check({ data }) {
        const was = untouched.find(({ id }) => id === help.id);
        assert.equal(data.status, 'applied');
        assert.deepEqual([help.name, help.videoKeys], ['Player Help', was.videoKeys]);
      },
    });
    await ask({
      wants: 'No, the old name was better.',
      call: ['undo_change', { changeId: renamed.changeId }],
      proves: 'The channel is as it was before: the undo goes back to what was stated.',
      came: 'It is as it was before.',
      check({ data }) {
        assert.equal(data.status, 'applied');
        isUntouched();
      },
    });

    say(
      'For larger changes, the lists of several channels are stated once, as arguments or in a file. This client can’t show forms, so the server returns a preview and a token that works once, for this preview only.',
    );

    const stated = {
      channels: [best, spring].map(({ id, videoKeys, projectKeys }) => ({
        channel: id,
        videoKeys: [...videoKeys],
        projectKeys: [...projectKeys],
      })),
    };
    const {
      changeId: stating,
      confirmationToken,
      preview,
    } = await ask({
      wants: 'Here are the videos of the other two, in order.',
      call: ['state_contents', stated],
      forms: false,
      proves: 'Nothing is changed yet.',
      came: 'After a yes in the chat, since this client shows no forms, they are known. Nothing in the account changes.',
      check({ data }) {
        assert.equal(data.status, 'confirmation_required');
        isUntouched();
      },
    });
    await ask({
      wants: 'Yes, that is right.',
      call: ['confirm_change', { changeId: stating, confirmationToken, summary: preview.summary }],
      forms: false,
      proves: 'Nothing in the account is changed. From now on the contents are known, as the user stated them.',
      check({ data }) {
        assert.equal(data.status, 'applied');
        isUntouched();
      },
    });

    say('The next client shows forms. Both clients share the journal.');

    const [first, second, third] = best.videoKeys.slice(-3);
    const { changeId } = await ask({
      wants:
        'Rename “Webinars 2024 – Best of” to “Best of 2024”, dark template, its last three videos first. Add its first to Spring too. And take the first video out of Legacy Player Help.',
      call: [
        'update_channels',
        {
          changes: [
            { channel: BEST, name: 'Best of 2024', template: dark.key, firstVideoKeys: [first, second, third] },
            { channel: SPRING, addVideoKeys: [best.videoKeys[0]] },
            { channel: help.name, removeVideoKeys: [help.videoKeys[0]] },
          ],
        },
      ],
      proves: 'One form for all three changes, with the loss first. The account is exactly as the form said.',
      came: 'One yes for all three, with the loss first. The account is exactly as the form said.',
      wholeForm: true,
      check: isReorganised,
    });

    function isReorganised({ data }) {
      const was = (id) => untouched.find((channel) => channel.id === id);
      assert.equal(data.status, 'applied');
      assert.equal(best.name, 'Best of 2024');
      assert.equal(best.templateKey, dark.key);
      assert.deepEqual(best.videoKeys, [first, second, third, ...was(best.id).videoKeys.slice(0, -3)]);
      assert.deepEqual(spring.videoKeys, [...was(spring.id).videoKeys, was(best.id).videoKeys[0]]);
      assert.deepEqual(help.videoKeys, was(help.id).videoKeys.slice(1));
    }

    await ask({
      wants: 'What have you done so far?',
      call: ['list_changes'],
      proves: 'The changes of both clients.',
      check: ({ data }) =>
        assert.deepEqual(
          data.changes.map(({ status }) => status),
          ['applied', 'applied', 'applied', 'applied'],
        ),
    });

    await ask({
      wants: 'I liked it better before. Undo that.',
      call: ['undo_change', { changeId }],
      proves: 'The whole account is as it was before: names, templates, contents and order.',
      came: 'The whole account is as it was before: names, templates, contents and order.',
      check({ data }) {
        assert.equal(data.status, 'applied');
        isUntouched();
      },
    });
  },
};
