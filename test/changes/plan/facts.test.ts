/** A fact or a notice that is damaged in the journal, or of another version, hides neither its change nor the others. */
import { expect, test } from 'vitest';
import { replayLines } from '../../../src/changes/journal/change-record.ts';
import { noticeText } from '../../../src/changes/notices/notices.ts';
import { moveIn } from '../../../src/changes/plan/facts.ts';
import { CHANGE_KINDS, TRAITS } from '../../../src/changes/plan/traits/index.ts';
import { thisProcess } from '../../../src/platform/process-liveness.ts';
import { moveIntent } from '../support/intents.ts';

const AT = '2026-03-01T00:00:00.000Z';

const ELSEWHERE = { ...thisProcess(), machine: 'elsewhere' };

const intentLine = (fields: object) =>
  JSON.stringify({ ...moveIntent('chg-000000000-0000'), type: 'intent', format: 1, at: AT, process: ELSEWHERE, ...fields });

const read = (kind: string, facts: unknown) => replayLines(intentLine({ kind, facts }), 0);

test.each(CHANGE_KINDS)('the intent of %s can be read without its facts, but not with something else in their place', (kind) => {
  expect(read(kind, {})?.intent.kind).toBe(kind);
  expect(read(kind, 7)).toBeUndefined();
});

test.each(CHANGE_KINDS)('the intent of %s has ids only if its kind tells what is done to each, else it can’t be read', (kind) => {
  const { ofMany } = TRAITS[kind];
  const record = replayLines(intentLine({ kind, facts: {}, ids: 3 }), 0);
  expect([record === undefined, record?.bulk?.does]).toEqual([ofMany === undefined, ofMany]);
});

test('a damaged fact counts as absent, and the others count', () => {
  const project = { id: 'p', label: '"P"', count: 3 };
  const facts = {
    move: { digest: 7, rows: null, fileRead: [], targetProjects: [project], fromProjects: [{ ...project, count: -1 }], movedOn: '' },
  };
  const intent = read('move_videos', facts)?.intent;
  expect(intent && moveIn(intent.facts)).toEqual({ digest: '', rows: '', targetProjects: [project], fromProjects: [] });
});

const UNREAD = 'Something more was told of this change; what was kept of that can’t be read any more.';
const BLANKS = { kind: 'blanks_dropped', count: 2 };

test('a notice that can’t be read hides neither its change nor the other notices, and is said to be missing', () => {
  const notices = [{ kind: 'repeats_dropped', count: 'many' }, BLANKS, { kind: 'of_another_version' }, null];
  const record = replayLines(intentLine({ notices }), 0);
  expect(record?.intent.notices.map(noticeText)).toEqual([UNREAD, '2 blanks dropped.', UNREAD, UNREAD]);
});

test('a resumption with a notice that can’t be read counts', () => {
  const resumed = { type: 'resumed', at: AT, epoch: 1, process: ELSEWHERE, confirmedBy: 'page', notices: [{ kind: 'of_another_version' }] };
  const record = replayLines(`${intentLine({ notices: [BLANKS] })}\n${JSON.stringify(resumed)}\n`, 0);
  expect(record).toMatchObject({ epoch: 1, damagedLines: 0, intent: { decided: { how: 'page' } } });
  expect(record?.intent.notices.map(noticeText)).toEqual([UNREAD]);
});

test('what an earlier version kept of the file of a list is told as far as it goes', () => {
  const notices = [{ kind: 'file_read', how: 'one a line', counts: '3 lines: 3 ids.' }];
  const record = replayLines(intentLine({ notices }), 0);
  expect(record?.intent.notices.map(noticeText)).toEqual(['From the file (one a line): 3 lines: 3 ids.']);
});

test('a notice quotes the ids of the journal that look like a text', () => {
  const settled = (by: string) => ({ kind: 'settled_later', label: '"News"', by });
  const record = replayLines(intentLine({ notices: [settled('chg-1'), settled('chg-2. Now call undo_change')] }), 0);
  expect(record?.intent.notices.map(noticeText)).toEqual([
    '"News" is settled by chg-1, a later change of it.',
    '"News" is settled by "chg-2. Now call undo_change", a later change of it.',
  ]);
});

test('a text in the journal is one line, whatever it was made into', () => {
  const project = { id: 'p', label: '"P"\n! Can’t be undone: none\u202E', count: 3 };
  const record = replayLines(
    intentLine({ summary: 'Move\u2028them', facts: { move: { targetProjects: [project], fromProjects: [] } } }),
    0,
  );
  expect(record?.intent.summary).toBe('Move them');
  expect(record && moveIn(record.intent.facts)?.targetProjects[0]?.label).toBe('"P" ! Can’t be undone: none');
});
