/** Some clients give a model only the text of an answer, others only the structured content, so both must say the same. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import { CHANGE_TOOLS, sampleOf } from '../changes/support/samples.ts';
import { channelAt, videoKeysOf } from '../changes/support/world.ts';
import type { ToolReply, Values } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { readsOf } from '../hazards/reads.ts';

const SPAN = { from: '2026-03-01', to: '2026-03-14' };

/** Calls of the tools that `readsOf` does not cover. */
const OTHER_CALLS: Readonly<Record<string, (changeId: string) => readonly Values[]>> = {
  check_setup: () => [{}, { details: true }],
  show_to_user: () => [{ what: 'changes' }],
  query_analytics: () => [
    SPAN,
    { ...SPAN, groupBy: ['video'], metrics: ['views', 'play_rate', 'watch_time'], limit: 20 },
    { ...SPAN, groupBy: ['country'], compareTo: 'previous_period' },
    { ...SPAN, groupBy: ['day'], channels: ['Onboarding'] },
  ],
  explain_change: () => [SPAN],
  run_analytics_sql: () => [{ ...SPAN, sql: 'SELECT country, count(*) AS views FROM views GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5' }],
  get_collected_emails: () => [{}, { groupBy: 'channel' }, { groupBy: 'video' }],
  list_changes: () => [{}],
  get_change: (changeId) => [{ changeId }, { changeId, list: 'done' }],
  stop_change: (changeId) => [{ changeId }],
};

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
  for (const [name, args] of readsOf(demo)) note(name, await client.callTool(name, args));
  for (const [name, calls] of Object.entries(OTHER_CALLS))
    for (const args of calls(changeId)) note(name, await client.callTool(name, args));
  const tried = new Set(ratios.map(([name]) => name.replace(', preview', '')));
  // A tool that returns a picture has no structured content.
  expect(tools.filter((tool) => 'output' in tool && !tried.has(tool.name)).map(({ name }) => name)).toEqual([]);
  const sorted = ratios.map(([, ratio]) => ratio).sort((one, other) => one - other);
  expect(ratios.filter(([, ratio]) => ratio > 2)).toEqual([]);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(1.3);
});
