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
