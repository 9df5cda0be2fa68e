import { createTurns, LEFT_TO_OTHERS } from './turns.ts';
import { whoseWork } from './whose-work.ts';

/** What has fewer entries takes a moment that nobody notices. */
const MANY = 5_000;

/** Of an id in a list, with what parts it from the next. */
const BYTES_OF_ENTRY = 27;

/** For how many entries a text counts, by which it is known whether it takes long to look at. */
export const entriesOfText = (length: number): number => length / BYTES_OF_ENTRY;

/** For how many entries a value counts: with those of the lists in it, and its texts. */
export function entriesIn(value: unknown): number {
  if (typeof value === 'string') return Math.max(1, entriesOfText(value.length));
  if (typeof value !== 'object' || value === null) return 1;
  let entries = 0;
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) entries += entriesIn(inner);
  return entries;
}

const turns = createTurns(2);
const waiting: { readonly who: string; readonly start: () => void }[] = [];
let isTaken = false;

function startNext(): void {
  const next = turns.next(waiting);
  isTaken = next !== undefined;
  if (next === undefined) return;
  waiting.splice(waiting.indexOf(next), 1);
  turns.begin(next.who);
  const began = performance.now();
  next.start();
  // Once what it did without a break is over.
  setImmediate(() => {
    turns.end(next.who);
    setTimeout(startNext, (performance.now() - began) * LEFT_TO_OTHERS);
  });
}

/**
 * To be awaited just before what looks at so many entries without a break. Of several people whose requests share the thread, only one does
 * something long at a time, each in turn, and after it the others’ short requests have the thread for twice as long: whoever sends long lists
 * without end makes nobody but themselves wait. Throws the signal’s reason where it was given up meanwhile.
 */
export async function longPiece(entries: number, signal?: AbortSignal): Promise<void> {
  const who = whoseWork();
  if (who === undefined || entries < MANY) return;
  await new Promise<void>((start) => {
    waiting.push({ who, start });
    if (!isTaken) startNext();
  });
  signal?.throwIfAborted();
}
