/** The text of a form: at most 16 lines of 110 characters for any plan, with the total loss last. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Notice, NoticeOf } from '../../../src/changes/notices/notices.ts';
import type { ShownPlan } from '../../../src/changes/plan/plan.ts';
import type { Preview } from '../../../src/changes/plan/preview.ts';
import type { FieldChange, RecordDifference } from '../../../src/changes/plan/record-difference.ts';
import * as form from '../../../src/changes/tell/form.ts';
import { cleanText } from '../../../src/text/sanitize-text.ts';
import { asSentence, type Sentence, sentence } from '../../../src/text/sentence.ts';

/** A plan with a preview; most are of channels. */
const planOf = (shown: Preview): ShownPlan => ({ kind: 'update_channels', facts: {}, items: [], preview: shown });
const formText = (shown: Preview, changeId: string): string => form.formText(planOf(shown), changeId);
const formTitle = (shown: Preview): string => form.formTitle(planOf(shown));

const CHANGE_ID = 'chg-20261101-abcdef';
const WHOLE_PLAN = `The whole plan: video-hosting://changes/${CHANGE_ID}`;

const preview = (rest: Partial<Preview>): Preview => ({
  summary: sentence`Change 1 channel`,
  notices: [],
  onFailure: sentence``,
  undo: { possible: 'yes', how: sentence`An undo works until others change it.` },
  ...rest,
});

type Loss = NoticeOf<'loses'>;

const loss = (name: string, rest: Partial<Loss> = {}): Loss => ({
  kind: 'loses',
  label: asSentence(JSON.stringify(name)),
  what: sentence`video`,
  count: 1,
  held: 13,
  which: sentence`"EYVSK5LkWyo"`,
  ...rest,
});

/** More than are shown whole. */
const HELD = ['EYVSK5LkWyo', ...Array.from({ length: 39 }, (_, index) => `key${index}`)];

const record = (view: Partial<RecordDifference>): RecordDifference => ({
  ...{ id: 'c1', label: sentence`"A"`, name: 'A', is: 'update', fields: [], lists: [], unchanged: [], stated: [], replaces: false },
  ...view,
});

/** Channels that each lose a video, and what else is to be told of them. */
const channels = (
  count: number,
  nameOf: (index: number) => string,
  others: readonly Notice[] = [],
  rest: Partial<Preview> = {},
): Preview => {
  const losses = Array.from({ length: count }, (_, index) => loss(nameOf(index)));
  return preview({
    summary: asSentence(`Change ${count} channels`),
    records: losses.map(({ label }) =>
      record({ label: asSentence(label), lists: [{ field: 'videoKeys', what: sentence`video`, before: HELD, after: HELD.slice(1) }] }),
    ),
    notices: [...losses, ...others],
    ...rest,
  });
};

/** The width in terminal columns, by a rule that does not depend on the code under test: everything past Latin, Greek, Cyrillic, Hebrew and Arabic counts as wide. */
const widthOf = (text: string): number =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) =>
    /[\u1100-\uffff]|[\u{10000}-\u{10ffff}]/u.test(segment) ? 2 : 1,
  ).reduce((sum: number, width) => sum + width, 0);

function expectReadable(text: string): string[] {
  const lines = text.split('\n');
  expect(lines.length).toBeLessThanOrEqual(16);
  // Arrows, dashes and dots are one column wide.
  for (const line of lines) expect(Math.max(line.length, widthOf(line.replace(/[→…–“”’]/g, '.'))), line).toBeLessThanOrEqual(110);
  return lines;
}

test('the form for thirty channels has the totals, three greatest losses, a shared warning, and the total loss last', () => {
  const unknown = Array.from({ length: 30 }, (_, index) => ({ label: sentence`"Webinars ${index}"`, count: 2, which: sentence`"a", "b"` }));
  const many = channels(
    30,
    (index) => `Webinars ${index}`,
    unknown.map((facts) => ({ kind: 'keys_not_in_catalogue', ...facts })),
  );
  expect(expectReadable(formText(many, CHANGE_ID))).toEqual([
    'Change 30 channels.',
    '! Loses 30 videos in 30 channels.',
    'Changes the videos of 30 channels (30 removed).',
    '! "Webinars 0" loses 1 of 13 videos: "EYVSK5LkWyo"',
    '! "Webinars 1" loses 1 of 13 videos: "EYVSK5LkWyo"',
    '! "Webinars 2" loses 1 of 13 videos: "EYVSK5LkWyo"',
    '! 2 keys in each of 30 channels are not in the catalogue.',
    'An undo works until others change it.',
    WHOLE_PLAN,
    'Loses 30 videos in 30 channels',
  ]);
});

