/** What takes long of the only thread, for one of several people: in pieces, between which everybody else is answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { entriesIn, longPiece } from '../../src/platform/long-work.ts';
import { sortTexts } from '../../src/platform/sort-texts.ts';
import { asWorkOf } from '../../src/platform/whose-work.ts';

const MANY = 100_000;

/** Keeps the thread, as a long list does. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Pieces of somebody’s work, each of which is noted when it is done. */
const pieces = (who: string, count: number, done: string[]) =>
  asWorkOf(who, () =>
    Promise.all(
      Array.from({ length: count }, async () => {
        await longPiece(MANY);
        busy(10);
        done.push(who);
      }),
    ),
  );

test('one long piece is done at a time, and each person comes in turn, however much another one has asked for', async () => {
  const done: string[] = [];
  await Promise.all([pieces('bob', 6, done), pieces('ann', 2, done)]);
  expect(done).toEqual(['bob', 'ann', 'bob', 'ann', 'bob', 'bob', 'bob', 'bob']);
});

test('what is short is done between any two of them', async () => {
  const done: string[] = [];
  let isOver = false;
  const flood = pieces('bob', 5, done).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await sleep(1);
    done.push('short');
  }
  await flood;
  expect(done.join(' ')).not.toContain('bob bob');
});

test('what is nobody’s in particular, or short, waits for nothing', async () => {
  const done: string[] = [];
  const flood = pieces('bob', 3, done);
  await longPiece(MANY);
  await asWorkOf('ann', () => longPiece(10));
  expect(done.length).toBeLessThan(3);
  await flood;
});

test('what was given up while it waited is not done, and holds nobody up', async () => {
  const done: string[] = [];
  const given = new AbortController();
  const flood = pieces('bob', 2, done);
  const waiting = asWorkOf('ann', () => longPiece(MANY, given.signal));
  given.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await flood;
  expect(done).toEqual(['bob', 'bob']);
});

test.each([0, 1, 19_999, 50_001])('%i texts are sorted as the language sorts them', async (count) => {
  const texts = Array.from({ length: count }, (_, index) => `${(index * 7_919) % 10_007}-\u{1F600}ä${index % 3}`);
  const sorted = await asWorkOf('bob', () => sortTexts(texts));
  expect(sorted).toEqual(texts.toSorted());
});

test('what is in lists within lists counts, and a long text as the list that it may be', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
  expect(entriesIn({ changes: [{ channel: 'Spring', setVideoKeys: keys }, { channel: 'Autumn' }] })).toBe(10_002);
  expect(entriesIn({ text: keys.join('\n') })).toBeGreaterThan(3_000);
  expect(entriesIn([undefined, null, 1, ''])).toBe(4);
});
