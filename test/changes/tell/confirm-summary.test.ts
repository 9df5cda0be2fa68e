/** The one line that a client shows its user when it asks whether `confirm_change` may be called. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import type { PlannedItem, ShownPlan } from '../../../src/changes/plan.ts';
import { titleOf } from '../../../src/changes/tell/change-title.ts';
import { confirmSummary, isSameSummary } from '../../../src/changes/tell/confirm-summary.ts';
import { recordViews } from '../../../src/changes/tell/record-view.ts';
import { asSentence, type Sentence, sentence } from '../../../src/text/sentence.ts';

const SEEN = { version: 1, updated: null };
const keys = (count: number): string[] => Array.from({ length: count }, (_, at) => `key${at}`);

function planOf(summary: string, items: readonly Partial<PlannedItem>[], notices: readonly Notice[] = []): ShownPlan {
  const all = items.map((item, at) => ({ id: `${at}`, label: sentence`\"${at}\"`, seen: SEEN, before: {}, after: {}, ...item }));
  const plan = { kind: 'update_channels', facts: {}, items: all } as const;
  const records = recordViews(all, plan.facts);
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

test.each([
  [
    'names what of each channel changes, and the new name',
    planOf('Change 2 channels', [
      { label: sentence`"A"`, before: { name: 'A', videoKeys: keys(5) }, after: { name: 'B', videoKeys: keys(4) } },
      {
        label: sentence`"C"`,
        before: { description: '', videoKeys: keys(2) },
        after: { description: 'x', videoKeys: keys(2).toReversed() },
      },
    ]),
    'Change 2 channels: "A" (name → "B", videos 5 → 4), "C" (description, 2 videos).',
  ],
  [
    'says what is lost, and what can’t be undone',
    planOf('Change 1 channel', [{ label: sentence`"A"` }], [loses(sentence`"A"`, 3), { kind: 'no_undo' }]),
    'Change 1 channel: "A". Loses 3 videos in 1 channel. Can’t be undone.',
  ],
  [
    'names several new records',
    planOf('Create 2 channels', [
      { seen: null, label: sentence`"A"` },
      { seen: null, label: sentence`"B"` },
    ]),
    'Create 2 channels: "A", "B".',
  ],
  [
    'names what changes of more channels than have room, and the new value where it is the same for all',
    planOf(
      'Change 7 channels',
      Array.from({ length: 7 }, (_, at) => ({
        ...{ label: asSentence(`"A channel with a long name, number ${at}"`), states: ['videoKeys'] as const },
        before: { privateLinkEnabled: false, description: '', videoKeys: keys(4) },
        after: { privateLinkEnabled: true, description: `${at}`, videoKeys: keys(4) },
      })),
    ),
    'Change 7 channels (description, private link → on). As stated, 7 channels hold 28 videos; that replaces what is there.',
  ],
  [
    'counts the channels of which a field changes, where that are not all, and leaves out a value without room',
    planOf(
      'Change 8 channels',
      Array.from({ length: 8 }, (_, at) => ({
        label: asSentence(`"A channel with a long name, number ${at}"`),
        after: { description: 'long '.repeat(200), ...(at < 3 ? { videoKeys: keys(at) } : {}) },
      })),
    ),
    'Change 8 channels (description, videos of 3).',
  ],
])('%s', (_what, plan, summary) => {
  expect(confirmSummary(plan)).toBe(summary);
});

test.each([
  [1, 'Change 1 channel: "A" (name → "B"). As stated, it holds 1 video; that replaces what is there.'],
  [40, 'Change 40 channels (name → "B"). As stated, 40 channels hold 40 videos; that replaces what is there.'],
])('says that what is stated of %i channels replaces what they hold, also where a list is equal before and after', (count, expected) => {
  const label = (at: number) => asSentence(count === 1 ? '"A"' : `"${at} ${'long '.repeat(20)}"`);
  const held = { videoKeys: ['k'], projectKeys: [] };
  const items = Array.from({ length: count }, (_, at) => ({
    ...{ label: label(at), before: { name: 'A', ...held }, after: { name: 'B', videoKeys: held.videoKeys } },
    states: ['videoKeys', 'projectKeys'] as const,
  }));
  expect(confirmSummary(planOf(`Change ${count} channel${count === 1 ? '' : 's'}`, items))).toBe(expected);
});

test.each([
  [
    4,
    'Change 4 channels (videos). Loses 10 videos in 2 channels, and whatever 2 channels may hold now (not known). Stated lists replace what 2 channels hold.',
  ],
  [
    100,
    'Change 100 channels (videos). Loses 10,000 videos, and what is not known of 50 channels. Stated lists replace what 50 channels hold. Can’t be undone.',
  ],
])('says what is done to %i channels, what is lost and what is stated, in fewer words where there are many', (count, expected) => {
  const label = (at: number) => sentence`"${at}"`;
  const half = Array.from({ length: count / 2 }, (_, at) => label(at));
  const held = { videoKeys: keys(400), projectKeys: keys(3) };
  const items = Array.from({ length: count }, (_, at) =>
    at < half.length
      ? { label: label(at), before: held, after: { ...held, videoKeys: keys(395) }, states: ['videoKeys', 'projectKeys'] as const }
      : { label: label(at), after: { videoKeys: keys(2) } },
  );
  const all = half.map((one) => loses(one, count === 4 ? 5 : 200));
  const unknown: Notice = { kind: 'contents_unknown', labels: items.slice(half.length).map((one) => one.label) };
  const end: readonly Notice[] = count === 4 ? [] : [{ kind: 'no_undo' }];
  expect(confirmSummary(planOf(`Change ${count} channels`, items, [...all, unknown, ...end]))).toBe(expected);
});

test('has at most 160 characters, quotes what is cut, and keeps what is lost', () => {
  for (let length = 1; length < 200; length += 7)
    for (const count of [1, 3, 40]) {
      const items = Array.from({ length: count }, (_, at) => ({
        label: asSentence(JSON.stringify(`${at} ${'"long" '.repeat(length)}`.trim())),
        before: { name: 'x' },
        after: { name: '名'.repeat(length) },
      }));
      const text = confirmSummary(
        planOf(`Change ${count} channels`, items, [loses(sentence`"A"`, 3), { kind: 'contents_unknown', labels: [sentence`"B"`] }]),
      );
      expect(text.length, text).toBeLessThanOrEqual(160);
      expect(text).toMatch(/^Change .* Loses 3 videos in 1 channel, and whatever 1 channel may hold now \(not known\)\.$/);
      expect(text.replace(/\\./g, '').split('"').length % 2, text).toBe(1);
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

test('is the same in whatever white space and quotation marks, and in nothing else', () => {
  const summary = 'Change 1 channel: "It’s \\"new\\"" (name → "B").';
  expect(isSameSummary("  Change 1 channel:\n“It's 'new'” (name→«B»). ", summary)).toBe(true);
  for (const other of ['', 'Change 1 channel.', summary.replace('1', '2'), summary.replace('B', 'b'), `${summary} And more.`])
    expect(isSameSummary(other, summary), other).toBe(false);
});

test('is another one where its end is pushed out of sight, or white space parts a number or joins words', () => {
  const summary = 'Change 1 channel: "A" (videos 12 → 1). Loses 11 videos in 1 channel.';
  for (const other of [
    summary.replace(' Loses', `${'\n'.repeat(100)} Loses`),
    summary.padStart(160),
    summary.replace('11', '1 1'),
    summary.replace('1 channel', '1channel'),
  ])
    expect(isSameSummary(other, summary), other).toBe(false);
});
