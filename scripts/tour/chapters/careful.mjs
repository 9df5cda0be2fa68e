import { accountState, isChange } from '../checks.mjs';

/** What keeps an account safe from mistakes. */
export const careful = {
  name: 'careful',
  title: 'Saying no',
  async run({ ask, say, world, requests, connect, transcript, assert }) {
    const untouched = accountState(world);
    const changesSent = () => requests.filter(isChange).length;
    const sent = changesSent();

    await ask({
      wants: 'Make a new channel for the launch, with the first video of Press. No, wait.',
      call: ['create_channels', { channels: [{ name: 'Launch week', videoKeys: [world.channelNamed('Press').videoKeys[0]] }] }],
      answers: 'decline',
      proves: 'Declined. No request that changes the account was sent.',
      came: 'Declined: no request that changes the account was sent.',
      check({ data }) {
        assert.equal(data.status, 'declined');
        assert.equal(changesSent(), sent);
        assert.deepEqual(accountState(world), untouched);
      },
    });

    say('For reporting only, the server is started with --read-only.');
    const client = await connect({ forms: true, args: ['--read-only'] });
    const { tools } = await client.listTools();
    transcript.answer(`Tools: ${tools.map(({ name }) => name).join(', ')}`);
    assert.ok(tools.length > 0 && tools.every(({ name }) => !/^(create|update|move|copy|undo|resume)_/.test(name)));
    await assert.rejects(client.callTool({ name: 'update_channels', arguments: {} }), /Unknown tool/);
    transcript.proved({ proves: 'Tools that change the account are not listed, and a call of one is refused.' });
  },
};
