import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQuickCheck } from '../../../src/analytics/quick-check.ts';
import { type CheckedView, createKeepers, createRecordCheck } from '../../../src/analytics/records.ts';

const keepers = createKeepers(
  (id) => String(id.length),
  (text) => text.replaceAll('a-credential', '[credential]'),
);
const check = createRecordCheck(keepers);
const quick = createQuickCheck(keepers);

/** What the quick check makes of a record that stands in a list; undefined where it leaves it to the other. */
function quickly(json: string): { view: unknown; end: number } | undefined {
  const bytes = Buffer.from(`[${json},{"id":"next"}]`);
  const views: CheckedView[] = [];
  const end = quick(bytes, 1, views);
  expect(views).toHaveLength(end < 0 ? 0 : 1);
  return end < 0 ? undefined : { view: lineRead(views[0]), end: end - 1 };
}
/** Its line may be written with other escapes. */
const lineRead = (view: object | undefined) =>
  view !== undefined && 'line' in view ? { ...view, line: JSON.parse(String(view.line)) } : view;

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom('a-credential', 'https://a@b.example/p?q#f', 'x'.repeat(300), '\ud800', '"\\', 'null', '1', 'São Paulo', ''),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e15, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 1.5),
);
const any = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
  fc.json({ maxDepth: 3 }).map((one) => JSON.parse(one)),
);
const mostly = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 150, arbitrary: usual }, { weight: 1, arbitrary: any });
/** Most need no escape. */
const word = fc.oneof({ weight: 20, arbitrary: fc.stringMatching(/^[ !#-Z^-~]{1,30}$/) }, { weight: 1, arbitrary: text });
const more = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(word, fc.nat(), fc.array(fc.record({ a: fc.nat() }))) },
  { weight: 1, arbitrary: any },
);
const flag = mostly(fc.boolean());
const part = (fields: Record<string, fc.Arbitrary<unknown>>) => mostly(fc.record({ ...fields, more }, { requiredKeys: [] }));
const date = mostly(
  fc
    .date({ min: new Date('1970-01-02T00:00:00Z'), max: new Date('2199-01-01T00:00:00Z'), noInvalidDate: true })
    .map((one) => one.toISOString().replace('Z', '4567+02:00')),
);
const record = fc
  .tuple(
    fc.record(
      {
        id: mostly(word),
        date,
        videoKey: mostly(word),
        channelKey: mostly(word),
        projectKey: mostly(word),
        viewerId: mostly(word),
        started: flag,
        ended: flag,
        muted: flag,
        duration: mostly(fc.maxSafeInteger()),
        watchTime: mostly(fc.oneof({ weight: 9, arbitrary: fc.nat(100_000) }, number)),
        planType: mostly(fc.integer()),
        region: mostly(text),
        browser: part({ family: mostly(text), major: mostly(fc.integer()) }),
        os: part({ family: mostly(text), major: mostly(fc.integer()) }),
        device: part({ type: mostly(text), brand: mostly(text) }),
        geo: part({ ip: text, country: mostly(text), continent: mostly(text), region: mostly(text), city: mostly(text) }),
        embed: part({ url: mostly(text), domain: mostly(text) }),
        more,
        'browser.family': text,
      },
      { requiredKeys: ['id', 'date'] },
    ),
    fc.infiniteStream(fc.nat()),
  )
  .map(([fields, order]) => shuffled(fields, order));

/** Fields come in any order. */
function shuffled(fields: object, order: Iterator<number>): object {
  const entries = Object.entries(fields).map((entry) => ({ entry, rank: Number(order.next().value) }));
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry));
}

test('what is read in a hurry is what the check of records makes of it', () => {
  let count = 0;
  fc.assert(
    fc.property(record, (fields) => {
      const json = JSON.stringify(fields);
      const found = quickly(json);
      if (found === undefined) return;
      count += 1;
      expect(found).toEqual({ view: lineRead(check(JSON.parse(json))), end: Buffer.byteLength(json) });
    }),
    { numRuns: 3_000 },
  );
  // Were none read so, nothing would be shown.
  expect(count).toBeGreaterThan(300);
});

test('what is damaged anywhere is read as what it is, or left', () => {
  const damage = fc.constantFrom(
    '',
    '"',
    ',',
    '{',
    '}',
    '[',
    ']',
    ':',
    '\\',
    ' ',
    '0',
    '-',
    '.',
    'e',
    'null',
    '\u0000',
    ',"id":"twice"',
    '"geo":{},',
  );
  fc.assert(
    fc.property(record, fc.double({ min: 0, max: 1, noNaN: true }), damage, fc.nat(2), (fields, place, put, cut) => {
      const whole = JSON.stringify(fields);
      const at = Math.floor(place * whole.length);
      const json = whole.slice(0, at) + put + whole.slice(at + cut);
      const found = quickly(json);
      if (found === undefined) return;
      const read = Buffer.from(`${json},{"id":"next"}]`).toString('utf8', 0, found.end);
      expect(found.view).toEqual(lineRead(check(JSON.parse(read))));
    }),
    { numRuns: 3_000 },
  );
});

test('a plain record is read in a hurry, whatever else it has', () => {
  const plain = {
    id: 'a1',
    date: '2026-03-01T05:12:33.1234567+02:00',
    geo: { ip: '203.0.113.1', city: 'São Paulo' },
    browser: null,
    embed: { url: 'https://user@www.example.com/p?q', extra: [1, -2.5, { a: [] }] },
    viewerId: 'abc',
    duration: 12,
    started: true,
    other: false,
  };
  const json = JSON.stringify(plain);
  expect(quickly(json)).toEqual({ view: lineRead(check(plain)), end: Buffer.byteLength(json) });
});

test.each([
  ['white space', '{"id": "a","date":"2026-03-01T00:00:00Z"}'],
  ['a value of another type', '{"id":"a","date":"2026-03-01T00:00:00Z","started":"yes"}'],
  ['no id', '{"date":"2026-03-01T00:00:00Z"}'],
  ['an empty id', '{"id":"","date":"2026-03-01T00:00:00Z"}'],
  ['no such day', '{"id":"a","date":"2026-02-30T00:00:00Z"}'],
  ['too large a number', '{"id":"a","date":"2026-03-01T00:00:00Z","planType":2147483648}'],
  ['a number that JSON has not', '{"id":"a","date":"2026-03-01T00:00:00Z","duration":012}'],
  ['a key that is too long', `{"id":"a","date":"2026-03-01T00:00:00Z","videoKey":"${'x'.repeat(257)}"}`],
  ['an escape that there is not', '{"id":"a","date":"2026-03-01T00:00:00Z","region":"\\x"}'],
  ['another thing', 'null'],
])('%s is left to the check of records', (_what, json) => {
  expect(quickly(json)).toBeUndefined();
});
