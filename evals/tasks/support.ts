import type { DemoChannel, DemoView } from '../../src/demo/records.ts';
import type { DemoWorld } from '../../src/demo/world.ts';
import type { Ending } from '../task.ts';

/** The video keys of a channel as a person would paste them. */
export function keysOf(world: DemoWorld, channel: string): string {
  return world.channelNamed(channel).videoKeys.join(', ');
}

/** Rows of CSV that say what channels hold. */
export function contentsFile(world: DemoWorld, channels: readonly string[]): string {
  const rows = channels.flatMap((name) => world.channelNamed(name).videoKeys.map((key) => `"${name}",${key}`));
  return `channel,videoKey\n${rows.join('\n')}\n`;
}

/** Ids of the first `count` videos, or of those in a project. */
export function videoIds(world: DemoWorld, count: number, project?: string): string[] {
  const projectId = project === undefined ? undefined : world.projectNamed(project).id;
  return [...world.videos.values()]
    .filter((video) => projectId === undefined || video.projectId === projectId)
    .slice(0, count)
    .map(({ id }) => id);
}

/** The views from `from` up to, not including, `to` (ISO), in channels of these names, or anywhere. */
export function viewsIn(world: DemoWorld, from: string, to: string, channels?: readonly string[]): DemoView[] {
  const { views } = world;
  const keys = channels?.map((name) => world.channelNamed(name).key);
  const [first, end] = [Date.parse(from), Date.parse(to)];
  const rows = Array.from({ length: views.count }, (_, row) => row).filter((row) => views.timeAt(row) >= first && views.timeAt(row) < end);
  // No task plants views without these fields.
  const found = rows.map((row) => views.at(row) as DemoView);
  return keys === undefined ? found : found.filter(({ channelKey = '' }) => keys.includes(channelKey));
}

/** Where view number `index` comes from, spread over places, so that none of them stands out. */
export function placeOf(index: number): DemoView['geo'] {
  const places = [
    { country: 'US', continent: 'NA', region: 'CA', city: 'San Francisco' },
    { country: 'DE', continent: 'EU', region: 'BE', city: 'Berlin' },
    { country: 'GB', continent: 'EU', region: 'ENG', city: 'London' },
    { country: 'IN', continent: 'AS', region: 'KA', city: 'Bengaluru' },
    { country: 'FR', continent: 'EU', region: 'IDF', city: 'Paris' },
  ];
  return { ip: `192.0.2.${index % 200}`, ...first(places.slice(index % places.length)) };
}

export function distinct<T>(values: readonly T[]): number {
  return new Set(values).size;
}

/** How often each value occurs, the most frequent first. */
export function countsOf(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

export function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new RangeError('The list is empty.');
  return item;
}

/** Says in some way that something is not so. Where a task is judged by what was not done, the answer only has to say it. */
export const SAYS_NO =
  /\b(?:cannot|error|fail(?:s|ed|ing|ure)?|impossible|no|none|not|nothing|unable|unavailable|unchanged|without|\w+n[’']t)\b/i;

/** An inventory of channels by their ids, as the dashboard exports it. */
export function inventoryFile(world: DemoWorld, channels: readonly DemoChannel[]): string {
  const titleOf = (key: string): string => `"${world.videosByKey.get(key)?.title.replaceAll('"', '""') ?? ''}"`;
  const rows = channels.flatMap(({ id, videoKeys }) => videoKeys.map((key, index) => `${id},${index + 1},${key},${titleOf(key)}`));
  return `channel,position,videoKey,title\n${rows.join('\n')}\n`;
}

/** For changes of many requests, which would be answered as running on a machine that is busy with other runs. */
export const UNHURRIED = { VIDEO_HOSTING_CALL_BUDGET_MS: '170000' } as const;

/** The calls that drew a chart, whichever tool they asked for it. */
export const chartsIn = (calls: Ending['calls']): Ending['calls'] =>
  calls.filter(({ tool, arguments: { chart, title }, isError }) => {
    const isDrawn = tool === 'draw_chart' || (tool === 'query_analytics' && (chart !== undefined || title !== undefined));
    return isDrawn && !isError;
  });
