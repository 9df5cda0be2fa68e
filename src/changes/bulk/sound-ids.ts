import { VideoHostingError } from '../../errors.ts';
import type { ChangeRecord } from '../change-record.ts';
import type { Journal } from '../journal.ts';
import { digestOfIds } from './id-lines.ts';

/** The ids of a bulk change, if they are still those that a person agreed to. Throws `not_resumable`. */
export async function readSoundIds(journal: Journal, { intent }: ChangeRecord): Promise<string[]> {
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  if (ids.length === intent.ids && digestOfIds(ids) === intent.facts.digest) return ids;
  throw new VideoHostingError('not_resumable', `The ids that were kept with ${intent.changeId} are damaged or gone, so nothing is sent.`, {
    facts: { outcome: 'nothing-sent' },
    hint: 'Name the videos again in a new change.',
  });
}
