import { createHash } from 'node:crypto';
import { VideoHostingError } from '../../errors.ts';
import type { ChangeRecord } from '../change-record.ts';
import type { Journal } from '../journal.ts';

const AT_ONCE = 10_000;

/** By which the same ids are known again. */
export function digestOfIds(ids: readonly string[]): string {
  const digest = createHash('sha256');
  for (let at = 0; at < ids.length; at += AT_ONCE) digest.update(`${ids.slice(at, at + AT_ONCE).join('\n')}\n`);
  return digest.digest('hex');
}

/** The ids of a bulk change, if they are still those that a person agreed to. Throws `not_resumable`. */
export async function readSoundIds(journal: Journal, { intent }: ChangeRecord): Promise<string[]> {
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  if (ids.length === intent.ids && digestOfIds(ids) === intent.facts.digest) return ids;
  throw new VideoHostingError('not_resumable', `The ids that were kept with ${intent.changeId} are damaged or gone, so nothing is sent.`, {
    facts: { outcome: 'nothing-sent' },
    hint: 'Name the videos again in a new change.',
  });
}
