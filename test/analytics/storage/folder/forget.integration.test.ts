import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../../src/analytics/storage/folder/collect-garbage.ts';
import { forgetViews } from '../../../../src/analytics/storage/folder/forget.ts';
import { forgetSpan } from '../../../../src/analytics/storage/folder/manifest.ts';
import { DAY_MS, days, type Lab, NOW_MS, sharedEngine, startLab, viewsOf } from '../../ingest/support.ts';

const engine = sharedEngine();
const SPAN = days('2026-08-01', '2026-10-15');
const QUESTION = { metrics: ['views' as const], groupBy: [], filters: [], offsets: [{ fromMs: 0, offsetSeconds: 0 }] };

async function filled(): Promise<Lab> {
  const lab = await startLab({ engine });
  lab.clock.ms = NOW_MS;
  await lab.ensure(SPAN);
  return lab;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());

test('forgetting everything leaves only an empty manifest', async () => {
  const lab = await filled();
  const reports = join(lab.folder, 'reports');
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, 'a.csv'), 'video,views');
  const key = filesIn(lab.folder).find((name) => name.endsWith('.key'));
  const gone = await forgetViews({ folder: lab.folder, alsoEmpty: [reports], clock: () => lab.clock.ms });
  expect(gone).toEqual({ views: viewsOf(lab.demo, SPAN).length, upToMs: undefined, left: [] });
  expect(readdirSync(reports)).toEqual([]);
  const left = filesIn(lab.folder);
  expect(left.filter((name) => !/^manifest[\\/]v\d+\.json$/.test(name))).toEqual([]);
  const texts = left.map((name) => readFileSync(join(lab.folder, name), 'utf8'));
  expect(texts.join()).toContain('"segments":[],"retired":[],"forgotten":[]');
  expect(await lab.reader.coverage(SPAN)).toMatchObject({ covered: [], complete: false, records: 0 });
  // The views can be read again, with another hash key.
  lab.clock.ms += 1_000;
  await lab.ensure(SPAN);
  expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));
  expect(filesIn(lab.folder).filter((name) => name.endsWith('.key'))).not.toContain(key);
});

test.each([
  ['the newest manifest is', (names: readonly string[]) => names.slice(0, 1)],
  ['all manifests are', (names: readonly string[]) => names],
])('everything is forgotten although %s damaged', async (_name, damaged) => {
  const lab = await filled();
  const folder = join(lab.folder, 'manifest');
  const numberOf = (name: string) => Number(name.slice(1, -'.json'.length));
  const names = readdirSync(folder).sort((a, b) => numberOf(b) - numberOf(a));
  for (const name of damaged(names)) writeFileSync(join(folder, name), '');
  const { views, left } = await forgetViews({ folder: lab.folder, alsoEmpty: [], clock: () => lab.clock.ms });
  expect(left).toEqual([]);
  expect(filesIn(lab.folder).filter((name) => !/^manifest[\\/]v\d+\.json$/.test(name))).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(1);
  if (damaged(names).length === names.length) expect(views).toBeUndefined();
  else expect(views).toBeGreaterThan(0);
  const another = await startLab({ engine, demo: lab.demo, folder: lab.folder });
  another.clock.ms = lab.clock.ms + 1_000;
  expect(await another.ensure(SPAN)).toMatchObject({ complete: true });
  expect(await another.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));
});

test('forgetting up to a day keeps later views, and reports the actual end', async () => {
  const lab = await filled();
  const toMs = Date.parse('2026-08-10T00:00:00Z');
  const gone = await forgetViews({ folder: lab.folder, alsoEmpty: [], upToMs: toMs, clock: () => lab.clock.ms });
  const untilMs = gone.upToMs ?? 0;
  expect(untilMs).toBeGreaterThanOrEqual(toMs);
  expect(untilMs).toBeLessThanOrEqual(Date.parse('2026-09-01T00:00:00Z'));
  const rest = { fromMs: untilMs, toMs: SPAN.toMs };
  expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, rest));
  expect(await lab.reader.coverage(SPAN)).toMatchObject({ covered: [rest], complete: false });
  const named = ((await lab.storage.read())?.segments ?? []).flatMap(({ part }) => part ?? []);
  expect(readdirSync(join(lab.folder, 'parts')).sort((a, b) => (a < b ? -1 : 1))).toEqual(named.sort((a, b) => (a < b ? -1 : 1)));
  lab.clock.ms += DAY_MS;
  await lab.ensure(SPAN);
  expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));
});

test.each([
  ['everything is', undefined],
  ['earlier views are', SPAN.fromMs - DAY_MS],
])('views that are being read when %s forgotten are not stored, and the next question reads them', async (_what, upToMs) => {
  const lab = await startLab({ engine });
  let removed = false;
  lab.demo.behaviour.statsMaxSize = 100;
  lab.demo.behaviour.onRequest = async (request) => {
    if (removed || request.number < 4) return;
    removed = true;
    await forgetViews({ folder: lab.folder, alsoEmpty: [], upToMs, clock: () => lab.clock.ms + 1 });
  };
  const coverage = await lab.ensure(SPAN);
  expect(coverage).toMatchObject({ complete: false, covered: [], records: 0 });
  expect(coverage.missing).toContain('removed while it was read');
  expect(filesIn(lab.folder).filter((name) => !/^manifest|\.key$/.test(name))).toEqual([]);
  if (upToMs === undefined) expect(filesIn(lab.folder).filter((name) => name.endsWith('.key'))).toEqual([]);
  expect(await lab.ensure(SPAN)).toMatchObject({ complete: true });
  expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));
});

test('after a kill between forgetting and removing files, no answer uses them and garbage collection removes them', async () => {
  const lab = await filled();
  await lab.storage.versions.commit(async (manifest) =>
    manifest === undefined ? undefined : forgetSpan(manifest, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, lab.clock.ms),
  );
  const how = { signal: new AbortController().signal, timeoutMs: 500_000 };
  expect((await lab.reader.ask({ span: SPAN, ...QUESTION }, how)).total[0]).toBe(0);
  expect(readdirSync(join(lab.folder, 'parts'))).not.toEqual([]);
  await collectGarbage(lab.storage);
  expect(readdirSync(join(lab.folder, 'parts'))).toEqual([]);
});
