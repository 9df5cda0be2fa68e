/** How the server reads a list of videos that a person pastes or gives as a file, and what it knows of the videos. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVideoLists } from '../../src/page/api/video-lists.ts';
import { catalogueOf } from '../account/catalogue-of.ts';

const CATALOGUE = 'id,key,title\ni1,a,One\ni2,b,"One, two"\ni3,c,Three\ni4,d,Title\ni5,e,Twin\ni6,f,Twin\n';
const catalogue = await catalogueOf(CATALOGUE);
const { read, find } = createVideoLists({ catalogue: async () => catalogue });
const alone = createVideoLists({ catalogue: async () => undefined });

describe('a pasted text', () => {
  test.each([
    ['one a line', 'a\n\n b \r\nc', 'abc', { blanks: 1, read: 'one a line' }],
    ['one line', 'a, b,,c', 'abc', { blanks: 1 }],
    ['titles with commas', 'One, two\nThree', 'bc'],
    ['a title with a comma', 'One, two', 'b'],
    ['one column with a name', 'Video key\na\nb', 'ab', { read: 'one a line, below the header "Video key"' }],
    ['ids', 'i1\ni2', 'ab'],
    ['cells of a spreadsheet', 'id\tkey\ni1\ta\ni2\tb', 'ab', { columns: ['id', 'key'], column: 1 }],
    ['quoted CSV', 'key;title\na;"x;""y""\nz"\nb;c', 'ab', { entries: 2 }],
    ['titles beside another column', 'title,minutes\nOne,3\nThree,4', 'ac', { column: 0 }],
    ['a JSON array', '["a", "", "b"]', 'ab', { blanks: 1 }],
    ['JSON objects', '[{"x":1,"key":"a"},{"key":"b"}]', 'ab', { columns: ['x', 'key'], column: 1 }],
    ['JSON objects with titles', '[{"title":"Three"}]', 'c'],
    ['an object with a list', '{\n"videoKeys":["a","b"]}', 'ab'],
    ['an object with two lists', '{"projectKeys":["p"],"videoKeys":["a"]}', 'a'],
    ['a video that is called like a column', 'Title\nThree', 'dc'],
    ['lines that end with CR', 'key,title\ra,x\rb,y', 'ab'],
    ['the list of one channel', 'channel,key\nA,a\nA,b', 'ab'],
    ['JSON Lines', '{"key":"a"}\n{"key":"b"}', 'ab'],
    ['a repeated video', 'a\ni1\nOne', 'a', { entries: 3, repeated: 2 }],
  ])('is read as %s', async (_name, text, keys, more?: object) => {
    expect(await read({ text })).toMatchObject({ keys: [...keys], problemCount: 0, unknown: [], ...more });
  });

  test('without a catalogue holds keys only', async () => {
    expect(await alone.read({ text: "key\n'-a\n'b\nOne more" })).toMatchObject({
      keys: ['-a', "'b"],
      unknown: [],
      problems: ['line 4: "One more" has spaces, so it is no key; titles need a video catalogue.'],
    });
    expect((await alone.read({ text: 'id\ni1' })).problem).toContain('Only a video catalogue could translate them.');
  });

  test('tells the columns to choose from where none can be told', async () => {
    const text = 'x,u\ny,v\nz,w';
    expect(await read({ text })).toMatchObject({
      keys: [],
      columns: ['1: x', '2: u'],
      problem: expect.stringMatching(/Nothing was read/),
    });
    expect(await read({ text, column: 1 })).toMatchObject({ keys: ['u', 'v', 'w'], unknown: ['u', 'v', 'w'], column: 1 });
    expect(await read({ text: '[{"x":"Three","y":"a"}]', column: 0 })).toMatchObject({ keys: ['c'], titles: { c: 'Three' } });
  });

  test.each([
    ['["a",["b"]]', 'entry 2'],
    ['{"a":["b"],"c":["d"]}', ''],
    ['[1, 12345678901234567890]', 'entry 2'],
    ['key,title\na,"x\nb,y\nc,z', 'quote left open'],
    ['title,key,\nHello, world,a\nx,b', 'cells'],
    ['channel,key\nA,a\nB,b', 'It has the lists of several channels.'],
    ['[{"channel":"A","videoKeys":["a"]},{"channel":"B","videoKeys":["b"]}]', 'It has the lists of several channels.'],
    ['{"key":"a"}\n{"key":', 'line 2 is not JSON.'],
    ['key\0', ''],
  ])('with a part that would be left out is refused as a whole: %j', async (text, words) => {
    const { keys, problem = '' } = await read({ text });
    expect(keys).toEqual([]);
    expect(problem).toContain(words);
    expect(problem).toContain('Nothing was read');
  });

  test('says of each entry that it can’t add why', async () => {
    const { keys, problems } = await read({ text: 'key,title\na,x\n,y\n1.23E+15,z\nTwin,z\nno such title,z\nx-9,z' });
    expect(keys).toEqual(['a']);
    expect(problems).toEqual([
      'line 3: names no video.',
      'line 4: "1.23E+15" is a number that a spreadsheet has rounded: import the column as text.',
      expect.stringMatching(/^line 5: .*2 videos/),
      expect.stringMatching(/^line 6: .*no such title/),
      // As the statement would refuse it.
      expect.stringMatching(/^line 7: the catalogue has no key or title "x-9", and it looks like no key of it\./),
    ]);
  });

  test('of any kind is either read or refused with a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const { keys, problem } = await read({ text });
        expect(keys.length === 0 || problem === undefined).toBe(true);
        expect(problem ?? 'Nothing was read').toContain('Nothing was read');
      }),
    );
  });
});

test('videos are found by key and title', async () => {
  expect(await find('one')).toEqual({ keys: ['a', 'b'], titles: { a: 'One', b: 'One, two' }, unknown: [] });
  expect(await alone.find('one')).toEqual({ keys: [], titles: {}, unknown: [] });
});
