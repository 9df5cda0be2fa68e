/** The bytes that are made of a list of ids when a change is planned: they say what the list says, in whole batches and in parts. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOfIds, digestOfPlanned, piecesOf } from '../../src/changes/bulk/id-lines.ts';
import { createMoveBodies } from '../../src/changes/bulk/move-batch.ts';
import type { ProjectId } from '../../src/service/ids.ts';

const wellFormed = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const list = fc.tuple(fc.array(wellFormed, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 5_000 })).map(([some, length]) =>
  // Different ids, some with quotes, backslashes and signs outside ASCII.
  Array.from({ length }, (_, at) => `${some[at % some.length]}${at}`),
);

test('the body that moves any stretch has its ids, and no others', () => {
  fc.assert(
    fc.property(list, wellFormed, fc.nat(), fc.nat(), (ids, projectId, a, b) => {
      const bodyOf = createMoveBodies(projectId as ProjectId, ids);
      const ends = [a % (ids.length + 1), b % (ids.length + 1)].sort((x, y) => x - y);
      const batch = Math.floor((ends[0] ?? 0) / 1_000) * 1_000;
      for (const [from = 0, to = 0] of [ends, [batch, Math.min(batch + 1_000, ids.length)], [0, 1_000]])
        expect(JSON.parse(bodyOf({ from, to }).toString())).toEqual({ projectId, videoIds: ids.slice(from, to) });
    }),
    { numRuns: 50 },
  );
});

test('what was made ready for a list is there when it is planned again, and no other project gets it', () => {
  const ids = Array.from({ length: 1_500 }, (_, at) => `v${at}`);
  const range = { from: 1_000, to: 1_500 };
  const bodyTo = (project: string, list: readonly string[]) => createMoveBodies(project as ProjectId, list)(range);
  const first = bodyTo('p', ids);
  expect(bodyTo('p', ids)).toBe(first);
  expect(JSON.parse(bodyTo('q', ids).toString()).projectId).toBe('q');
  expect(bodyTo('p', [...ids])).not.toBe(first);
});

test('the file and the digest of a list are the same, planned or not', () => {
  fc.assert(
    fc.property(list, (ids) => {
      const text = ids.join('\n');
      const digest = createHash('sha256').update(`${text}\n`).digest('hex');
      expect(Buffer.concat([...piecesOf(ids)]).toString()).toBe(text);
      expect(digestOfIds(ids)).toBe(digest);
      expect(digestOfPlanned(ids)).toBe(digest);
      expect(Buffer.concat([...piecesOf(ids)]).toString()).toBe(text);
    }),
    { numRuns: 20 },
  );
});
