import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listDifference } from '../../../src/changes/plan/list-difference.ts';

const someKeys = fc.array(fc.constantFrom(...'abcdefgh', 'constructor', '__proto__'), { maxLength: 12 });

test('the difference has each position before and after once, and unmoved entries keep their order', () => {
  fc.assert(
    fc.property(someKeys, someKeys, (before, after) => {
      const { leaving, after: entries, removed, added, moved } = listDifference(before, after);
      const positions = [...leaving, ...entries].flatMap(({ from }) => (from === undefined ? [] : [from]));
      expect(positions.toSorted((a, b) => a - b)).toEqual(before.map((_, index) => index + 1));
      expect(entries.map(({ key, to }) => [key, to])).toEqual(after.map((key, index) => [key, index + 1]));
      for (const { key, from } of [...leaving, ...entries]) if (from !== undefined) expect(before[from - 1]).toBe(key);
      const staying = entries.flatMap(({ kind, from }) => (kind === 'stays' ? [from ?? 0] : []));
      expect(staying).toEqual(staying.toSorted((a, b) => a - b));
      expect([removed, added, moved]).toEqual(
        ['leaves', 'arrives', 'moves'].map((kind) => [...leaving, ...entries].filter((entry) => entry.kind === kind).map(({ key }) => key)),
      );
    }),
  );
});

test('no key counts as moved that could stay', () => {
  const lists = fc
    .uniqueArray(fc.nat(30).map(String), { maxLength: 12 })
    .chain((before) => fc.tuple(fc.constant(before), fc.shuffledSubarray(before, { minLength: before.length })));
  fc.assert(
    fc.property(lists, ([before, after]) => {
      const moved = new Set(listDifference(before, after).moved);
      const without = (list: readonly string[], keys: ReadonlySet<string>) => list.filter((key) => !keys.has(key));
      expect(without(before, moved)).toEqual(without(after, moved));
      for (const key of moved) {
        const fewer = new Set([...moved].filter((one) => one !== key));
        expect(without(before, fewer)).not.toEqual(without(after, fewer));
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['an entry to the front', 'abcd', 'dabc', { removed: [], added: [], moved: ['d'], isToFront: true }],
  ['an entry elsewhere', 'abcd', 'bcad', { removed: [], added: [], moved: ['a'], isToFront: false }],
  ['a key that is twice in the list, and then once', 'aba', 'ab', { removed: ['a'], added: [], moved: [] }],
  ['a key that is then twice in the list', 'ab', 'aba', { removed: [], added: ['a'], moved: [] }],
])('the difference of %s', (_what, before, after, wanted) => {
  expect(listDifference([...before], [...after])).toMatchObject(wanted);
});
