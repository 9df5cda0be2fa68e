import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';
import type { Recording } from './recording.ts';

export const RECORDINGS = join(root, 'evals', 'recordings');
const NAME = /^[\w-]+[/\\](?:wrapper-)?\d+\.json$/;

/** A turn is a line, and so is everything else: lists of ids are long. */
export function stringifyRecording(recording: Recording): string {
  const entries = Object.entries(recording).map(([name, value]) => {
    const text =
      name === 'turns' ? `[\n${recording.turns.map((turn) => `  ${JSON.stringify(turn)}`).join(',\n')}\n ]` : JSON.stringify(value);
    return ` ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}

export function parseRecording(text: string): Recording {
  // The driver wrote it.
  return JSON.parse(text) as Recording;
}

export interface Stored {
  /** `TASK/N.json`, or `TASK/wrapper-N.json`. */
  readonly name: string;
  readonly recording: Recording;
}

/** All recordings of a folder, in the order of their names. */
export function storedRecordings(folder = RECORDINGS): Stored[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => ({ name, recording: parseRecording(readFileSync(join(folder, name), 'utf8')) }));
}

/** Keeps a recording under the next free number of its task; returns its name. */
export function addRecording(recording: Recording, folder = RECORDINGS): string {
  const prefix = recording.server === 'ours' ? '' : `${recording.server}-`;
  for (let number = 1; ; number += 1) {
    const name = join(recording.task, `${prefix}${number}.json`);
    if (existsSync(join(folder, name))) continue;
    writeRecording({ name, recording }, folder);
    return name;
  }
}

export function writeRecording({ name, recording }: Stored, folder = RECORDINGS): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stringifyRecording(recording));
}
