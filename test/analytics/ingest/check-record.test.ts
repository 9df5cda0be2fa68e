import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VIEW_COLUMNS } from '../../../src/analytics/columns.ts';
import { createRecordCheck, microsFromText } from '../../../src/analytics/ingest/check-record.ts';

const check = createRecordCheck((id) => String(id.length));
const GOOD = { id: 'a1', date: '2026-03-01T05:12:33.1234567+02:00' };
const rowOf = (record: object): unknown => {
  const view = check(record);
  return 'line' in view ? JSON.parse(view.line) : view.reason;
};
const column = (name: (typeof VIEW_COLUMNS)[number]['name'], record: object): unknown => {
  const row = rowOf({ ...GOOD, ...record });
  return Array.isArray(row) ? row[VIEW_COLUMNS.findIndex((one) => one.name === name)] : row;
};

describe('dates', () => {
  test.each([
    ['2026-03-01T05:12:33Z', '2026-03-01T05:12:33.000Z', 0],
    ['2026-03-01T05:12:33.1234567+02:00', '2026-03-01T03:12:33.123Z', 456],
    ['2024-02-29T23:59:59.999999999-09:30', '2024-03-01T09:29:59.999Z', 999],
    ['2026-12-31T23:30:00.5-0100', '2027-01-01T00:30:00.500Z', 0],
    ['2000-02-29T00:00:00+14', '2000-02-28T10:00:00.000Z', 0],
    ['1970-01-01t00:00:00z', '1970-01-01T00:00:00.000Z', 0],
  ])('%s is read to the microsecond', (text, iso, micros) => {
    expect(microsFromText(text)).toBe(Date.parse(iso) * 1_000 + micros);
  });

  const IMPOSSIBLE = [
    '2026-02-30T00:00:00Z 2025-02-29T00:00:00Z 2100-02-29T00:00:00Z 2026-13-01T00:00:00Z 2026-00-10T00:00:00Z',
    '2026-04-31T00:00:00Z 2026-03-01T24:00:00Z 2026-03-01T23:59:60Z 2026-03-01T05:12:33 2026-03-01',
    '2026-03-01T05:12:33.Z 2026-03-01T05:12:33.1234567890Z 2026-03-01T05:12:33+2:00 2026-03-01T05:12:33+02:00x',
    '+2026-03-01T05:12:33Z 1969-12-31T23:59:59Z 2200-01-01T00:00:00Z 20260301T051233Z',
  ].flatMap((line) => line.split(' '));

  test.each([...IMPOSSIBLE, '2026-03-01 05:12:33Z', 'yesterday at some point', ''])('%j is not a valid date', (text) => {
    expect(microsFromText(text)).toBeUndefined();
  });

  test('agree with JavaScript’s dates', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2199, 11, 30) }),
        fc.integer({ min: -23 * 60, max: 23 * 60 }),
        fc.integer({ min: 1, max: 9 }),
        (ms, offset, digits) => {
          const local = new Date(ms + offset * 60_000);
          fc.pre(local.getTime() >= 0);
          const minutes = Math.abs(offset);
          const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
          const text = `${local.toISOString().slice(0, 20)}${local.toISOString().slice(20, 23).padEnd(9, '0').slice(0, digits)}${zone}`;
          expect(microsFromText(text)).toBe(Math.floor(ms / 10 ** Math.max(0, 3 - digits)) * 10 ** Math.max(0, 3 - digits) * 1_000);
        },
      ),
    );
  });
});

test('missing values are null, and unknown fields are ignored', () => {
  const row = rowOf({ ...GOOD, videoKey: null, geo: null, browser: { family: null }, os: {}, extra: { deep: [1] }, geo2: 7 });
  const missing = VIEW_COLUMNS.slice(2).map(() => null);
  expect(row).toEqual(['a1', Date.parse('2026-03-01T03:12:33.123Z') * 1_000 + 456, ...missing]);
});

test('an empty text is absent where a field is no text, and so is an empty list for an object', () => {
  const row = rowOf({ ...GOOD, started: '', duration: '', browser: { family: null, major: '' }, geo: [] });
  expect(row).toEqual(rowOf({ ...GOOD, started: null, duration: null, browser: null, geo: null }));
});

