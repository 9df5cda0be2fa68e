import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin, overlaps, union, without } from '../../../../src/analytics/spans.ts';
import { createFolderStorage, emptyManifest, SCHEMA } from '../../../../src/analytics/storage/folder/folder-storage.ts';
import { type Manifest, place, type Segment } from '../../../../src/analytics/storage/folder/manifest.ts';
import { createVersions } from '../../../../src/analytics/storage/folder/versions.ts';
import { atEnd } from '../../../harness/cleanup.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let made = 0;
function windowOf(fromMs: number, toMs: number, more: Partial<Segment> = {}): Segment {
  made += 1;
  return { id: `w${made}`, fromMs, toMs, fetchedMs: 1_000, schema: SCHEMA, rows: 1, part: `w${made}.parquet`, setAside: [], ...more };
}

const withWindows = (...windows: Segment[]): Manifest => ({ ...emptyManifest(), windows });
const placed = (manifest: Manifest, fresh: Segment) => place(manifest, fresh, manifest.epoch, 5_000);

test('a window takes the place of older ones that lie in it, whose files stay for a while', () => {
  const manifest = withWindows(windowOf(0, 10), windowOf(10, 20), windowOf(20, 30));
  const fresh = windowOf(10, 30, { fetchedMs: 2_000 });
  const result = placed(manifest, fresh);
  if (typeof result === 'string') throw new Error(result);
  expect(result.next.windows).toEqual([manifest.windows[0], fresh]);
  expect(result.next.retired).toEqual(manifest.windows.slice(1).map(({ part }) => ({ file: `parts/${part}`, dueMs: 5_000 + 15 * 60_000 })));
});

test.each<[string, Segment[], Segment, Partial<Manifest>, string]>([
  ['others read it later', [windowOf(0, 10, { fetchedMs: 3_000 })], windowOf(0, 20), {}, 'beaten'],
  ['it cuts a window with views', [windowOf(0, 10, { fetchedMs: 1 })], windowOf(5, 20), {}, 'beaten'],
  ['it was forgotten since', [], windowOf(5, 20), { forgotten: [{ fromMs: 0, toMs: 6, atMs: 1_500 }] }, 'forgotten'],
])('nothing is changed where %s', (_name, windows, fresh, more, outcome) => {
  expect(placed({ ...withWindows(...windows), ...more }, fresh)).toBe(outcome);
});

test('all was forgotten since: another epoch', () => {
  expect(place(withWindows(), windowOf(0, 1), 'another', 0)).toBe('forgotten');
});

test('empty windows are cut, and those of another program’s version replaced', () => {
  const manifest = withWindows(
    windowOf(0, 10, { schema: 'other', fetchedMs: 9_000 }),
    windowOf(10, 40, { rows: 0, part: undefined } as never),
  );
  const result = placed(manifest, windowOf(5, 20, { fetchedMs: 2_000 }));
  if (typeof result === 'string') throw new Error(result);
  expect(result.next.windows.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [5, 20],
    [20, 40],
  ]);
});

test('whatever is placed, windows never overlap, and what was covered stays covered', () => {
  const some = fc.record({ from: fc.nat(40), length: fc.integer({ min: 1, max: 15 }), fetched: fc.nat(20), rows: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 25 }), (all) => {
      let manifest = withWindows();
      for (const { from, length, fetched, rows } of all) {
        const result = placed(manifest, windowOf(from, from + length, { fetchedMs: fetched, rows }));
        if (typeof result === 'string') continue;
        expect(without(manifest.windows, result.next.windows)).toEqual([]);
        manifest = result.next;
      }
      const { windows } = manifest;
      for (const one of windows) expect(windows.filter((other) => other !== one && overlaps(one, other))).toEqual([]);
      expect(new Set(windows.map(({ id }) => id)).size).toBe(windows.length);
    }),
  );
});

test('spans: a union and what is left add up', () => {
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

test('of many that change it at once each change is in it', async () => {
  const folder = freshFolder();
  const all = Array.from({ length: 60 }, (_, index) => windowOf(index, index + 1));
  const writers = Array.from({ length: 6 }, () => createVersions(join(folder, 'manifest'), join(folder, 'tmp')));
  await writers[0]?.commit(async () => emptyManifest());
  await Promise.all(
    all.map(async (window, index) =>
      writers[index % 6]?.commit<undefined>(async (manifest) => {
        if (manifest === undefined || manifest.windows.some(({ id }) => id === window.id)) return undefined;
        return { ...manifest, version: manifest.version + 1, windows: [...manifest.windows, window] };
      }),
    ),
  );
  const manifest = await createVersions(join(folder, 'manifest'), join(folder, 'tmp')).read();
  expect(new Set(manifest?.windows.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
  expect(manifest?.windows.length).toBe(all.length);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  expect(readdirSync(join(folder, 'manifest')).length).toBeLessThan(30);
});

test('a name that had come and gone is no commit: what was changed under it is done again', async () => {
  const folder = freshFolder();
  const versions = createVersions(join(folder, 'manifest'), join(folder, 'tmp'));
  await versions.commit(async () => emptyManifest());
  const window = windowOf(0, 1);
  let first = true;
  await versions.commit<undefined>(async (manifest) => {
    if (manifest === undefined || manifest.windows.some(({ id }) => id === window.id)) return undefined;
    const next = { ...manifest, version: manifest.version + 1, windows: [...manifest.windows, window] };
    if (!first) return next;
    first = false;
    // While this one slept, others went far ahead, and removed the versions between.
    writeFileSync(join(folder, 'manifest', 'v90.json'), JSON.stringify({ ...manifest, version: 90 }));
    return next;
  });
  expect(await versions.read()).toMatchObject({ version: 91, windows: [window] });
});

test('half a version, as where there are no hard links, is waited for', async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'manifest'));
  const text = JSON.stringify(emptyManifest());
  writeFileSync(join(folder, 'manifest', 'v1.json'), text.slice(0, 20));
  const reading = createVersions(join(folder, 'manifest'), join(folder, 'tmp')).read();
  setTimeout(() => writeFileSync(join(folder, 'manifest', 'v1.json'), text), 60);
  expect(await reading).toMatchObject({ version: 1 });
});

test('the key of hashes is the same for all who make it at once', async () => {
  const folder = freshFolder();
  const lakes = Array.from({ length: 8 }, () => createFolderStorage(folder, Date.now));
  const hashes = await Promise.all(
    lakes.map(async (lake) => {
      const { epoch } = await lake.open();
      return (await lake.viewerHash(epoch))('somebody');
    }),
  );
  expect(new Set(hashes).size).toBe(1);
  expect(hashes[0]).toMatch(/^\d{1,20}$/);
});
