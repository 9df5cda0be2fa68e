/** What one process added up need not be read again by the next; and what is noted for that decides nothing by itself. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { createUsage } from '../../../src/changes/standing/usage.ts';
import { freshHome } from '../../harness/start.ts';
import { moveIntent } from '../support/intents.ts';

const RULE = { approval: 'a', rule: 'r' };
const standing = { agent: 'nightly', file: '0', rules: [{ ...RULE, kind: 'move_videos', number: 3, today: { used: 3, limit: 99 } }] };

/** Three moves of three videos each, of which the last one is interrupted. */
async function threeMoves() {
  const folder = freshHome();
  const journal = createJournal(folder);
  const ids: string[] = [];
  for (const ends of [true, true, false]) {
    const changeId = await journal.newChangeId();
    const writer = await journal.begin({ ...moveIntent(changeId), standing }, ['x', 'y', 'z']);
    if (ends) {
      await writer.sendingRange(0, 3, true);
      await writer.recordRange(0, 3, 'done');
      await writer.end('applied', {});
    }
    ids.push(changeId);
  }
  return { folder, ids };
}

/** By a process that has read nothing yet, and the files that it read. */
async function usedBy(folder: string) {
  const [journal, read] = [createJournal(folder), [] as string[]];
  const readOne = (changeId: string) => {
    read.push(changeId);
    return journal.read(changeId);
  };
  const usedOf = await createUsage({ ...journal, read: readOne })('all', 'UTC', new Date());
  return { used: usedOf(RULE).total, read: read.toSorted() };
}

test('what has ended is read by one process alone; what is open by each', async () => {
  const { folder, ids } = await threeMoves();
  expect(await usedBy(folder)).toEqual({ used: 9, read: ids });
  expect(await usedBy(folder)).toEqual({ used: 9, read: ids.slice(2) });
});

test('a change that is carried on is read again, and gives back what it did not do', async () => {
  const { folder, ids } = await threeMoves();
  await usedBy(folder);
  const resumed = await createJournal(folder).resume(ids[0] ?? '');
  await resumed?.writer.sendingRange(0, 3, true);
  await resumed?.writer.recordRange(0, 3, 'failed');
  await resumed?.writer.end('failed', {});
  expect(await usedBy(folder)).toEqual({ used: 6, read: [ids[0], ids[2]] });
});

test.each([
  ['cut off', (text: string) => text.slice(0, -20)],
  ['not JSON', (text: string) => text.replaceAll('{', '<')],
  ['of less than nothing', (text: string) => text.replaceAll(':3', ':-3')],
  ['of changes that no approval covered', (text: string) => text.replaceAll('chg-', 'chg-0')],
])('notes that are %s change no count', async (_how, damage) => {
  const { folder, ids } = await threeMoves();
  await usedBy(folder);
  const notes = join(folder, 'standing-uses.jsonl');
  writeFileSync(notes, damage(readFileSync(notes, 'utf8')));
  expect(await usedBy(folder)).toMatchObject({ used: 9 });
  // And what is noted next counts, after what was cut off too.
  expect(await usedBy(folder)).toEqual({ used: 9, read: ids.slice(2) });
  appendFileSync(notes, '{"changeId"');
  expect(await usedBy(folder)).toEqual({ used: 9, read: ids.slice(2) });
});
