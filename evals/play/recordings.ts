import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';
import type { Recording } from './recording.ts';
import { type Surface, stringifySurface, surfaceDigest } from './surface.ts';

export const RECORDINGS = join(root, 'evals', 'recordings');
const NAME = /^[\w-]+[/\\](?:wrapper-)?\d+\.json$/;

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
export function addRecording(recording: Recording, surface: Surface, folder = RECORDINGS): string {
  const prefix = recording.server === 'ours' ? '' : `${recording.server}-`;
  for (let number = 1; ; number += 1) {
    const name = join(recording.task, `${prefix}${number}.json`);
    if (existsSync(join(folder, name))) continue;
    writeRecording({ name, recording }, folder);
    writeSurface(surface, folder);
    return name;
  }
}

export function writeRecording({ name, recording }: Stored, folder = RECORDINGS): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stringifyRecording(recording));
}

const surfaceFile = (digest: string, folder: string): string => join(folder, 'surfaces', `${digest}.json`);

export function writeSurface(surface: Surface, folder = RECORDINGS): void {
  mkdirSync(join(folder, 'surfaces'), { recursive: true });
  writeFileSync(surfaceFile(surfaceDigest(surface), folder), stringifySurface(surface));
}

/** The instructions and tools that recordings with this digest were made with, as they are written. */
export function storedSurface(digest: string, folder = RECORDINGS): string | undefined {
  const file = surfaceFile(digest, folder);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Removes surfaces that no recording names. */
export function pruneSurfaces(folder = RECORDINGS): void {
  const used = new Set(storedRecordings(folder).map(({ recording }) => `${recording.surface}.json`));
  const surfaces = join(folder, 'surfaces');
  if (existsSync(surfaces)) for (const name of readdirSync(surfaces)) if (!used.has(name)) rmSync(join(surfaces, name));
}