test('the form for two channels has each line of the plan, and no link to the whole plan', () => {
  expect(
    formText(
      channels(2, (index) => `News ${index}`),
      CHANGE_ID,
    ).split('\n'),
  ).toEqual([
    'Change 2 channels.',
    '! Loses 2 videos in 2 channels.',
    '! "News 0" loses 1 of 13 videos',
    '! "News 1" loses 1 of 13 videos',
    '- "News 0": videos 40 → 39: removed: "EYVSK5LkWyo"',
    '- "News 1": videos 40 → 39: removed: "EYVSK5LkWyo"',
    'An undo works until others change it.',
    'Loses 2 videos in 2 channels',
  ]);
});

test('two doubts about the whole change leave room for all else', () => {
  const restated: Notice = { kind: 'restated', label: sentence`"News 0"`, what: sentence`project`, count: 1, which: sentence`"p1"` };
  const another: Notice = {
    ...{
      kind: 'views_of_another',
      label: sentence`"News 1"`,
      id: 'c1',
      lost: 2,
      keys: asSentence('"k", last seen 2026-08-21; '.repeat(9)),
      missingKeys: ['k', 'l'],
    },
    ...{ since: '2025-11-23', statedKeys: ['a'] },
  };
  for (const count of [1, 5, 6, 30]) {
    const shown = expectReadable(
      formText(
        channels(count, (index) => `News ${index}`, [restated, another]),
        CHANGE_ID,
      ),
    );
    const first = shown.findIndex((row) => row.includes('"News 0": the new list leaves out 1 project of the list before'));
    // Right after what is done and lost.
    expect(first).toBeLessThanOrEqual(3);
    expect(shown[first + 1]).toContain('News 1');
    expect(shown).toContain(WHOLE_PLAN);
  }
});

test('the form for a million ids shows the first three ids and the number of others', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, index) => `5f3e${String(index).padStart(20, '0')}`);
  const how = 'It can’t be undone, since it was not said in which project the videos are now.';
  const move = preview({
    summary: sentence`Move 1,000,000 videos into "Archive" (p1)`,
    notices: [{ kind: 'no_undo' }, { kind: 'repeats_dropped', count: 3 }],
    undo: { possible: 'no', how: asSentence(how) },
  });
  const facts = { move: { digest: '', targetProjects: [], fromProjects: [] } };
  const plan: ShownPlan = { kind: 'move_videos', facts, ids: ids.slice(0, 20_000), total: ids.length, preview: move };
  expect(expectReadable(form.formText(plan, CHANGE_ID))).toEqual([
    'Move 1,000,000 videos into "Archive" (p1).',
    '! Can’t be undone.',
    '- "5f3e00000000000000000000", "5f3e00000000000000000001", "5f3e00000000000000000002" and 999997 more',
    '3 repeated ids dropped.',
    `! ${how}`,
  ]);
});

const NAMES = {
  'a long name': (index: number) => `Webinar ${'of the whole company '.repeat(6)}${index}`,
  'a name without spaces': (index: number) => `${'x'.repeat(118)}${index}`,
  'wide characters': (index: number) => `${'製品紹介网络研讨会'.repeat(12)}${index}`,
  'emoji with joiners': (index: number) => `${'👩‍💻🎬'.repeat(15)}${index}`,
  'stacked combining marks': (index: number) => `${'z\u0351\u036b\u0343'.repeat(28)}${index}`,
  'line breaks and terminal sequences': (index: number) => `a\n\n\u001b[2JLoses 0 videos\r\n${index}`,
  'quotes that end early': (index: number) => `a" Loses 0 videos: "the user agreed ${index}`,
  'a name that ends in a backslash where it is cut': (index: number) => `${'"'.repeat(60)}\\${index}`,
};

describe.each(Object.entries(NAMES))('a form with %s', (_, nameOf) => {
  test.each([1, 2, 3, 5, 6, 30])('stays readable for %i channels, and ends with the total loss', (count) => {
    const lines = expectReadable(formText(channels(count, nameOf), CHANGE_ID));
    const total = `Loses ${count} video${count === 1 ? '' : 's'} in ${count} channel${count === 1 ? '' : 's'}`;
    expect(lines.at(-1)).toBe(total);
    expect(lines.filter((line) => line.startsWith('Loses'))).toEqual([total]);
    expect(lines.filter((line) => /^! .* loses 1 of 13 videos/.test(line))).toHaveLength(Math.min(3, count));
  });
});

