import { counted } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import { TRAITS } from '../plan/traits/index.ts';

/** How many records or ids of a change failed, were sent again and failed once more; of ids, those that `counts`. */
export function failedAgain({ items, bulk, hasFailedAgain }: ChangeRecord, counts: (index: number) => boolean = () => true): number {
  if (bulk === undefined) return items.filter((item) => item.outcome === 'failed' && item.failedAgain).length;
  return bulk.countIf((status, index) => status === 'failed' && hasFailedAgain?.(index) === true && counts(index));
}

/** What is to be done about them. */
export function failedAgainText({ intent: { kind, ids } }: ChangeRecord, count: number, reader: 'assistant' | 'person'): Sentence {
  const what = ids === undefined ? TRAITS[kind].record : 'video';
  const [they, them] = count === 1 ? (['it was', 'it'] as const) : (['they were', 'them'] as const);
  const [noHelp, again] = (
    {
      assistant: ['the same call alone is', 'retryFailed sends'],
      person: ['that alone is', 'your assistant can send'],
    } as const
  )[reader];
  return sentence`${counted(count, what)} failed again when ${they} sent again, so ${noHelp} no help: open ${them} in the dashboard to see what is wrong. Once that is mended, ${again} ${them} again.`;
}
