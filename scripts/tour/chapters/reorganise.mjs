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
      wants: `Rename “${BEST}” to “Best of 2024”.`,
      call: ['update_channels', { changes: [{ channel: BEST, name: 'Best of 2024' }] }],
      refused: true,
      proves: `Nothing was sent. The channel still holds its ${best.videoKeys.length} videos.`,
      check: isUntouched,
      excerpt: 'rename',
    });

    say(
      'The person copies the lists of three channels from the dashboard. This client can’t show forms, so the server returns a preview and a token that works once, for this request only.',
    );

    const stated = {
      changes: [best, spring, help].map(({ id, videoKeys, projectKeys }) => ({
        channel: id,
        setVideoKeys: [...videoKeys],
        setProjectKeys: [...projectKeys],
      })),
    };
    const { confirmationToken } = await ask({
      wants: 'Here are the videos of these three, in order.',
      call: ['update_channels', stated],
      forms: false,
      proves: 'Nothing is changed yet.',
      check({ data }) {
        assert.equal(data.status, 'confirmation_required');
        isUntouched();
      },
    });
    await ask({
      wants: 'Yes, that is right.',
      call: ['update_channels', { ...stated, confirmationToken }],
      forms: false,
      proves: 'Written with the same contents as before, so nothing was lost. From now on the contents are known.',
      check({ data }) {
        assert.equal(data.status, 'applied');
        isUntouched();
      },
    });

    say('The next client shows forms. Both clients share the journal.');

    const [first, second, third] = best.videoKeys.slice(-3);
    const { changeId } = await ask({
      wants:
        'Rename it to “Best of 2024”, use the dark template and put its last three videos first. Add its first video to Spring as well. And remove the first video of Legacy Player Help.',
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
      check: isReorganised,
      excerpt: 'reorganise',
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
          ['applied', 'applied'],
        ),
    });

    await ask({
      wants: 'I liked it better before. Undo that.',
      call: ['undo_change', { changeId }],
      proves: 'The whole account is as it was before: names, templates, contents and order.',
      check({ data }) {
        assert.equal(data.status, 'applied');
        isUntouched();
      },
      excerpt: 'undo',
    });
  },
};
