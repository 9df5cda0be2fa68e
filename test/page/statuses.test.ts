/** What became of a change, in a sentence. */
import { expect, test } from 'vitest';
import { reasonsOf, whyOf } from '../../src/page/views/change/reasons.ts';
import { outcomeOf, statusRow } from '../../src/page/views/parts/statuses.ts';
import { sentence } from '../../src/text/sentence.ts';
import { waitingChange } from './support/fixtures.ts';

test.each(['stopped', 'interrupted'] as const)(
  'of one that is %s, it is said that the rest can be carried on only where it can',
  (status) => {
    expect(outcomeOf(waitingChange({ status, canResume: true }))).toMatch(/The rest can be carried on/);
    expect(outcomeOf(waitingChange({ status, canResume: false }))).not.toMatch(/carried on/);
  },
);

const bulk = (failedCount: number) => ({
  ...{ total: 19, facts: [], done: 19 - failedCount, failedCount, unknownCount: 0, failed: [], unknown: [], notSent: 0, ids: [] },
});

test.each([
  ['all of several failed', { status: 'failed', bulk: bulk(19) }, 'It failed: none of 19 could be done.'],
  ['a single one failed', { status: 'failed', records: [] }, 'It failed.'],
  ['a person stopped it', { status: 'partly_applied', outcome: 'You stopped it.' }, 'You stopped it. 0 of 3 were done; 3 were not.'],
  ['a part failed', { status: 'partly_applied', bulk: bulk(5) }, '14 of 19 were done; 5 were not.'],
  [
    'it is not known of a part, which is not told as not done',
    { status: 'partly_applied', bulk: { ...bulk(0), done: 12, unknownCount: 7 } },
    '12 of 19 were done; of 7 it is not known whether they were.',
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
    '17 of 19 were done; 1 was not; of 1 it is not known whether it was.',
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