test.each([
  [null, 'the record is null, not an object'],
  ['view', 'the record is text, not an object'],
  [[], 'the record is a list, not an object'],
  [{}, 'id is missing'],
  [{ ...GOOD, id: '' }, 'id is missing'],
  [{ ...GOOD, id: 7 }, 'id is a number, not text'],
  [{ ...GOOD, id: 'x'.repeat(300) }, 'id is longer than 256 characters'],
  [{ id: 'a' }, 'date is missing'],
  [{ id: 'a', date: 1 }, 'date is a number, not text'],
  [{ id: 'a', date: '2026-02-30T00:00:00Z' }, 'date is not an ISO time with a UTC offset, or no such day'],
  [{ ...GOOD, duration: '12' }, 'duration is text, not a whole number'],
  [{ ...GOOD, duration: 12.5 }, 'duration is not a whole number'],
  [{ ...GOOD, watchTime: Number.POSITIVE_INFINITY }, 'watchTime is not a whole number'],
  [{ ...GOOD, watchTime: 2 ** 60 }, 'watchTime is too large'],
  [{ ...GOOD, planType: 2 ** 31 }, 'planType is too large'],
  [{ ...GOOD, started: 'yes' }, 'started is text, not true or false'],
  [{ ...GOOD, ended: 1 }, 'ended is a number, not true or false'],
  [{ ...GOOD, videoKey: 7 }, 'videoKey is a number, not text'],
  [{ ...GOOD, viewerId: 7 }, 'viewerId is a number, not text'],
  [{ ...GOOD, browser: 'Chrome' }, 'browser is text, not an object'],
  [{ ...GOOD, browser: { major: '141' } }, 'browser.major is text, not a whole number'],
  [{ ...GOOD, geo: ['DE'] }, 'geo is a list, not an object'],
  [{ ...GOOD, geo: { city: false } }, 'geo.city is a boolean, not text'],
  [{ ...GOOD, embed: { url: {} } }, 'embed.url is an object, not text'],
])('%j is set aside', (record, reason) => {
  expect(check(record)).toMatchObject({ reason });
});

test.each([
  ['https://www.example.com/p?mail=someone@example.com#x', 'https://www.example.com/p'],
  ['https://user:secret@www.example.com/p', 'https://www.example.com/p'],
  ['https://a@b:c@www.example.com', 'https://www.example.com'],
  ['https:\\\\user@host\\path?q', 'https:\\\\host\\path'],
  ['//someone@example.com/x', '//example.com/x'],
  ['someone@example.com/x?y', 'example.com/x'],
  ['localhost:3000/page?x', 'localhost:3000/page'],
  ['mailto:someone@example.com', 'mailto:'],
  ['data:text/html,someone', 'data:'],
  ['/path/only#someone', '/path/only'],
  ['jane.doe:secret@intra.example/page', 'intra.example/page'],
  ['jane.doe@intra.example', 'intra.example'],
  ['https://intra.example/u/jane.doe@example.com/page', 'https://intra.example/u/…/page'],
  ['https://intra.example/u/jane.doe%40example.com/', 'https://intra.example/u/…/'],
  ['https://intra.example/u/jane.doe%2540example.com', 'https://intra.example/u/…'],
  ['/mail=jane@example.com', '/…'],
  ['https://intra.example/shop;jsessionid=ABC123/cart;v=1', 'https://intra.example/shop/cart'],
  ['https://intra.example/shop%3Bjsessionid=ABC123', 'https://intra.example/shop'],
  ['https://intra.example/;jsessionid=ABC123', 'https://intra.example/'],
  ['https://intra.example/(S(lit3py55t21z5v55vlm25s55))/page.aspx', 'https://intra.example/…/page.aspx'],
  ['https://intra.example/sessionid=4711/page', 'https://intra.example/…/page'],
  ['https://intra.example/access_token:4711/page', 'https://intra.example/…/page'],
  ['', ''],
])('the address %j is stored as %j', (url, kept) => {
  expect(column('embed_url', { embed: { url } })).toBe(kept);
});

test.each([
  'session-3/3f2b8c1e-9d4a-4e7b-8f60-12ab34cd56ef',
  '@jane/2026/11/why-we-moved-to-mp4-and-h264-in-2026.html',
  'caf%C3%A9/100%/products/4711-session-chairs',
  'token-economics/authors/sidney',
])('the address of the page %s is stored as it is', (page) => {
  expect(column('embed_url', { embed: { url: `https://intra.example/${page}` } })).toBe(`https://intra.example/${page}`);
});

test('ids that differ only in what cleaning removes stay different', () => {
  const ids = ['a b', 'a  b', 'a\u200bb', 'ab', 'ab\n', 'AB'];
  const stored = ids.map((id) => column('id', { id }));
  expect(new Set(stored).size).toBe(ids.length);
  const marked = (start: string) => expect.stringMatching(new RegExp(`^${start}…[0-9a-f]{16}$`));
  expect(stored).toEqual(['a b', marked('a b'), marked('ab'), 'ab', marked('ab'), 'AB']);
  expect(column('id', { id: 'a  b' })).toBe(stored[1]);
});

test('texts are stored on one line, shortened, without invisible characters, and otherwise unchanged', () => {
  expect(column('city', { geo: { city: 'São Paulo' } })).toBe('São Paulo');
  expect(column('city', { geo: { city: 'İstanbul' } })).toBe('İstanbul');
  expect(column('city', { geo: { city: 'a\u202eb\u0000c\u200bd\n e  f' } })).toBe('abcd e f');
  expect(column('city', { geo: { city: 'x'.repeat(1_000) } })).toBe(`${'x'.repeat(199)}…`);
  expect(column('browser', { browser: { family: '\ud83d' } })).toBe('\ufffd');
  expect(column('city', { geo: { city: '' } })).toBe('');
  expect(column('viewer', { viewerId: 'abc' })).toBe('3');
});
