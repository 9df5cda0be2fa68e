/** Damaged files of the view cache: no answer is wrong, and the views are read from the service again. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Span } from '../../../../src/analytics/contract.ts';
import { days, type Lab, NOW_MS, sharedEngine, startLab, viewsOf } from '../../ingest/support.ts';

const engine = sharedEngine();
const SPAN = days('2026-07-01', '2026-10-15');
const EARLIER = days('2026-05-01', '2026-06-01');
const QUESTION = { metrics: ['views', 'unique_viewers'] as const, groupBy: [], filters: [], offsets: [{ fromMs: 0, offsetSeconds: 0 }] };

async function filled(): Promise<Lab> {
  const lab = await startLab({ engine, views: 6_000 });
  lab.clock.ms = NOW_MS;
  await lab.ensure(SPAN);
  return lab;
}

/** Reads what is missing and asks, again while stored views turn out to be lost. */
async function answer(lab: Lab, span = SPAN): Promise<{ readonly totals: readonly unknown[]; readonly lost: number }> {
  for (let lost = 0; ; lost += 1) {
    const { covered, complete } = await lab.ensure(span);
    expect(complete).toBe(true);
    try {
      const how = { signal: new AbortController().signal, timeoutMs: 500_000, covered };
      return { totals: (await lab.reader.ask({ span, ...QUESTION }, how)).total, lost };
    } catch (error) {
      if (lost > 0) throw error;
      expect(error).toMatchObject({ code: 'views_gone' });
    }
  }
}

/** The right answer, by the demo’s own records: views, viewers, and views that name a viewer. */
function totalsOf({ demo: { world } }: Lab, { fromMs, toMs }: Span): number[] {
  const all = Array.from({ length: world.views.count }, (_, index) => index);
  const within = all.filter((index) => world.views.timeAt(index) >= fromMs && world.views.timeAt(index) < toMs);
  const viewers = within.flatMap((index) => world.views.at(index).viewerId || []);
  return [within.length, new Set(viewers).size, viewers.length];
}

const partsOf = (lab: Lab): string[] => readdirSync(join(lab.folder, 'parts')).map((name) => join(lab.folder, 'parts', name));

function overwrite(path: string, change: (bytes: Buffer) => void): void {
  const { atime, mtime } = statSync(path);
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
  // As a failing disk does it.
  utimesSync(path, atime, mtime);
}

function flipBit(bytes: Buffer, index: number): void {
  bytes[index] = (bytes[index] ?? 0) ^ 4;
}

const DAMAGES: Readonly<Record<string, (path: string, index: number) => void>> = {
  'different in one bit': (path, index) => overwrite(path, (bytes) => flipBit(bytes, Math.floor((bytes.length * (index + 1)) / 8))),
  'overwritten in the middle': (path, index) =>
    overwrite(path, (bytes) => bytes.fill(index % 2 === 0 ? 0 : 0x58, bytes.length >> 2, (bytes.length >> 2) * 3)),
  empty: (path) => truncateSync(path),
  truncated: (path) => truncateSync(path, 500),
  'replaced by another file': (path) => writeFileSync(path, 'video,views\n'),
};

test.each(Object.keys(DAMAGES))('parts that are %s are read from the service again, all at once', async (kind) => {
  const lab = await filled();
  expect(partsOf(lab).length).toBeGreaterThan(2);
  // No process has read them so far.
  for (const [index, path] of partsOf(lab).entries()) DAMAGES[kind]?.(path, index);
  lab.demo.requests.length = 0;
  expect(await answer(lab)).toEqual({ totals: totalsOf(lab, SPAN), lost: 1 });
  expect(lab.demo.requests.length).toBeGreaterThan(0);
  expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));
  expect(await answer(lab)).toEqual({ totals: totalsOf(lab, SPAN), lost: 0 });
});

test('after the key for hashes of viewers was lost, all views are read again, and every viewer counts once', async () => {
  const lab = await filled();
  const [key = ''] = readdirSync(lab.folder).filter((name) => name.endsWith('.key'));
  rmSync(join(lab.folder, key));
  const both = { fromMs: EARLIER.fromMs, toMs: SPAN.toMs };
  expect(await answer(lab, both)).toEqual({ totals: totalsOf(lab, both), lost: 0 });
  expect(await lab.storedIds(both)).toEqual(viewsOf(lab.demo, both));
});

test('with a damaged manifest, what the one before lists is used and the rest is read again', async () => {
  const lab = await filled();
  await lab.ensure(EARLIER);
  const folder = join(lab.folder, 'manifest');
  const newest = Math.max(...readdirSync(folder).map((name) => Number(name.slice(1, -'.json'.length))));
  truncateSync(join(folder, `v${newest}.json`), 300);
  lab.demo.requests.length = 0;
  const another = await startLab({ engine, demo: lab.demo, folder: lab.folder });
  another.clock.ms = NOW_MS;
  const both = { fromMs: EARLIER.fromMs, toMs: SPAN.toMs };
  expect(await answer(another, both)).toEqual({ totals: totalsOf(lab, both), lost: 0 });
  const asked = lab.demo.requests.map(({ body }) => (body as { from: string }).from);
  expect(asked.length).toBeGreaterThan(0);
  expect(await another.storedIds(both)).toEqual(viewsOf(lab.demo, both));
});
