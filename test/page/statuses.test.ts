/** What became of a change, in a sentence. */
import { expect, test } from 'vitest';
import { nextOf } from '../../src/page/views/change/next.ts';
import { reasonsOf, whyOf } from '../../src/page/views/change/reasons.ts';
import { undoWords } from '../../src/page/views/change/undo-words.ts';
import { outcomeOf, statusRow } from '../../src/page/views/parts/statuses.ts';
import { sentence } from '../../src/text/sentence.ts';
import { waitingChange } from './support/fixtures.ts';

const bulk = (failedCount: number) => ({
  ...{ total: 19, facts: [], done: 19 - failedCount, failedCount, unknownCount: 0, failed: [], unknown: [], notSent: 0, ids: [] },
});

test.each([
  ['all of several failed', { status: 'failed', bulk: bulk(19) }, 'It failed: none of 19 could be done.'],
  ['a single one failed', { status: 'failed', records: [] }, 'It failed. Nothing was changed.'],
  [
    'nothing is known of a part of what did not succeed',
    {
      status: 'failed',
      counts: { what: 'video', total: 19, done: 0, unknown: 7 },
      bulk: { ...bulk(0), done: 0, unknownCount: 7, notSent: 12 },
    },
    'Of 7 it is not known whether they were done; the other 12 were not.',
  ],
  [
    'it is as it was before',
    {
      status: 'partly_applied',
      records: [{ id: 'c1', name: 'Spring', fields: [], lists: [], outcome: 'unknown', isAsBefore: true }],
    },
    'It was probably not done.',
  ],
  ['a person stopped it', { status: 'partly_applied', outcome: 'You stopped it.' }, 'You stopped it. 0 of 3 were done; 3 were not.'],
  ['a part failed', { status: 'partly_applied', bulk: bulk(5) }, '14 of 19 were done; 5 were not.'],
  [
    'it is not known of a part, which is not told as not done',
    { status: 'partly_applied', bulk: { ...bulk(0), done: 12, unknownCount: 7 } },
    'Of 7 it is not known whether they were done; 12 of 19 were.',
  ],
  [
    'a person stopped it before its only record',
    {
      status: 'partly_applied',
      outcome: 'You stopped it.',
      records: [{ id: 'c1', name: 'Spring', fields: [], lists: [], outcome: 'not_done' }],
    },
    'You stopped it. It was not done.',
  ],
  [
    'it is not known of one of several',
    { status: 'partly_applied', bulk: { ...bulk(1), done: 17, unknownCount: 1 } },
    'Of 1 it is not known whether it was done; 17 of 19 were, and 1 was not.',
  ],
  [
    'nothing is known',
    { status: 'partly_applied', bulk: { ...bulk(19), failedCount: 0, unknownCount: 19 } },
    'Of all 19 it is not known whether they were done.',
  ],
  [
    'one of several records failed',
    {
      status: 'partly_applied',
      records: (['done', 'failed'] as const).map((outcome, at) => ({ id: `c${at}`, name: 'Spring', fields: [], lists: [], outcome })),
    },
    '1 of 2 was done; 1 was not.',
  ],
  ['it waited', { status: 'expired', outcome: 'It expired.' }, 'It expired.'],
] as const)('where %s', (_what, change, words) => expect(outcomeOf(waitingChange(change))).toBe(words));

