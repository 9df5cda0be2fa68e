import { hostname } from 'node:os';
import { isRunning } from '../../../platform/files.ts';

/** This machine's name, as it may stand in the name of a file. */
const HOST = hostname().replace(/[^\w.-]/g, '_');

/** Marks what belongs to this process: its machine and its id. */
export const processMark = (): string => `${HOST}~${process.pid}`;

/** Whether the process with a mark is gone for sure. Of another machine's nobody here can tell. */
export function isGone(mark: string): boolean {
  const [, host, pid] = /^([\w.-]+)~(\d+)$/.exec(mark) ?? [];
  return host === HOST && !isRunning(Number(pid));
}
