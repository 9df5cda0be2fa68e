/** What one process added up need not be read again by the next; and what is noted for that decides nothing by itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createJournal, type Journal } from '../../../src/changes/journal/journal.ts';
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
  for (const ends of [true, true, false]) ids.push(await aMove(journal, ends));
  return { folder, ids };
}

async function aMove(journal: Journal, ends: boolean): Promise<string> {
  const changeId = await journal.newChangeId();
  const writer = await journal.begin({ ...moveIntent(changeId), standing }, ['x', 'y', 'z']);
  if (ends) {
    await writer.sendingRange(0, 3, true);
    await writer.recordRange(0, 3, 'done');
    await writer.end('applied', {});
  }
  return changeId;
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
  expect(await usedBy(folder)).toEqual({ used: 6, read: ids });
  expect(await usedBy(folder)).toEqual({ used: 6, read: [ids[0], ids[2]] });
});

test.each([
  ['cut off', (text: string) => text.slice(0, -20)],
  ['not JSON', (text: string) => text.replaceAll('{', '<')],
  ['of less than nothing', (text: string) => text.replaceAll(':6', ':-6')],
  ['of changes that no approval covered', (text: string) => text.replaceAll('chg-', 'chg-0')],
])('notes that are %s change no count', async (_how, damage) => {
  const { folder, ids } = await threeMoves();
  await usedBy(folder);
  const [day] = [...(await createJournal(folder).covered.days(0)).keys()];
  const notes = join(folder, 'standing', `${day}.json`);
  writeFileSync(notes, damage(readFileSync(notes, 'utf8')));
  expect(await usedBy(folder)).toEqual({ used: 9, read: ids });
  expect(await usedBy(folder)).toEqual({ used: 9, read: ids.slice(2) });
});

test('what is noted counts on its day in each time zone, while the day lasts and once it is over', async () => {
  const folder = freshHome();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // In Kathmandu the second one is of the next day.
  for (const at of ['2026-03-01T18:14:59.000Z', '2026-03-01T18:15:00.000Z', '2026-03-01T23:59:00.000Z']) {
    vi.setSystemTime(at);
    await aMove(createJournal(folder), true);
  }
  const usedOn = async (timeZone: string) => {
    const used = (await createUsage(createJournal(folder))('all', timeZone, new Date()))(RULE);
    return [used.today, used.total, used.last];
  };
  const last = '2026-03-01T23:59:00.000Z';
  for (const round of [1, 2]) {
    expect([round, ...(await usedOn('Asia/Kathmandu'))]).toEqual([round, 6, 9, last]);
    expect([round, ...(await usedOn('UTC'))]).toEqual([round, 9, 9, last]);
  }
  vi.setSystemTime('2026-03-03T12:00:00.000Z');
  for (const zone of ['Asia/Kathmandu', 'UTC']) expect(await usedOn(zone)).toEqual([0, 9, last]);
});