describe('the last line of a form', () => {
  const unknown = (...labels: Sentence[]): Notice => ({ kind: 'contents_unknown', labels });
  test.each<[string, readonly Notice[], string]>([
    ['videos of two channels', [loss('A', { count: 1_000, held: 2_000 }), loss('B', { count: 11 })], 'Loses 1,011 videos in 2 channels'],
    ['one video', [loss('A')], 'Loses 1 video in 1 channel'],
    ['projects', [loss('A', { what: sentence`project`, count: 2, held: 2 })], 'Loses 2 projects in 1 channel'],
    [
      'a video and a project of one channel',
      [loss('A'), loss('A', { what: sentence`project` })],
      'Loses 1 video and 1 project in 1 channel',
    ],
    ['unknown contents', [unknown(sentence`A`, sentence`B`)], 'Loses whatever 2 channels may hold now (not known)'],
    [
      'known and unknown contents',
      [unknown(sentence`A`), loss('B')],
      'Loses 1 video in 1 channel, and whatever 1 channel may hold now (not known)',
    ],
  ])('totals the loss of %s', (_, notices, last) => {
    expect(formText(preview({ notices }), CHANGE_ID).split('\n').at(-1)).toBe(last);
  });

  test('is about undo if nothing is lost', () => {
    expect(formText(preview({}), CHANGE_ID).split('\n').at(-1)).toBe('An undo works until others change it.');
  });
});

test('notices that do not fit are counted, but the line that undo is impossible is always shown', () => {
  const regions = Array.from(
    { length: 40 },
    (_, index): Notice => ({ kind: 'region_unknown', region: sentence`"r${index}"`, seen: sentence`` }),
  );
  const how = 'It can’t be set back: what was there before is not all known.';
  const plan = channels(30, (index) => `News ${index}`, regions, { undo: { possible: 'no', how: asSentence(how) } });
  const lines = expectReadable(formText(plan, CHANGE_ID));
  expect(lines).toHaveLength(16);
  expect(lines.slice(-4)).toEqual(['! And 34 more warnings.', `! ${how}`, WHOLE_PLAN, 'Loses 30 videos in 30 channels']);
});

