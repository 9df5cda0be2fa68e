import { refusal } from '../../../errors.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { idListIn, moveIn } from '../../plan/facts.ts';
import { digestOfIds, digestOfRows, type IdRows } from '../../plan/id-files.ts';

/** The ids of an earlier bulk change. Throws `not_resumable` where they are gone or not those that were approved, or where they go is damaged. */
export async function readApprovedIds(journal: Journal, { intent }: ChangeRecord): Promise<string[]> {
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  const targets = moveIn(intent.facts)?.targetProjects ?? [{ count: ids.length }];
  const hasTargets = targets.reduce((sum, { count }) => sum + count, 0) === ids.length;
  if (hasTargets && ids.length === intent.ids && digestOfIds(ids) === idListIn(intent.facts)?.digest) return ids;
  throw damaged(sentence`The ids that were kept with ${word(intent.changeId)} are damaged or gone, so nothing is sent.`);
}

/** The rows of an earlier bulk change; undefined where there was none. Throws like `readApprovedIds`. */
export async function readApprovedRows(journal: Journal, { intent }: ChangeRecord): Promise<IdRows | undefined> {
  const approved = idListIn(intent.facts)?.rows;
  if (approved === undefined) return undefined;
  const rows = await journal.readRows(intent.changeId, intent.ids ?? 0);
  if (rows !== undefined && digestOfRows(rows) === approved) return rows;
  throw damaged(sentence`What was kept with ${word(intent.changeId)} of where its videos were is damaged or gone, so nothing is sent.`);
}

const damaged = (message: Sentence) => refusal('not_resumable', message, 'Name the videos again in a new change.');
