import { type BigIntStats, lstatSync } from 'node:fs';

/** How a file is, so that it is read again only where it is another one or was written to. */
export const stateIn = ({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');

/** At once, since it takes a tenth of the time of a look that another thread makes, and three of them come before each batch. */
export const stateOf = (path: string): string => stateAndTime(path).state;

/** A file system may give two edits within so long the same time: FAT counts in steps of two seconds. */
const TICK_MS = 2_000;
let looks = 0;

/** The same; another at each look while a further edit might leave no trace in the file’s times. */
export function stateNow(path: string): string {
  const { state, ctimeMs } = stateAndTime(path);
  if (Date.now() - ctimeMs >= TICK_MS) return state;
  looks += 1;
  return `${state}, look ${looks}`;
}

function stateAndTime(path: string): { readonly state: string; readonly ctimeMs: number } {
  try {
    const info = lstatSync(path, { bigint: true });
    return { state: stateIn(info), ctimeMs: Number(info.ctimeMs) };
  } catch {
    return { state: '-', ctimeMs: Number.NEGATIVE_INFINITY };
  }
}
