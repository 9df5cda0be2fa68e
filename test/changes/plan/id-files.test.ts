/** The file and the digest of a list of ids. The file is written in chunks, so that other calls are served meanwhile. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { digestOfIds, eachChunk } from '../../../src/changes/plan/id-files.ts';
import { freshHome } from '../../harness/start.ts';
import { countTurns } from '../kinds/videos/harness.ts';
import { moveIntent } from '../support/intents.ts';

const wellFormed = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const list = fc.tuple(fc.array(wellFormed, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 5_000 })).map(([some, length]) =>
  // Different ids, some with quotes, backslashes and signs outside ASCII.
  Array.from({ length }, (_, at) => `${some[at % some.length]}${at}`),
);

test('the file and the digest of a list are made from the same text', () => {
  fc.assert(
    fc.property(list, (ids) => {
      const text = ids.join('\n');
      expect(Buffer.concat([...eachChunk(ids)]).toString()).toBe(text);
      expect(digestOfIds(ids)).toBe(createHash('sha256').update(`${text}\n`).digest('hex'));
    }),
    { numRuns: 20 },
  );
});

test('a long list is written in chunks with other work between them, and is on disk when the change begins', async () => {
  const folder = join(freshHome(), 'changes');
  const journal = createJournal(folder);
  const ids = Array.from({ length: 400_000 }, (_, at) => `b1f0${at.toString(16).padStart(20, '0')}`);
  const changeId = await journal.newChangeId();
  const { result: writer, turns } = await countTurns(() => journal.begin(moveIntent(changeId), ids));
  expect(await readFile(join(folder, `${changeId}.ids`), 'utf8')).toBe(ids.join('\n'));
  expect(turns).toBeGreaterThan(90);
  await writer.end('stopped', {});
});
