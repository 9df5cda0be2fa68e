import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording, Turn } from './recording.ts';

/** Texts of several lines are written as lists of lines, so that a difference shows where it is. */
export function stringifyRecording(recording: Recording): string {
  const inLines = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && value.includes('\n') ? { lines: value.split('\n') } : value;
  return `${JSON.stringify(recording, inLines, 1)}\n`;
}

export function parseRecording(text: string): Recording {
  const joined = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('lines' in value) || Object.keys(value).length > 1) return value;
    return Array.isArray(value.lines) ? value.lines.join('\n') : value;
  };
  // The driver wrote it.
  return JSON.parse(text, joined) as Recording;
}

export interface Stored {
  /** Relative to the folder of all recordings. */
  readonly name: string;
  readonly path: string;
  readonly recording: Recording;
}

/** All recordings below a folder, `TASK/N.json`, in the order of their names. */
export function storedRecordings(folder: string): Stored[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, path: join(folder, name), recording: parseRecording(readFileSync(join(folder, name), 'utf8')) }));
}

export function isCall(turn: Turn): turn is Extract<Turn, { call: string }> {
  return 'call' in turn;
}
