import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkExclusive } from '../../platform/files.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { type Stopped, StoppedSchema } from '../plan/asked-and-decided.ts';
import { OFFER } from './file-names.ts';

/** The file with which another process asks for a change to stop. */
export const stopFileOf = (folder: string, changeId: string): string => join(folder, `${changeId}.stop`);

/** Asks the process that carries a change out to stop it; the first who asks counts. */
export async function requestStop(folder: string, changeId: string, by: Stopped): Promise<void> {
  await linkExclusive(join(folder, `${changeId}.${randomUUID()}${OFFER}`), JSON.stringify(by), stopFileOf(folder, changeId));
}

/** Who asks; undefined where it is not known. */
export function stopRequestIn(file: string): Stopped | undefined {
  try {
    return StoppedSchema.safeParse(parseJsonOrUndefined(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