const inDoubt = { ...bulk(0), done: 12, unknownCount: 7 };
const [rest, again, anew] = [
  '“Carry on” sends the rest.',
  '“Try again” sends what failed once more.',
  'If it is still wanted, ask your assistant for it again.',
];
test.each([
  ['all was done', { status: 'applied' }, []],
  ['it waits', { status: 'waiting' }, []],
  ['it was stopped, and can be carried on', { status: 'stopped', canResume: true }, [rest]],
  ['it was interrupted, and can be carried on', { status: 'interrupted', canResume: true }, [rest]],
  ['a part failed, and can be tried again', { status: 'partly_applied', canRetry: true }, [again]],
  ['all failed for good', { status: 'failed' }, [anew]],
  ['all failed, and the reason says what to do', { status: 'failed', canRetry: true, steps: ['Ask an admin.'] }, ['Ask an admin.']],
  [
    'a part of a move is in doubt',
    { status: 'partly_applied', canResume: true, bulk: inDoubt },
    ['“Carry on” sends again what is not known, which does no harm.'],
  ],
  [
    'a part of a copy is in doubt, which would be there twice',
    { status: 'stopped', canResume: true, bulk: { ...inDoubt, source: 'v1' } },
    ['“Carry on” sends the rest, not what is in doubt.'],
  ],
  [
    'a channel is in doubt',
    { status: 'stopped', canResume: true, records: [{ id: 'c1', name: 'Spring', fields: [], lists: [], outcome: 'unknown' }] },
    ['“Carry on” looks first whether it was done, or changed by somebody else, and shows you what would be sent again.'],
  ],
  [
    'nobody knows, and to ask for it again may do it twice',
    { status: 'partly_applied', records: [{ id: 'p1', name: 'New', fields: [], lists: [], outcome: 'unknown' }] },
    ['See in the dashboard whether it was done, before you ask for it again: it could be there twice.'],
  ],
  ['what was left is undone', { status: 'stopped', canResume: true, undoneBy: 'ch_undo' }, []],
] as const)('what can be done now, where %s', (_what, change, words) => expect(nextOf(waitingChange(change), true)).toEqual(words));

test('nobody is sent to a button that they don’t see', () => {
  for (const can of ['canResume', 'canRetry'] as const)
    expect(nextOf(waitingChange({ status: 'stopped', [can]: true }), false).join()).toMatch(/^Your assistant can /);
});

const running = (sent: number, more = {}) =>
  waitingChange({ status: 'running', progress: { done: 1_000, total: 6_000, ofMany: { sent, failed: 0, unknown: 0 } }, ...more });

test('one that is stopping says what that still keeps back, or that it came too late', () => {
  expect(outcomeOf(running(3_000, { isStopping: true }))).toBe(
    'It is stopping. 3,000 were sent and can’t be stopped any more; the other 2,000 will not be sent.',
  );
  expect(outcomeOf(running(5_000, { isStopping: true }))).toBe(
    'Stop came too late: all 5,000 that were left are sent, and can’t be stopped any more.',
  );
});

test('what is in doubt of many is told by its first titles', () => {
  const reason = sentence`The connection broke.`;
  const unknown = ['a', 'b', 'c'].map((id) => ({ id, reason }));
  const change = { status: 'partly_applied', bulk: { ...inDoubt, unknown, unknownCount: 3 } } as const;
  expect(whyOf(waitingChange({ ...change, titles: { a: 'The tour', b: 'Captions' } }))).toEqual([
    '“The tour”, “Captions” and 1 more: The connection broke.',
  ]);
  expect(whyOf(waitingChange({ ...change, titles: {} }))).toEqual(['3: The connection broke.']);
});

test.each([
  ['what the only record is called now comes before what this change called it', { nowName: 'Carla’s' }, 'Carla’s'],
  ['where that is not known', {}, 'Winter 2026'],
])('of what was changed since, %s', (_what, now, name) => {
  const record = (id: string, more = {}) => ({ id, name: id, fields: [], lists: [], outcome: 'done' as const, ...more });
  const records = [record('Spring'), record('Autumn', { newName: 'Winter 2026', since: 'changed', ...now })];
  const told = undoWords(waitingChange({ status: 'applied', undo: { possible: 'partly', how: 'Each is set back.' }, records }));
  expect(told).toBe(`“Spring” can be undone, but not “${name}”, which was changed since.`);
});

