import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { freshHome } from '../../harness/start.ts';
import { moveIntent } from '../support/intents.ts';

const SEEN = { version: 1, updated: 't1' };
const LEFT = { id: 'left', label: sentence`"Left"`, seen: null, before: {}, after: {} };
const SENT = { id: 'sent', label: sentence`"Sent"`, seen: SEEN, before: { name: 'A' }, after: { name: 'B' } };

test.each([
  ['done', { outcome: 'done', seen: { version: 2, updated: 't2' } }, 'applied'],
  ['done, but not as it was asked', { outcome: 'done', differs: [sentence`name`] }, 'partly_applied'],
  ['not done', { outcome: 'not_done', reason: sentence`As it was.` }, 'failed'],
] as const)(
  'a change whose only record is found to be %s has the status of one that ended so, whatever it left alone',
  async (_, now, status) => {
    const journal = createJournal(freshHome());
    const changeId = await journal.newChangeId();
    const writer = await journal.begin({
      ...moveIntent(changeId),
      kind: 'undo_change' as const,
      facts: { undoes: [] },
      items: [SENT, LEFT],
    });
    await writer.sending(SENT.id);
    await writer.record(SENT.id, { outcome: 'unknown', reason: sentence`Lost.` });
    await writer.record(LEFT.id, { outcome: 'not_done', reason: sentence`It is left alone.` });
    await writer.end('partly_applied', {});
    const record = await journal.read(changeId);
    expect(record && (await journal.addFound(record, new Map([[SENT.id, now]]))).status).toBe(status);
  },
);

test.each<readonly [string, string, string]>([
  ['a kind', '"kind":"move_videos"', '"kind":"archive_videos"'],
  ['a form', '"format":1', '"format":2'],
  ['a way of agreeing', '"decided":{"how":"never"}', '"decided":{"how":"voice"}'],
  ['an event', '"type":"range-sending"', '"type":"range-planned"'],
  ['an outcome', '"outcome":"done"', '"outcome":"deferred"'],
  ['a status', '"status":"applied"', '"status":"paused"'],
])('a change with %s that only a newer version knows is told as that, and nothing is done by it', async (_what, here, newer) => {
  const folder = freshHome();
  const before = createJournal(folder);
  const [older, changeId] = [await before.newChangeId(), await before.newChangeId()];
  for (const id of [older, changeId]) {
    const writer = await before.begin(moveIntent(id), ['v1', 'v2']);
    await writer.sendingRange(0, 2, false);
    await writer.recordRange(0, 2, 'done');
    await writer.end('applied', {});
  }
  const file = join(folder, `${changeId}.jsonl`);
  const text = readFileSync(file, 'utf8').replace(here, newer);
  expect(text).toContain(newer);
  writeFileSync(file, text);
  const journal = createJournal(folder);
  const told = {
    ...{ code: 'not_found', facts: { outcome: 'nothing-sent', isNewer: true } },
    message: expect.stringMatching(/was written by a newer version of this program, so nothing is done by it here\.$/),
  };
  await expect(journal.read(changeId)).rejects.toMatchObject(told);
  await expect(journal.resume(changeId)).rejects.toMatchObject(told);
  expect((await journal.list(9)).map(({ intent }) => intent.changeId)).toEqual([older]);
  expect([journal.newer(), journal.has(changeId), await journal.unreadableBulk(), await journal.count()]).toEqual([
    [changeId],
    true,
    [changeId],
    2,
  ]);
  await expect(journal.begin(moveIntent(changeId), ['v3'])).rejects.toMatchObject({ code: 'journal_failed' });
  expect([readFileSync(file, 'utf8'), await journal.readIds(changeId)]).toEqual([text, ['v1', 'v2']]);
});
