import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachElement, NotAnArray } from '../../src/platform/json-array.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, size = 7): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const element of eachElement(pieces(Buffer.from(text), size))) elements.push(element);
  return elements;
}

test('any array is parsed as by JSON.parse, in chunks of any size', async () => {
  const array = fc.array(fc.jsonValue({ depthSize: 'small' }));
  await fc.assert(
    fc.asyncProperty(array, fc.integer({ min: 1, max: 20 }), fc.constantFrom(0, 2), async (values, size, indent) => {
      const text = JSON.stringify(values, undefined, indent);
      expect(await read(text, size)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['a byte order mark and white space around it', '\uFEFF \n [ ] \r\n', []],
  ['brackets, commas and quotes in its texts', String.raw`["],[{}\"\\", "é😀"]`, ['],[{}"\\', 'é😀']],
])('an array with %s is parsed', async (_what, text, expected) => {
  expect(await read(text, 1)).toEqual(expected);
});

test.each([
  ['an empty body', ''],
  ['an HTML page', '<html>'],
  ['an object', '{"a":1}'],
  ['null', 'null'],
  ['half an array', '[{"a":1},{"a'],
  ['an array without its end', '[1,2'],
  ['two commas', '[1,,2]'],
  ['a trailing comma', '[1,]'],
  ['crossed brackets', '[{]}]'],
  ['two arrays', '[1] [2]'],
  ['text after the array', '[1]x'],
  ['invalid UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
  ['an incomplete character', Buffer.from([0x5b, 0x31, 0x5d, 0xc3])],
  ['a record of more than 1 MB', `["${'x'.repeat(1_100_000)}"]`],
])('%s is refused', async (_what, text) => {
  await expect(read(text, 64_000)).rejects.toThrow(NotAnArray);
});
