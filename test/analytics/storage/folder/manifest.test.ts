import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin, overlaps, union, without } from '../../../../src/analytics/spans.ts';
import { createFolderStorage, EMPTY } from '../../../../src/analytics/storage/folder/folder-storage.ts';
import { addSegment, type Manifest, manifestText } from '../../../../src/analytics/storage/folder/manifest.ts';
import { createVersions } from '../../../../src/analytics/storage/folder/versions.ts';
import { SCHEMA, type Segment } from '../../../../src/analytics/storage/segments.ts';
import { freshHome } from '../../../harness/cleanup.ts';

let made = 0;
function segmentOf(fromMs: number, toMs: number, more: Partial<Segment> = {}): Segment {
  made += 1;
  return { id: `w${made}`, fromMs, toMs, fetchedMs: 1_000, schema: SCHEMA, rows: 1, part: `w${made}.parquet`, rejected: [], ...more };
}

const manifestOf = (...segments: Segment[]): Manifest => ({ ...EMPTY, segments });
const added = (manifest: Manifest, fresh: Segment) => addSegment(manifest, fresh, { epoch: manifest.epoch, forgotten: [] }, 5_000);

test('a segment replaces older ones within it, whose files stay for a grace period', () => {
  const manifest = manifestOf(segmentOf(0, 10), segmentOf(10, 20), segmentOf(20, 30));
  const fresh = segmentOf(10, 30, { fetchedMs: 2_000 });
  const result = added(manifest, fresh);
  if (typeof result === 'string') throw new Error(result);
  expect(result.segments).toEqual([manifest.segments[0], fresh]);
  expect(result.retired).toEqual(manifest.segments.slice(1).map(({ part }) => ({ file: `parts/${part}`, dueMs: 5_000 + 15 * 60_000 })));
});

test.each<[string, Segment[], Segment, Partial<Manifest>, string]>([
  ['the span was read again later', [segmentOf(0, 10, { fetchedMs: 3_000 })], segmentOf(0, 20), {}, 'superseded'],
  ['it would cut a segment with views', [segmentOf(0, 10, { fetchedMs: 1 })], segmentOf(5, 20), {}, 'superseded'],
  ['the span was forgotten since', [], segmentOf(5, 20), { forgotten: [{ fromMs: 0, toMs: 6, atMs: 1_500 }] }, 'forgotten'],
])('a segment is not added if %s', (_name, segments, fresh, more, outcome) => {
  expect(added({ ...manifestOf(...segments), ...more }, fresh)).toBe(outcome);
});

test('a segment of another epoch is not added, because everything was forgotten since', () => {
  expect(addSegment(manifestOf(), segmentOf(0, 1), { epoch: 'another', forgotten: [] }, 0)).toBe('forgotten');
});

test('a segment that was read while a clock was ahead is replaced by what is read later', () => {
  const ahead = segmentOf(0, 10, { fetchedMs: 5_000 + 3 * 86_400_000 });
  const fresh = segmentOf(0, 10, { fetchedMs: 4_000 });
  expect(added(manifestOf(ahead), fresh)).toMatchObject({ segments: [fresh] });
  // Clocks that are set right differ by seconds.
  expect(added(manifestOf(segmentOf(0, 10, { fetchedMs: 5_500 })), fresh)).toBe('superseded');
});

test('a span that was forgotten before its reading began is stored, whatever the clocks say', () => {
  const forgotten = [{ fromMs: 0, toMs: 6, atMs: 9_000_000 }];
  const manifest = { ...manifestOf(), forgotten };
  expect(addSegment(manifest, segmentOf(5, 20), { epoch: '', forgotten: [] }, 5_000)).toBe('forgotten');
  expect(addSegment(manifest, segmentOf(5, 20), { epoch: '', forgotten }, 5_000)).toMatchObject({ segments: [{ fromMs: 5, toMs: 20 }] });
});

