import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** How a file is, so that it is read again only where it is another one or was written to. */
export const stateIn = ({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string => [ino, size, mtimeNs, ctimeNs, mode].join(' ');

export const stateOf = (path: string): Promise<string> => stat(path, { bigint: true }).then(stateIn, () => '-');
