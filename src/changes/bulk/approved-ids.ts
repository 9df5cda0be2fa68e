/**
 * The ids of an earlier bulk change, read from the file beside its journal, if they are still those that a person agreed
 * to. Carrying on and undoing both begin here.
 */
import { VideoHostingError } from '../../errors.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { digestOfIds } from './id-lines.ts';

/** Throws `not_resumable` where there are none, or their digest is not the one in the intent. */
export async function readApprovedIds(journal: Journal, { intent }: ChangeRecord): Promise<string[]> {
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  if (ids.length === intent.ids && digestOfIds(ids) === intent.facts.digest) return ids;
  throw new VideoHostingError('not_resumable', `The ids that were kept with ${intent.changeId} are damaged or gone, so nothing is sent.`, {
    facts: { outcome: 'nothing-sent' },
    hint: 'Name the videos again in a new change.',
  });
}
