/** The preview in an answer: losses first, as much as fits, and where the rest is. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import type { ShownPlan } from '../../../src/changes/plan/plan.ts';
import type { RecordDifference } from '../../../src/changes/plan/record-difference.ts';
import { previewAnswer } from '../../../src/changes/tell/preview.ts';
import { asSentence, inQuotes, sentence } from '../../../src/text/sentence.ts';

const WHERE = ': get_change with page 2 of 2';
const regions = (count: number, length = 0): Notice[] =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'region_unknown',
    region: inQuotes(`${at}${'r'.repeat(length)}`, length + 9),
    seen: sentence``,
  }));
const label = (at: number) => `Line ${at}`;
const labels = (count: number) => Array.from({ length: count }, (_, at) => label(at));
const HOLDS = ' holds 1 video';
const many = (count: number) => labels(count).map((name) => `${name}${HOLDS}`);

/** The plan of a statement with a line for each of these channels. */
function planOf(notices: readonly Notice[], names: readonly string[]): ShownPlan {
  const undo = { possible: 'yes', how: sentence`Say undo.` } as const;
  const records = names.map(
    (name): RecordDifference => ({
      ...{ id: name, label: asSentence(name), name, is: 'statement', fields: [], lists: [], stated: [], replaces: false },
      unchanged: [{ field: 'videoKeys', count: 1, isStated: false }],
    }),
  );
  const preview = { summary: sentence`Change it`, notices, records, onFailure: sentence``, undo };
  return { kind: 'state_contents', facts: {}, items: [], preview };
}

test('a long plan is cut, with the number of omitted lines, and read on page by page', () => {
  const long = planOf(regions(41), labels(102));
  const whole = previewAnswer(long, 'chg-1', 'whole');
  expect(whole).toMatchObject({ summary: 'Change it.', warnings: { length: 41 }, lines: many(102) });
  expect(whole).not.toHaveProperty('more');
  expect(previewAnswer(long, 'chg-1')).toMatchObject({
    warnings: (whole.warnings as string[]).slice(0, 40), // as above
    lines: many(100),
    more: `… and 1 more warning and 2 more lines${WHERE}`,
  });
  expect(previewAnswer(long, 'chg-1', 2)).toMatchObject({ warnings: (whole.warnings as string[]).slice(40), lines: many(102).slice(100) }); // as above
  expect(previewAnswer(long, 'chg-1', 2)).not.toHaveProperty('more');
  expect(previewAnswer(long).more).toBe('… and 1 more warning and 2 more lines');
  expect(previewAnswer(planOf(regions(40), labels(100)), 'chg-1')).not.toHaveProperty('more');
  expect(previewAnswer(planOf([], labels(101)), 'chg-1').more).toBe(`… and 1 more line${WHERE}`);
});

test('fewer lines are shown if they are very long, and each is on one page', () => {
  const long = planOf(regions(2, 6_001), ['a'.repeat(10_000), 'b'.repeat(1_965), 'c']);
  const { warnings, lines, more } = previewAnswer(long, 'chg-1');
  expect(warnings).toHaveLength(1);
  expect(lines).toEqual([`${'a'.repeat(10_000)}${HOLDS}`, `${'b'.repeat(1_965)}${HOLDS}`]);
  expect(more).toBe(`… and 1 more warning and 1 more line${WHERE}`);
  expect(previewAnswer(long, 'chg-1', 2)).toMatchObject({ warnings: { length: 1 }, lines: [`c${HOLDS}`] });
});

const loses = (at: number, count: number): Notice => ({
  ...{ kind: 'loses', label: sentence`"News ${at}"`, what: sentence`video`, count, held: 13, which: sentence`"k"` },
});
const unlisted = (at: number, missing: number): Notice => ({
  ...{ kind: 'views_missing', label: sentence`"News ${at}"`, id: `c${at}`, lost: missing, keys: sentence`"k"`, since: '2025-11-29' },
  ...{ missingKeys: Array.from({ length: missing }, (_, key) => `k${key}`), agreed: 0, unseen: 0, unseenKeys: sentence`` },
});

test('warnings go by weight, whatever order they were found in, and what is the same of many is one with the worst by name', () => {
  const of = [...Array(40).keys()];
  const found: Notice[] = [
    { kind: 'repeats_dropped', count: 3 },
    { kind: 'no_version', label: sentence`"News 1"` },
    { kind: 'no_undo' },
    ...of.map((at) => loses(at, at === 17 ? 9 : 2)),
    ...of.map((at) => unlisted(at, at === 5 ? 83 : 1)),
    { kind: 'ends_empty', label: sentence`"News 17"` },
  ];
  const { warnings, notes, more } = previewAnswer(planOf(found, ['"News"']), 'chg-1');
  expect(warnings).toEqual([
    '"News 17" ends up empty; whether the service accepts that is not documented.',
    expect.stringMatching(
      /^Views of 40 channels show 122 videos that their lists leave out: they would be removed from the channels \("News 5" 83, "News 0" 1, .* and 20 more\)\.$/,
    ),
    '40 channels lose 87 of 520 videos: "News 17" 9 of 13, "News 0" 2 of 13, "News 1" 2 of 13, "News 2" 2 of 13, "News 3" 2 of 13 and 35 more.',
    'Say undo.',
    '"News 1" shows no version, so nothing tells whether it is as it was.',
  ]);
  expect(notes).toEqual(['3 repeated ids dropped.']);
  // One by one, on the pages.
  expect(more).toBe('… and each channel’s warning by itself: get_change with page 1 of 3');
  const each = [1, 2, 3].flatMap((page) => previewAnswer(planOf(found, ['"News"']), 'chg-1', page).warnings ?? []);
  expect(each).toHaveLength(83);
});

test('three of a kind are told each by itself', () => {
  const { warnings, more } = previewAnswer(planOf([loses(0, 1), loses(1, 2), loses(2, 3)], []), 'chg-1');
  expect(warnings).toHaveLength(3);
  expect(more).toBeUndefined();
});
