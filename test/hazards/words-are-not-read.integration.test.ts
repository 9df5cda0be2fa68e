/**
 * No code reads the program's own words. Every text of ours is marked, and what the server answers, asks and keeps is the same
 * but for the marks: statuses, counts, lists, their order, what is told and what is left out.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildMarkedCommand, withoutMarks } from '../harness/marked-command.ts';
import { type Place, STORIES, type Tell } from './stories.ts';

/** What happened, step by step. */
type Story = readonly (readonly [string, unknown])[];

let marked: Awaited<ReturnType<typeof buildMarkedCommand>>;
beforeAll(async () => {
  marked = await buildMarkedCommand();
});
afterAll(() => marked.remove());

test.each(Object.entries(STORIES))('%s: nothing goes by words', async (_, story) => {
  const [plain, other] = [await told(story, inject('command')), await told(story, marked.command)];
  expect(withoutMarks(other), 'the words are marked').not.toBe(other);
  expect(comparable(withoutMarks(other))).toEqual(comparable(plain));
});

async function told(story: (place: Place, tell: Tell) => Promise<void>, command: string): Promise<string> {
  const steps: [string, unknown][] = [];
  await story({ server: { via: 'process', command } }, (what, of) => steps.push([what, of]));
  return JSON.stringify(steps);
}

/** What differs between any two runs: secrets, processes and digests of what was shown by their field; ids of changes, times and places, those of the builds too, wherever they stand. */
const VOLATILE: ReadonlySet<string> = new Set(['confirmationToken', 'planDigest', 'process', 'credential', 'shown', 'expiresAt']);
const VARIABLE =
  /chg-[0-9a-z]{9}-[0-9a-z]{4}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\d{4}-\d\d-\d\d \d\d:\d\d(?= UTC)|(?<=reports\/)[\w-]{12}|127\.0\.0\.1:\d+|\/[^" ]*video-hosting-test-\w+|\/[^" ]*\/main\.cjs|(?<=confirmationToken: )\S+|(?<=summary: ).*/g;

/** The summary of a preview tells what it has room for, of which the marks take a part. */
const isOfPreview = (key: string, holder: unknown): boolean =>
  key === 'summary' && typeof holder === 'object' && holder !== null && 'lines' in holder;

function comparable(story: string): Story {
  const ids = new Map<string, string>();
  const replaced = (found: string): string => {
    if (!found.startsWith('chg-')) return '…';
    if (!ids.has(found)) ids.set(found, `change ${ids.size + 1}`);
    return ids.get(found) ?? '';
  };
  function whole(this: unknown, key: string, value: unknown): unknown {
    if (VOLATILE.has(key) || isOfPreview(key, this)) return key;
    return typeof value === 'string' ? value.replace(VARIABLE, replaced) : value;
  }
  return JSON.parse(story, whole) as Story; // what was written
}
