/** The one line that a client shows its user when it asks whether `confirm_change` may be called. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import type { PlannedItem, ShownPlan } from '../../../src/changes/plan/plan.ts';
import { recordDifferences } from '../../../src/changes/plan/record-difference.ts';
import { confirmSummary, isSameSummary } from '../../../src/changes/tell/summary.ts';
import { titleOf } from '../../../src/changes/tell/title.ts';
import { asSentence, type Sentence, sentence } from '../../../src/text/sentence.ts';

const SEEN = { version: 1, updated: null };
const keys = (count: number): string[] => Array.from({ length: count }, (_, at) => `key${at}`);

function planOf(summary: string, items: readonly Partial<PlannedItem>[], notices: readonly Notice[] = []): ShownPlan {
  const all = items.map((item, at) => ({ id: `${at}`, label: sentence`\"${at}\"`, seen: SEEN, before: {}, after: {}, ...item }));
  const plan = { kind: 'update_channels', facts: {}, items: all } as const;
  const records = recordDifferences(all, plan.facts);
  return {
    ...plan,
    preview: {
      summary: asSentence(summary),
      notices,
      records,
      onFailure: sentence``,
      undo: { possible: 'no', how: sentence`` },
    },
  };
}

const loses = (label: Sentence, count: number): Notice => ({
  kind: 'loses',
  label,
  what: sentence`video`,
  count,
  held: 9,
  which: sentence``,
});

const unlisted = (count: number): Notice => ({
  ...{ kind: 'views_missing', label: sentence`"A"`, id: 'a', lost: 0, keys: sentence``, since: '2025-11-29', agreed: 0 },
  ...{ missingKeys: keys(count), unseen: 0, unseenKeys: sentence`` },
});

test.each([
  [
    'names what changes of all channels, and of how many where that are not all',
    planOf('Change 2 channels', [
      { label: sentence`"A"`, before: { name: 'A', videoKeys: keys(5) }, after: { name: 'B', videoKeys: keys(4) } },
      {
        label: sentence`"C"`,
        before: { description: '', videoKeys: keys(2) },
        after: { description: 'x', videoKeys: keys(2).toReversed() },
      },
    ]),
    'Change 2 channels (name of 1, videos, description of 1)',
  ],
  [
    'says what is lost, and what can’t be undone',
    planOf('Change 1 channel', [{ label: sentence`"A"` }], [{ kind: 'no_undo' }, loses(sentence`"A"`, 3)]),
    'Change 1 channel; loses 3 videos; no undo',
  ],
  [
    'begins with what weighs most',
    planOf('Change 1 channel', [{}], [loses(sentence`"A"`, 3), unlisted(122), { kind: 'ends_empty', label: sentence`"A"` }]),
    'Change 1 channel; empties 1; 122 seen in views not listed; loses 3 videos',
  ],
  [
    'leads with what is emptied also where all that speaks against it has no room',
    planOf(
      'Change 12 channels',
      Array.from({ length: 12 }, () => ({})),
      [
        { kind: 'no_undo' },
        unlisted(122),
        loses(sentence`"A"`, 10_000),
        { kind: 'restated', label: sentence`"C"`, what: sentence`video`, count: 40, which: sentence`` },
        { kind: 'ends_empty', label: sentence`"A"` },
        { kind: 'ends_empty', label: sentence`"B"` },
      ],
    ),
    'Change 12 channels; empties 2; in doubt; loses 10,000 videos; no undo',
  ],
  [
    'says that lists are sent as they are stated',
    planOf('Change 1 channel', [
      { before: { name: 'A', videoKeys: ['k'] }, after: { name: 'B', videoKeys: ['k'] }, states: ['videoKeys'] as const },
    ]),
    'Change 1 channel (name); lists as stated',
  ],
  [
    'leaves out what changes where it has no room, and nothing of what is lost',
    planOf(
      'Change 100 channels',
      Array.from({ length: 100 }, () => ({
        before: { name: 'A', description: 'a', videoKeys: keys(2) },
        after: { name: 'B', description: 'b', videoKeys: keys(1) },
      })),
      [loses(sentence`"A"`, 10_000), { kind: 'contents_unknown', labels: [sentence`"B"`, sentence`"C"`] }, { kind: 'no_undo' }],
    ),
    'Change 100 channels; loses 10,000 videos; perhaps all of 2; no undo',
  ],
])('%s', (_what, plan, summary) => {
  expect(confirmSummary(plan)).toBe(summary);
});

test.each([
  ['Archive', 'Move 3 videos into Archive; no undo'],
  // It would have to be quoted.
  ['Old “films” 2024', 'Move 3 videos; no undo'],
])('a project is named where its name is one word (%s)', (name, expected) => {
  const target = { id: 'p1', label: sentence`"x"`, name, count: 3 };
  const { preview } = planOf('Move 3 videos', [], [{ kind: 'no_undo' }]);
  const move = { digest: '', targetProjects: [target], fromProjects: [] };
  expect(confirmSummary({ kind: 'move_videos', facts: { move }, ids: keys(3), total: 3, preview })).toBe(expected);
});

test('has at most 80 characters and no quotation mark, whatever names there are and whatever is lost', () => {
  for (let length = 1; length < 200; length += 7)
    for (const count of [1, 3, 40]) {
      const items = Array.from({ length: count }, (_, at) => ({
        label: asSentence(JSON.stringify(`${at} ${'"long" '.repeat(length)}`.trim())),
        before: { name: 'x', description: 'a', videoKeys: keys(3) },
        after: { name: '名'.repeat(length), ...(at === 0 ? { description: 'b' } : { videoKeys: keys(2) }) },
      }));
      const lost: Notice[] = [loses(sentence`"A"`, 10 ** (length % 8)), { kind: 'contents_unknown', labels: [sentence`"B"`] }];
      const text = confirmSummary(planOf(`Change ${count} channels`, items, [...lost, unlisted(length), { kind: 'no_undo' }]));
      expect(text.length, text).toBeLessThanOrEqual(80);
      expect(text).toMatch(/^Change .*; loses [\d,]+ videos?; perhaps all of 1; no undo$/);
      expect(text).not.toMatch(/["'“”‘’]/);
    }
});

test('a title names what changes of each record, also what no channel has', () => {
  const item = (label: Sentence, before: PlannedItem['before'], after: PlannedItem['after']) => ({ label, seen: SEEN, before, after });
  const items = [
    item(sentence`"A"`, { name: 'A', region: 'a' }, { name: 'B', region: 'b' }),
    item(sentence`"C"`, { videoKeys: [] }, { videoKeys: ['k'] }),
  ];
  expect(titleOf(sentence`Change 2 records`, items)).toBe('Change 2 records: "A" (name, region), "C" (videos)');
});

test('a title that can’t name all of them names those that end up empty, then those that lose most', () => {
  const lists = [keys(2), [], keys(1), keys(2), [], keys(0).concat('new')];
  const items = lists.map((videoKeys, at) => ({
    ...{ label: asSentence(`"${at}"`), seen: SEEN },
    ...{ before: { videoKeys: at === 4 ? keys(1) : keys(3) }, after: { videoKeys } },
  }));
  expect(titleOf(sentence`Change 6 channels`, items)).toBe('Change 6 channels: "1" (videos), "4" (videos), "5" (videos) and 3 more');
  expect(titleOf(sentence`Change 3 channels`, items.slice(0, 3))).toBe('Change 3 channels: "0" (videos), "1" (videos), "2" (videos)');
});

test('of channels that a title can’t all name, one whose contents are not known comes before those that are known to lose few', () => {
  const items = [keys(2), keys(2), keys(2), undefined].map((held, at) => ({
    ...{ label: asSentence(`"${at}"`), seen: SEEN },
    ...{ before: held === undefined ? {} : { videoKeys: held }, after: { videoKeys: keys(1) } },
  }));
  expect(titleOf(sentence`Change 4 channels`, items)).toBe('Change 4 channels: "3" (videos), "0" (videos), "1" (videos) and 1 more');
});

test('is the same in whatever white space and quotation marks, and in nothing else', () => {
  const summary = 'Move 12 videos into Archive; no undo';
  for (const same of [
    "  Move 12\n videos into 'Archive'; no undo ",
    '“Move 12 videos into Archive; no undo”',
    'Move 12 videos into «Archive»; no undo',
  ])
    expect(isSameSummary(same, summary), same).toBe(true);
  for (const other of ['', 'Move 12 videos into Archive', summary.replace('12', '13'), summary.replace('A', 'a'), `${summary} And more.`])
    expect(isSameSummary(other, summary), other).toBe(false);
});

test('is another one where its end is pushed out of sight, or white space parts a number or joins words', () => {
  const summary = 'Change 1 channel (videos); loses 11 videos';
  for (const other of [
    summary.replace(' loses', `${'\n'.repeat(100)} loses`),
    summary.padStart(160),
    summary.replace('11', '1 1'),
    summary.replace('1 channel', '1channel'),
  ])
    expect(isSameSummary(other, summary), other).toBe(false);
});