test('segments without views are cut, and segments of another schema version are replaced', () => {
  const empty = segmentOf(10, 40, { rows: 0, part: undefined } as never);
  const manifest = manifestOf(segmentOf(0, 10, { schema: 'other', fetchedMs: 9_000 }), empty);
  const result = added(manifest, segmentOf(5, 20, { fetchedMs: 2_000 }));
  if (typeof result === 'string') throw new Error(result);
  expect(result.segments.map(({ fromMs, toMs }) => `${fromMs} to ${toMs}`)).toEqual(['5 to 20', '20 to 40']);
});

test('segments never overlap, and covered time stays covered', () => {
  const some = fc.record({ from: fc.nat(40), length: fc.integer({ min: 1, max: 15 }), fetched: fc.nat(20), rows: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 25 }), (all) => {
      let manifest = manifestOf();
      for (const { from, length, fetched, rows } of all) {
        const result = added(manifest, segmentOf(from, from + length, { fetchedMs: fetched, rows }));
        if (typeof result === 'string') continue;
        expect(without(manifest.segments, result.segments)).toEqual([]);
        manifest = result;
      }
      const { segments } = manifest;
      for (const one of segments) expect(segments.filter((other) => other !== one && overlaps(one, other))).toEqual([]);
      expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length);
    }),
  );
});

test('the union and the difference of spans agree with each other', () => {
  const span = fc
    .record({ fromMs: fc.nat(50), length: fc.integer({ min: 1, max: 20 }) })
    .map(({ fromMs, length }) => ({ fromMs, toMs: fromMs + length }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), fc.array(span, { maxLength: 8 }), (all, taken) => {
      const left = without(all, taken);
      for (let at = 0; at < 80; at += 1) {
        const unit = { fromMs: at, toMs: at + 1 };
        const isIn = (spans: readonly { fromMs: number; toMs: number }[]) => spans.some((one) => isWithin(unit, one));
        expect(isIn(left)).toBe(isIn(all) && !isIn(taken));
        expect(isIn(union(all))).toBe(isIn(all));
      }
    }),
  );
});

