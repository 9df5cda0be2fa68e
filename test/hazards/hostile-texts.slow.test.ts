import { expect, test } from 'vitest';
import { recordsIn } from '../harness/client.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { plantHostileTexts } from '../harness/planting.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const EVIL = '\u001b]0;x\u0007\u001b[2J\u202e\u200b\u{e0049}evil\u0000\nsecond line';

test('a channel is found by its hostile name and by that name as it was shown', async () => {
  const demo = await startService();
  const { client } = await start({ demo });
  plantHostileTexts(demo.world);
  const shown = recordsIn((await client.callTool('list_channels', { size: 100 })).data, 'channels');
  for (const { id, name } of [...demo.world.channels.values()].slice(0, 16)) {
    const asShown = shown.find((channel) => channel.id === id)?.name;
    for (const channel of [name, asShown].filter((text) => String(text).length <= 500))
      expect((await client.callTool('get_channel', { channel })).data).toMatchObject({ channel: { id } });
  }
});

test('the check finds an unsanitized text', () => {
  for (const text of [EVIL, '\u001b[31m', 'a\u200bb', 'a\u200db', '\u2066', '\ud83d', '\u{e0049}', 'a\tb'])
    expect(hiddenIn(JSON.stringify({ a: [text] }))).toHaveLength(1);
  expect(hiddenIn(JSON.stringify({ [EVIL]: 1, b: '👩‍💻 Developer 🏳️‍🌈\nשרח' }))).toHaveLength(1);
});
