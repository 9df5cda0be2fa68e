/** Entries of lists as people and models write them. */
import { expect, test } from 'vitest';
import { translateVideos } from '../../src/account/video-references.ts';
import { sentence } from '../../src/text/sentence.ts';
import { catalogueOf } from './catalogue-of.ts';

const read = (entry: string, catalogue?: Awaited<ReturnType<typeof catalogueOf>>) =>
  translateVideos([entry], 'id', sentence`videoIds`, catalogue).values[0];

test.each([
  '- a1b2',
  '* a1b2',
  '• a1b2',
  '1. a1b2',
  '12) a1b2',
  '- [ ] a1b2',
  '* [x] `a1b2`',
  '`a1b2`',
  '**a1b2**',
  '"a1b2",',
  'a1b2,',
  '<a1b2>',
  "'a1b2'",
])('the marks of a list are no part of an id: %s', async (entry) => {
  expect(read(entry)).toBe('a1b2');
  expect(read(entry, await catalogueOf('id,title\na1b2,One\n'))).toBe('a1b2');
  expect(read(entry.replace('a1b2', 'Tour'), await catalogueOf('id,title\na1b2,Tour\n'))).toBe('a1b2');
});

test.each(['-a1', '_a', 'a-b_c', '--', '1', 'x.y', 'a:b', '+a1', 'a+b=', '=1'])('what may be an id stays as it is: %s', (id) => {
  expect(read(id)).toBe(id);
});

test('a title that looks like an entry of a list is found as it is written', async () => {
  const catalogue = await catalogueOf('id,title\nb1,1. Introduction\nb2,Introduction\nb3,- dash -\n');
  expect(['1. Introduction', 'Introduction', '- dash -'].map((title) => read(title, catalogue))).toEqual(['b1', 'b2', 'b3']);
});

test.each([
  ['https://videos.example.com/watch/a1b2?t=1', 'is an address. Give the id alone. Is it "a1b2"?'],
  ['www.example.com/a1b2', 'is an address. Give the id alone. Is it "a1b2"?'],
  ['https://videos.example.com', 'is an address. Give the id alone.'],
  ['[Tour](https://videos.example.com/a1b2)', 'is a Markdown link. Give the id alone. Is it "a1b2"?'],
  ['- [Tour](https://videos.example.com/a1b2)', 'is a Markdown link. Give the id alone. Is it "a1b2"?'],
  ['| a1b2 | Tour |', 'is a row of a Markdown table. Give the ids alone, or the table as a CSV.'],
  ['123.0', 'is a number with decimals that a program has made of an id.'],
  ['1.2E+10', 'is a number that a spreadsheet has rounded.'],
  ["'a1b2", 'is a spreadsheet’s formula, or has the mark by which it keeps a text one. Give the id alone.'],
  ['‘a1b2', 'is a spreadsheet’s formula'],
  ['`a1b2', 'is a spreadsheet’s formula'],
  ['=T("a1b2")', 'is a spreadsheet’s formula'],
  ['=HYPERLINK("https://videos.example.com/a1b2","a1b2")', 'is a spreadsheet’s formula'],
  ['A title', 'has spaces, so it is no id. Titles need a video catalogue'],
])('what is no id is refused with the reason: %s', async (entry, problem) => {
  const problems = (catalogue?: Awaited<ReturnType<typeof catalogueOf>>) => {
    try {
      return String(read(entry, catalogue));
    } catch (error) {
      return (error as Error).message; // as it throws
    }
  };
  expect(problems()).toContain(problem);
  if (entry !== 'A title') expect(problems(await catalogueOf('id,title\na1b2,One\n'))).toContain(problem);
});