test.each([
  ['what the service says', { undo: { possible: 'no', how: 'A copy stays.' } }, 'A copy stays.'],
  [
    'whose word it rests on',
    { undo: { possible: 'yes', how: 'They go back.', words: 'This can be undone: the videos go back to "A"; nobody checked that.' } },
    'This can be undone: the videos go back to "A"; nobody checked that.',
  ],
  [
    'that others changed it',
    {
      undo: { possible: 'no', how: '"Spring" was changed since.' },
      records: [{ id: 'c1', name: 'Spring', fields: [], lists: [], since: 'changed' }],
    },
    'This can’t be undone any more. "Spring" was changed since.',
  ],
  [
    'what of a single record is set back, and that no undo has what its list lacks',
    {
      undo: { possible: 'partly', how: '' },
      records: [
        {
          id: 'c1',
          name: 'Spring',
          lists: [],
          stated: [{ field: 'videoKeys', what: sentence`video`, keys: ['a'], isChanged: false }],
          fields: [
            { name: 'Name', before: 'Spring', after: 'Summer' },
            { name: 'Videos', before: '1, as listed', after: '1, as listed' },
          ],
        },
      ],
    },
    'Part of this can be undone: the name. A video missing from the assistant’s list can’t be put back.',
  ],
  [
    'that it puts back what is removed',
    {
      undo: { possible: 'yes', how: '' },
      records: [
        {
          id: 'c1',
          name: 'Spring',
          fields: [],
          lists: [{ field: 'videoKeys', what: sentence`video`, before: ['a', 'b', 'c'], after: ['a'] }],
        },
      ],
    },
    'This can be undone, which puts the 2 videos back, until somebody else changes the channel.',
  ],
  ['nothing else', { undo: { possible: 'partly', how: '' } }, 'Part of this can be undone.'],
] as const)('one sentence tells whether it can be undone, with %s', (_what, change, words) =>
  expect(undoWords(waitingChange({ records: [], ...change }))).toBe(words),
);

test.each([
  ['what was stopped is told as that, whatever came of it', { status: 'partly_applied', wasStopped: true }, 'Stopped'],
  [
    'nothing is known of what was sent',
    { status: 'partly_applied', counts: { what: 'video', total: 40, done: 0, failed: 0, unknown: 40, notSent: 0 } },
    'In doubt',
  ],
  [
    'some of it is known',
    { status: 'partly_applied', counts: { what: 'video', total: 40, done: 1, failed: 0, unknown: 39, notSent: 0 } },
    'Partly done',
  ],
  ['a part was undone', { status: 'applied', partlyUndoneBy: 'ch_undo' }, 'Partly undone'],
  ['all was undone', { status: 'applied', undoneBy: 'ch_undo' }, 'Undone'],
] as const)('the label, where %s', (_what, change, words) => expect(statusRow(change).words).toBe(words));

test('of what was undone in part, it is never said that everything was applied', () => {
  const change = (status: 'applied' | 'partly_applied') => waitingChange({ status, partlyUndoneBy: 'ch_undo', notices: [] });
  expect(outcomeOf(change('applied'))).toBe('It was applied, and part of it was undone later.');
  expect(outcomeOf(change('partly_applied'))).toBe('0 of 3 were done; 3 were not. Part of it was undone later.');
});

test('a reason that holds for all is told without their number', () => {
  const reason = sentence`The connection broke.`;
  const unknown = [
    { id: 'a', reason },
    { id: 'b', reason },
  ];
  const of = (total: number) => ({ ...bulk(0), total, unknown, unknownCount: 2 });
  expect(whyOf(waitingChange({ status: 'partly_applied', bulk: of(2) }))).toEqual(['The connection broke.']);
  expect(whyOf(waitingChange({ status: 'partly_applied', bulk: of(19) }))).toEqual(['2: The connection broke.']);
});

test('those with the same reason are together, the most first', () => {
  const [one, two] = [
    { id: 'a', reason: 'Busy.' },
    { id: 'b', reason: 'Gone.' },
  ];
  expect(reasonsOf<{ id: string; reason?: string }>([one, two, { id: 'c', reason: 'Gone.' }, { id: 'd' }])).toEqual([
    { reason: 'Gone.', of: [two, { id: 'c', reason: 'Gone.' }] },
    { reason: 'Busy.', of: [one] },
  ]);
});
