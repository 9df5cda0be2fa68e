/** Some clients give a model only the text of an answer, others only the structured content, so both must say the same. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import { channelAt, videoKeysOf } from '../changes/support/world.ts';
import type { ToolReply } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { CHANGE_TOOLS, callsOf, sampleOf } from './tools/calls.ts';

/** The leaf values as text, without types of columns, which the cells show. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => leavesOf(inner, path));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      path === 'columns' && name === 'type' ? [] : leavesOf(inner, path === '' ? name : `${path}.${name}`),
    );
  // The text shows this as `undo: possible`.
  if (value === null || value === '' || (path.endsWith('undo.possible') && value === 'yes')) return [];
  return [String(value)];
}

const tokensOf = (text: string): number => encode(text).length;

/** Words that are the names of fields, and what becomes of lists, in the text. */
const LAYOUT = /^(?:Next|Today|Changes|Hidden|none|not|known|kept|as|videos?|projects?|moved|to|the|front|added|removed|\d+)$/;

function compare(name: string, { text, data }: ToolReply): number {
  if (data === undefined) throw new Error(`${name}: ${text}`);
  const plain = text.replaceAll('\\"', '"');
  const missing = leavesOf(data).filter((leaf) => !plain.includes(leaf.replaceAll('\\"', '"')));
  expect(missing, `${name}: the structured content says this, the text does not`).toEqual([]);
  const words = new Set(JSON.stringify(data).match(/[\p{L}\p{N}]+/gu));
  const added = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !words.has(word) && !LAYOUT.test(word));
  expect(added, `${name}: the text says this, the structured content does not`).toEqual([]);
  return tokensOf(JSON.stringify(data)) / tokensOf(text);
}

test('text and structured content of each tool say the same, and the latter costs few tokens more', async () => {
  const ratios: [string, number][] = [];
  const note = (name: string, reply: ToolReply) => ratios.push([name, compare(name, reply)]);
  const demo = await startService();
  const { client, home } = await start({ demo });
  let changeId = '';
  const stated = { channels: [{ channel: channelAt(demo, 5).id, videoKeys: videoKeysOf(demo, 3) }] };
  for (const name of ['state_contents', ...CHANGE_TOOLS]) {
    const { args } = name === 'state_contents' ? { args: stated } : await sampleOf(name, demo, home);
    const preview = await client.callTool(name, args);
    note(`${name}, preview`, preview);
    const done = await confirmPreview(client, preview);
    note('confirm_change', done);
    if (typeof done.data?.changeId === 'string') changeId = done.data.changeId;
  }
  // A tool that returns a picture has no structured content.
  const withContent = tools.filter((tool) => 'output' in tool).map(({ name }) => name);
  for (const name of withContent) for (const args of callsOf(name, demo, changeId)) note(name, await client.callTool(name, args));
  const tried = new Set(ratios.map(([name]) => name.replace(', preview', '')));
  expect(withContent.filter((name) => !tried.has(name))).toEqual([]);
  const sorted = ratios.map(([, ratio]) => ratio).sort((one, other) => one - other);
  expect(ratios.filter(([, ratio]) => ratio > 2)).toEqual([]);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(1.3);
});
