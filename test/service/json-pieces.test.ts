import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/service/body.ts';
import { parseWithList } from '../../src/service/json-pieces.ts';

/** What was made of a body, or that nothing could be. */
const outcome = (parse: () => unknown): unknown => {
  try {
    return { value: parse() };
  } catch (error) {
    return { error: (error as Error).message };
  }
};
const inPieces = (body: Buffer) => outcome(() => parseWithList(body, 'views', { record: (record) => record }));
const atOnce = (body: Buffer) => outcome(() => parseJson(body));

/** Texts that look like the seams between records, from which a list is not to be cut. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('},{"id":', '},{\\"id":', '],"views":[', '"', '\\', '\ud800', 'São Paulo'),
);
const leaf = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const inner = fc.oneof(leaf, fc.array(fc.record({ id: leaf })), fc.dictionary(text, leaf), fc.record({ views: fc.array(leaf) }));
const record = fc.oneof(
  { weight: 20, arbitrary: fc.record({ id: leaf, more: inner }) },
  { weight: 1, arbitrary: fc.record({ more: fc.array(fc.record({ id: leaf }), { minLength: 2 }) }) },
  { weight: 1, arbitrary: leaf },
);

/** Enough records for many pieces. */
const bodyOf = (records: readonly unknown[], before: object, after: object): string => {
  const many = Array.from({ length: 300 }, (_, n) => ({ id: n, filler: 'x'.repeat(200), more: records[n % records.length] }));
  return JSON.stringify({ ...before, views: [...records, ...many, ...records], ...after });
};
const beside = fc.constantFrom(
  {},
  { pager: { total: 3 } },
  { a: { views: [1] } },
  { list: [[]] },
  { text: '"views":[' },
  { __proto__x: 1 },
);
const body = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 8 }), beside, beside)
  .map(([records, ...around]) => bodyOf(records, ...around));

test('a list that is parsed in pieces is what it is when parsed at once', () => {
  fc.assert(
    fc.property(body, (json) => {
      expect(inPieces(Buffer.from(json))).toEqual(atOnce(Buffer.from(json)));
    }),
    { numRuns: 100 },
  );
});

test('of a body that is damaged anywhere it is told, or not, as when parsed at once', () => {
  const damage = fc.constantFrom('', ']', '}', '"', ',', '[', '{', '\\', '},{"id":', ',"views":[0]', '\u0000', '\xff');
  fc.assert(
    fc.property(body, fc.double({ min: 0, max: 1, noNaN: true }), damage, fc.nat(3), (json, place, put, cut) => {
      const at = Math.floor(place * json.length);
      const bytes = Buffer.concat([Buffer.from(json.slice(0, at)), Buffer.from(put, 'latin1'), Buffer.from(json.slice(at + cut))]);
      expect(inPieces(bytes)).toEqual(atOnce(bytes));
    }),
    { numRuns: 300 },
  );
});

test('a list of the same name elsewhere is not taken for it', () => {
  const records = JSON.stringify(Array.from({ length: 300 }, () => ({ id: 'x'.repeat(100) })));
  for (const json of [
    `{"a":{"views":${records}},"views" :[]}`,
    `{"views" :[],"a":{"views":${records}}}`,
    `{"views":${records},"views" :7}`,
    `[{"views":${records}}]`,
    `{"views":${records}}x`,
    `\ufeff{"views":${records}}`,
    `{"__proto__":{"views":1},"views":${records}}`,
  ])
    expect(inPieces(Buffer.from(json))).toEqual(atOnce(Buffer.from(json)));
});

test('what is made of the records stands in their place', () => {
  for (const count of [0, 1, 1_000]) {
    const views = Array.from({ length: count }, (_, n) => ({ id: n, text: 'São '.repeat(20) }));
    const value = parseWithList(Buffer.from(JSON.stringify({ views, total: count })), 'views', {
      record: (one) => (one as { id: number }).id,
    });
    expect(value).toEqual({ views: views.map(({ id }) => id), total: count });
  }
});
