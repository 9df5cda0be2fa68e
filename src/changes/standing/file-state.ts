import { type BigIntStats, lstatSync } from 'node:fs';

/** How a file is, so that it is read again only where it is another one or was written to. */
export const stateIn = ({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');

/** At once, since it takes a tenth of the time of a look that another thread makes, and three of them come before each batch. */
export function stateOf(path: string): string {
  try {
    return stateIn(lstatSync(path, { bigint: true }));
  } catch {
    return '-';
  }
}
