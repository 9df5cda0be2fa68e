import { describe, expect, test } from 'vitest';
import { findReference, labelOf, matchesOf, shownName } from '../../src/account/references.ts';
import { foundPage, searchIn } from '../../src/account/search.ts';
import { VideoHostingError } from '../../src/errors.ts';
import { sentence } from '../../src/text/sentence.ts';

const RECORDS = [
  { id: 'c1', key: 'K1', name: 'Webinars' },
  { id: 'c2', key: 'K2', name: 'Webinars' },
  { id: 'c3', key: 'K3', name: 'Caf\u0065\u0301 \u202eevil\u202c', description: 'Größe' },
  { id: 'c4', key: 'c5', name: 'webinars' },
  { id: 'c5', key: 'K5' },
  { id: 'c6', name: 'x'.repeat(300) },
  { id: 'c7', name: '\u200b' },
];

function codeOf(reference: string): string {
  try {
    return findReference('channel', sentence`channel`, reference, RECORDS).id;
  } catch (error) {
    return error instanceof VideoHostingError ? error.code : 'another error';
  }
}

test.each([
  ['c1', 'c1', 'an id'],
  ['K2', 'c2', 'a key'],
  ['webinars', 'c4', 'a name in its exact case'],
  ['Webinars', 'ambiguous_reference', 'a name that two records have'],
  ['WEBINARS', 'not_found', 'a name in another case'],
  ['c5', 'ambiguous_reference', 'the id of one and the key of another'],
  ['Caf\u00e9 \u202eevil\u202c', 'c3', 'a name in another Unicode normalisation'],
  ['Café evil', 'c3', 'a name as it is shown'],
  [`${'x'.repeat(119)}…`, 'c6', 'a long name as it is shown'],
  ['x'.repeat(300), 'c6', 'a long name'],
  ['', 'not_found', 'an empty text, though one name is invisible'],
  ['\u200b', 'c7', 'an invisible name'],
  ['__proto__', 'not_found', 'a property that every object has'],
])('%j gives %s: %s', (reference, found) => {
  expect(codeOf(reference)).toBe(found);
});

test('a name is shown sanitised and shortened', () => {
  expect(shownName({ id: 'x', name: 'a\u0000b\u001b[31mc\nd' })).toBe('abc d');
  expect(shownName({ id: 'x', name: 'n'.repeat(500) })).toHaveLength(120);
  expect(labelOf({ id: 'x\u202e', name: 'say "hi"' })).toBe(String.raw`"say \"hi\"" (x)`);
});

test('a word like "all" finds no record, unless one has it as its name', () => {
  const named = (name: string) => ({ id: `id-${name}`, name });
  const records = [named('Internal: All-hands'), named('Any questions')];
  const all = /Name one channel; where it may be left out, that stands for all\.$/;
  for (const word of ['all', ' ANY ', '*']) expect(() => findReference('channel', sentence`channel`, word, records)).toThrow(all);
  expect(findReference('channel', sentence`channel`, 'all', [...records, named('all')]).name).toBe('all');
});

test('the error names the argument and the candidates', () => {
  const missing = { what: 'channel', reference: 'Webinar' };
  for (const [reference, words, more] of [
    ['Webinars', /id c1 \(key K1\), id c2 \(key K2\)/, {}],
    ['Webinar', /The nearest: "Webinars" \(c1\)/, { missing }],
  ] as const) {
    const attempt = () => findReference('channel', sentence`changes[2].channel`, reference, RECORDS, { skipped: 3 });
    expect(attempt).toThrow(words);
    const fields = [{ field: 'changes[2].channel', problem: expect.stringMatching(words), isNamed: true, ...more }];
    expect(attempt).toThrow(expect.objectContaining({ facts: expect.objectContaining({ fields }) }));
  }
});

test('candidates are told with the day of their last update, and several of one name with what else is known of them', () => {
  const updated = '2026-11-20T08:00:00.000Z';
  const records = ['c1', 'c2'].map((id) => ({ id, name: 'Webinars', updated }));
  const noteOn = ({ id }: { id: string }) => (id === 'c2' ? sentence`contentsKnown: true` : undefined);
  const find = (name: string) => () => findReference('channel', sentence`channel`, name, records, { noteOn });
  expect(find('Webinar')).toThrow('"Webinars" (c1, updated 2026-11-20), "Webinars" (c2,');
  expect(find('Webinars')).toThrow('id c1 (updated 2026-11-20), id c2 (updated 2026-11-20, contentsKnown: true).');
});

describe('search', () => {
  test.each([
    ['WEBINARS', ['c1', 'c2', 'c4']],
    ['cafe', ['c3']],
    ['grosse', []],
    ['größe', ['c3']],
    ['k1', ['c1']],
    ['c5', ['c4', 'c5']],
    ['\u202eevil', ['c3']],
    ['nothing', []],
  ])('for %j finds %j', (search, ids) => {
    expect(searchIn(RECORDS, search).found.map(({ id }) => id)).toEqual(ids);
  });

  test('finds words in any order, and lists near matches if there is no match', () => {
    const names = ['Webinars 2024 – Best of', 'Webinars 2025', 'Customer Stories', 'Press', 'SpringCollection'];
    const records = names.map((name, at) => ({ id: `x${at}`, name, description: at === 3 ? 'For journalists' : '' }));
    const search = (text: string) => {
      const { found, near } = searchIn(records, text);
      return { found: found.map(({ name }) => name), near: near.map(({ name }) => name) };
    };
    expect(search('best of 2024')).toEqual({ found: ['Webinars 2024 – Best of'], near: [] });
    expect(search('press journalists')).toEqual({ found: ['Press'], near: [] });
    expect(search('customer storys')).toEqual({ found: [], near: ['Customer Stories'] });
    expect(search('Webinarz 2025')).toEqual({ found: [], near: ['Webinars 2025'] });
    expect(search('something else')).toEqual({ found: [], near: [] });
    expect(search('collction spring')).toEqual({ found: [], near: ['SpringCollection'] });
  });

  test('is paged like the service’s own lists', () => {
    const found = ['Part 10', 'part 9', 'A', 'Part 1', 'b'].map((name, at) => ({ id: `${at}`, name }));
    const namesOn = (page: number, sort?: string) => foundPage(found, { page, size: 2, sort }).items.map(({ name }) => name);
    const { pager } = foundPage(found, { page: 2, size: 2 });
    expect(pager).toEqual({ page: 2, totalPages: 3, totalResults: 5, sort: 'name' });
    expect([1, 2, 3].flatMap((page) => namesOn(page))).toEqual(['A', 'b', 'Part 1', 'part 9', 'Part 10']);
    expect(namesOn(1, 'Created:1')).toEqual(['Part 10', 'part 9']);
    expect(foundPage(found, { page: 9 })).toMatchObject({ items: [], pager: { page: 9, totalPages: 1, totalResults: 5 } });
    expect(foundPage([], {})).toMatchObject({ items: [], pager: { totalPages: 0, totalResults: 0 } });
  });
});

test('straight and typographic quotes are equal, unless a name matches exactly', () => {
  const diary = { id: 'c1', name: "Founder's Diary" };
  expect(matchesOf('Founder’s Diary', [diary])).toEqual([diary]);
  const curly = { id: 'c2', name: 'Founder’s Diary' };
  expect(matchesOf('Founder’s Diary', [diary, curly])).toEqual([curly]);
  expect(matchesOf('Founderʼs Diary', [diary, curly])).toEqual([diary, curly]);
});
