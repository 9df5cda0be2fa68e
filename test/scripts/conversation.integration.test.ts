/** The conversation in the README happens as it is told there, in the account that `--demo` starts. */
import { expect, test } from 'vitest';
import { writesOf } from '../changes/support/world.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { textOf } from './project.ts';

/** The account of `--demo`, on a day of the tests. */
const DEMO = { views: 200_000, videos: 800 };

const [, told = ''] = /<!-- conversation -->(.*)<!-- \/conversation -->/s.exec(textOf('README.md')) ?? [];
const saidBy = (who: string): string[] =>
  [...told.matchAll(new RegExp(`^> \\*\\*${who}:\\*\\* (.+)$`, 'gm'))].map(([, text]) => String(text));
const [wish = '', contents = ''] = saidBy('You');
const [question = '', receipt = '', restored = ''] = saidBy('Assistant');
/** The form's lines, save those that are left out. */
const form = String(/```text\n(.*?)\n```/s.exec(told)?.[1])
  .split('\n')
  .filter((line) => !['', '…'].includes(line));
const [name = '', newName = ''] = [...wish.matchAll(/“([^”]+)”/g)].map(([, quoted]) => String(quoted));
const videoKeys = contents.match(/\b\w{11}\b/g) ?? [];

/** The choices of a form, the last one taken. */
const choicesOf = (schema: unknown): string[] =>
  // Its shape is tested elsewhere.
  (schema as { properties: { decision: { oneOf: { title: string }[] } } }).properties.decision.oneOf.map(
    ({ title }, index, { length }) => `[${index === length - 1 ? 'x' : ' '}] ${title}`,
  );

test('the conversation in the README is what the demo account, the form and the answers say', async () => {
  const demo = await startService(DEMO);
  const channel = demo.world.channelNamed(name);
  const untouched = structuredClone(channel);
  expect(videoKeys).toEqual(channel.videoKeys);
  expect(channel.projectKeys).toEqual([]);
  const { client } = await start({ demo, forms: 'accept' });
  const [first = '', ...others] = videoKeys;
  const edits = { channel: name, name: newName, removeVideoKeys: [first] };

  const refused = await client.callTool('update_channels', { changes: [edits] });
  expect(writesOf(demo)).toEqual([]);
  expect(refused.data?.error).toMatchObject({ code: 'contents_unknown' });
  expect(question).toContain('Nothing was sent');

  const stated = { currentVideoKeys: videoKeys, currentProjectKeys: [] };
  const done = await client.callTool('update_channels', { changes: [{ ...edits, ...stated }] });
  expect(channel).toMatchObject({ name: newName, videoKeys: others });
  expect(receipt).toContain(`“${newName}” and has ${others.length} videos`);
  expect(receipt).toContain(`${first} is out`);
  const [shown] = client.forms;
  const lines = [...String(shown?.message).split('\n'), ...choicesOf(shown?.requestedSchema)];
  expect(lines.filter((line) => form.includes(line))).toEqual(form);

  const undone = await client.callTool('undo_change', { changeId: done.data?.changeId });
  expect(channel).toMatchObject({ name: untouched.name, videoKeys: untouched.videoKeys, projectKeys: untouched.projectKeys });
  expect(undone.data).toMatchObject({ status: 'applied' });
  expect(client.forms).toHaveLength(2);
  expect(restored).toContain(`“${name}” again, with its ${videoKeys.length} videos`);
});