test('the manifest contains the changes of all concurrent writers', async () => {
  const folder = freshHome();
  const all = Array.from({ length: 60 }, (_, index) => segmentOf(index, index + 1));
  const writers = Array.from({ length: 6 }, () => createVersions(join(folder, 'manifest'), join(folder, 'tmp')));
  await writers[0]?.commit(async () => EMPTY);
  await Promise.all(
    all.map(async (segment, index) =>
      writers[index % 6]?.commit<undefined>(async (manifest) => {
        if (manifest === undefined || manifest.segments.some(({ id }) => id === segment.id)) return undefined;
        return { ...manifest, segments: [...manifest.segments, segment] };
      }),
    ),
  );
  const manifest = await createVersions(join(folder, 'manifest'), join(folder, 'tmp')).read();
  expect(new Set(manifest?.segments.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
  expect(manifest?.segments.length).toBe(all.length);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  expect(readdirSync(join(folder, 'manifest')).length).toBeLessThan(30);
});

test('a commit under a version number that was used and removed meanwhile is repeated', async () => {
  const folder = freshHome();
  const versions = createVersions(join(folder, 'manifest'), join(folder, 'tmp'));
  await versions.commit(async () => EMPTY);
  const segment = segmentOf(0, 1);
  let first = true;
  await versions.commit<undefined>(async (manifest) => {
    if (manifest === undefined || manifest.segments.some(({ id }) => id === segment.id)) return undefined;
    const next = { ...manifest, segments: [...manifest.segments, segment] };
    if (!first) return next;
    first = false;
    // Meanwhile other processes added many versions and removed those between.
    writeFileSync(join(folder, 'manifest', 'v90.json'), manifestText(manifest));
    return next;
  });
  expect(await versions.read()).toMatchObject({ segments: [segment] });
  expect(readdirSync(join(folder, 'manifest'))).toContain('v91.json');
});

test('reading waits for a version that is only partly written', async () => {
  const folder = freshHome();
  mkdirSync(join(folder, 'manifest'));
  const written = manifestOf(segmentOf(0, 1));
  const text = manifestText(written);
  writeFileSync(join(folder, 'manifest', 'v1.json'), text.slice(0, 20));
  const reading = createVersions(join(folder, 'manifest'), join(folder, 'tmp')).read();
  setTimeout(() => writeFileSync(join(folder, 'manifest', 'v1.json'), text), 60);
  expect(await reading).toEqual(written);
});

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  empty: (path) => writeFileSync(path, ''),
  cut: (path) => writeFileSync(path, readFileSync(path).subarray(0, 60)),
  zeroed: (path) => writeFileSync(path, Buffer.alloc(600)),
  'different in one digit': (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"fromMs":10', '"fromMs":12')),
  'of another format': (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"format":3', '"format":2')),
  'replaced by a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

test.concurrent.each(Object.keys(DAMAGES))(
  'if the newest manifest is %s, the one before counts, and the next gets a number above',
  async (kind) => {
    const folder = freshHome();
    const open = () => createVersions(join(folder, 'manifest'), join(folder, 'tmp'));
    const all = [segmentOf(0, 10), segmentOf(10, 20), segmentOf(20, 30)];
    await open().commit(async () => manifestOf(...all.slice(0, 1)));
    await open().commit(async () => manifestOf(...all.slice(0, 2)));
    DAMAGES[kind]?.(join(folder, 'manifest', 'v2.json'));
    const versions = open();
    expect(await versions.read()).toEqual(manifestOf(...all.slice(0, 1)));
    await versions.commit(async () => manifestOf(...all));
    expect(readdirSync(join(folder, 'manifest')).sort()).toEqual(['v1.json', 'v2.json', 'v3.json']);
    expect(await open().read()).toEqual(manifestOf(...all));
  },
);

test('if no manifest can be read, nothing counts as stored, and the next gets a number above', async () => {
  const folder = freshHome();
  mkdirSync(join(folder, 'manifest'));
  writeFileSync(join(folder, 'manifest', 'v7.json'), '');
  const storage = createFolderStorage(folder, Date.now);
  expect(await storage.read()).toBeUndefined();
  const { segments } = await storage.open();
  expect(segments).toEqual([]);
  expect(readdirSync(join(folder, 'manifest')).sort()).toEqual(['v7.json', 'v8.json']);
});

test.each<[string, (file: string) => void]>([
  ['lost', (file) => rmSync(file)],
  ['cut', (file) => writeFileSync(file, 'short')],
  ['different', (file) => writeFileSync(file, Buffer.alloc(32, 7))],
])('if the key for hashes of viewers is %s, views that were hashed with it are not counted any more', async (_name, damage) => {
  const folder = freshHome();
  const storage = createFolderStorage(folder, Date.now);
  const { epoch } = await storage.open();
  const hash = (await storage.viewerHash(epoch))('somebody');
  expect(await storage.commit({ fromMs: 0, toMs: 10, fetchedMs: 1, rows: 0, rejected: [] }, { epoch, forgotten: [] })).toBe('committed');
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.key'));
  damage(join(folder, files()[0] ?? ''));
  const another = createFolderStorage(folder, Date.now);
  const begun = await another.open();
  expect(begun).toMatchObject({ segments: [], epoch: expect.not.stringMatching(epoch) });
  expect((await another.viewerHash(begun.epoch))('somebody')).not.toBe(hash);
  expect(await storage.open()).toEqual(begun);
  // A reading that began with the lost key is not stored.
  expect(await storage.commit({ fromMs: 0, toMs: 10, fetchedMs: 1, rows: 0, rejected: [] }, { epoch, forgotten: [] })).toBe('forgotten');
});

test('storages that create the hash key concurrently get the same key', async () => {
  const folder = freshHome();
  const storages = Array.from({ length: 8 }, () => createFolderStorage(folder, Date.now));
  const hashes = await Promise.all(
    storages.map(async (storage) => {
      const { epoch } = await storage.open();
      return (await storage.viewerHash(epoch))('somebody');
    }),
  );
  expect(new Set(hashes).size).toBe(1);
  expect(hashes[0]).toMatch(/^\d{1,20}$/);
  expect(readdirSync(folder).filter((name) => name.endsWith('.key'))).toHaveLength(1);
});
