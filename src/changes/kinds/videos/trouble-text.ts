import type { Trouble } from '../../../service/approval.ts';
import { inFull } from '../../../text/counted.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { bulkCounts } from '../../journal/bulk-state.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';

const HOURS_AND_MINUTES = [11, 16] as const;

/** What keeps a running change from going on: `The service answers 503 since 10:41 UTC, 3,000 are waiting, next try in 8 s.` */
export function troubleText({ status = 0, sinceMs, nextTryMs }: Trouble, waiting: number): Sentence {
  const answers = status < 400 ? sentence`The service gives no answer that can be read` : sentence`The service answers ${status}`;
  const since = word(new Date(sinceMs).toISOString().slice(...HOURS_AND_MINUTES));
  const number = inFull(waiting);
  const seconds = Math.ceil((nextTryMs - Date.now()) / 1_000);
  const next = seconds > 0 ? sentence`next try in ${seconds} s` : sentence`tried again now`;
  return sentence`${answers} since ${since} UTC, ${number} ${waiting === 1 ? 'is' : 'are'} waiting, ${next}.`;
}

/** The same of a change that runs in this process; undefined where nothing is in its way, or it is over. */
export function troubleOf({ status, items, bulk }: ChangeRecord, trouble: Trouble | undefined): Sentence | undefined {
  if (status !== 'running' || trouble === undefined) return undefined;
  return troubleText(trouble, bulk === undefined ? items.filter(({ outcome }) => outcome === 'pending').length : bulkCounts(bulk).left);
}