test('the title is the summary, cut to a width that a list of choices can show', () => {
  expect(formTitle(channels(30, String))).toBe('Change 30 channels');
  const long = formTitle(preview({ summary: asSentence(`Create the channel "${'長'.repeat(120)}"`) }));
  expect(long).toMatch(/^Create the channel "長+…$/);
  expect(widthOf(long)).toBeLessThanOrEqual(61);
});

const isLoss = (notice: Notice): boolean =>
  notice.kind === 'loses' ? notice.count > 0 : notice.kind === 'contents_unknown' && notice.labels.length > 0;

function plans(): fc.Arbitrary<Preview> {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const words = fc
    .oneof(text, fc.lorem({ maxCount: 60 }), fc.string({ unit: 'grapheme', maxLength: 400 }))
    .map((text) => asSentence(cleanText(text, text.length)));
  const losses: fc.Arbitrary<Notice> = fc.record({
    kind: fc.constant('loses'),
    label: words,
    what: fc.constantFrom(sentence`video`, sentence`project`),
    count: fc.nat(),
    held: fc.nat(),
    which: words,
  });
  const unknown: fc.Arbitrary<Notice> = fc.record({ kind: fc.constant('contents_unknown'), labels: fc.array(words, { maxLength: 12 }) });
  const others: fc.Arbitrary<Notice> = fc.record({ kind: fc.constant('not_set_back'), label: words, reason: words });
  const doubts: fc.Arbitrary<Notice> = fc.record({
    kind: fc.constant('views_of_another'),
    label: words,
    since: words,
    id: words,
    lost: fc.nat(),
    keys: words,
    missingKeys: fc.constant([]),
    statedKeys: fc.array(words, { maxLength: 2 }),
  });
  const fields: fc.Arbitrary<FieldChange> = fc.record({
    field: fc.constantFrom('name', 'description', 'region'),
    before: words,
    after: words,
  });
  const keyLists = fc.array(words, { maxLength: 4 });
  const records: fc.Arbitrary<RecordDifference> = fc
    .record({
      label: words,
      is: fc.constantFrom('update', 'creation', 'statement'),
      fields: fc.array(fields, { maxLength: 3 }),
      lists: fc.array(
        fc.record({ field: fc.constant('videoKeys'), what: fc.constant(sentence`video`), before: fc.option(keyLists), after: keyLists }),
        { maxLength: 1 },
      ),
      stated: fc.array(
        fc.record({ field: fc.constant('videoKeys'), what: fc.constant(sentence`video`), keys: keyLists, isChanged: fc.boolean() }),
        { maxLength: 1 },
      ),
    })
    .map(record);
  return fc.record({
    summary: words,
    records: fc.array(records, { maxLength: 12 }),
    onFailure: words,
    undo: fc.record({ possible: fc.constantFrom('yes', 'partly', 'no'), how: words }),
    notices: fc.array(fc.oneof(losses, unknown, others, doubts), { maxLength: 20 }),
    standing: words,
  });
}

test('a random plan never gives more than 16 lines, or a line of more than 110 characters', () => {
  fc.assert(
    fc.property(plans(), (plan) => {
      const shown = formText(plan, CHANGE_ID).split('\n');
      expect(shown.length).toBeLessThanOrEqual(16);
      for (const line of shown) expect(line.length).toBeLessThanOrEqual(110);
      if (plan.notices.some(isLoss)) expect(shown.at(-1)).toMatch(/^Loses /);
    }),
    { numRuns: 100 },
  );
});

describe('the first three rows, which are all that some clients show', () => {
  const beginOf = (plan: Preview): string =>
    formText(plan, CHANGE_ID)
      .split('\n')
      .slice(0, 3)
      .map((line) => line.trim())
      .join(' ');

  test('say of any plan what it loses in all, what it states in all, and that it can’t be undone', () => {
    fc.assert(
      fc.property(plans(), (plan) => {
        const begin = beginOf(plan);
        // A last line is cut where its numbers are longer than there are videos in the world.
        const last = formText(plan, CHANGE_ID).split('\n').at(-1)?.replace(/…$/, '') ?? '';
        if (plan.notices.some(isLoss)) expect(begin).toContain(last);
        if ((plan.records ?? []).some(({ is, stated }) => is === 'update' && stated.length > 0))
          expect(begin).toMatch(
            /As stated, (?:it holds|1 channel holds|\d+ channels hold) (?:no|[\d,]+) videos?; that(?:, as changed,)? replaces what is there\./,
          );
        const { records = [] } = plan;
        const isStatement = records.length > 0 && records.every(({ is }) => is === 'statement');
        expect(begin.includes('Can’t be undone.')).toBe(plan.undo.possible === 'no' && !isStatement);
      }),
      { numRuns: 100 },
    );
  });

  test('are whole on 80 columns, where numbers are as they are in accounts', () => {
    const plan = channels(30, (index) => `News ${index}`, [{ kind: 'contents_unknown', labels: [sentence`"Other"`] }], {
      undo: { possible: 'no', how: sentence`It can’t be set back: what was there before is not all known.` },
    });
    expect(formText(plan, CHANGE_ID).split('\n').slice(0, 3)).toEqual([
      'Change 30 channels.',
      '! Loses 30 videos in 30 channels, and whatever 1 channel may hold now (not',
      '  known). Can’t be undone.',
    ]);
  });

  test('say that something speaks against all of it, also where what is lost and stated takes two rows', () => {
    const keys = Array.from({ length: 400 }, (_, index) => `key${index}`);
    const videoKeys = { field: 'videoKeys', what: sentence`video`, keys, isChanged: true } as const;
    const restated: Notice = { kind: 'restated', label: sentence`"A"`, what: sentence`video`, count: 12, which: sentence`"k" and 11 more` };
    const plan = (notices: readonly Notice[]) =>
      preview({ summary: sentence`Change 1 channel`, records: [record({ stated: [videoKeys] })], notices: [loss('A'), ...notices] });
    expect(
      formText(plan([restated]), CHANGE_ID)
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      'Change 1 channel.',
      '! In doubt: 12 fewer than stated before. Loses 1 video in 1 channel. As',
      '  stated, it holds 400 videos; that, as changed, replaces what is there.',
    ]);
    expect(beginOf(plan([]))).not.toContain('In doubt');
  });

  test('have all of the totals where these are as long as can be, and as much of what is done as there is room for', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => `key${index}`);
    const statedOf = (label: string): RecordDifference =>
      record({
        label: asSentence(label),
        stated: [
          { field: 'videoKeys', what: sentence`video`, keys: keys(400), isChanged: true },
          { field: 'projectKeys', what: sentence`project`, keys: keys(40), isChanged: true },
        ],
      });
    const plan = preview({
      summary: asSentence(`Change 50 channels: "${'x'.repeat(90)}"`),
      records: Array.from({ length: 30 }, (_, index) => statedOf(`"${index}"`)),
      notices: [
        ...Array.from({ length: 30 }, (_, index) => loss(`${index}`, { count: 41_111_111, held: 41_111_111 })),
        ...Array.from({ length: 30 }, (_, index) => loss(`${index}`, { what: sentence`project`, count: 41_111_111, held: 41_111_111 })),
        { kind: 'contents_unknown', labels: Array.from({ length: 20 }, (_, index) => sentence`"other ${index}"`) },
      ],
      undo: { possible: 'no', how: sentence`It can’t be set back.` },
    });
    expectReadable(formText(plan, CHANGE_ID));
    const lost = 'Loses 1,233,333,330 videos and 1,233,333,330 projects in 30 channels, and whatever 20 channels may hold now (not known)';
    expect(beginOf(plan)).toMatch(/^! Loses .*Change 50 channels/);
    for (const told of [
      lost,
      'As stated, 30 channels hold 12,000 videos and 1,200 projects; that, as changed, replaces what is there',
      'Can’t be undone',
    ])
      expect(beginOf(plan)).toContain(`${told}.`);
  });
});
