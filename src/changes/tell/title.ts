import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { partOf } from '../plan/field-text.ts';
import { itemsOf, type PlannedItem, type ShownPlan } from '../plan/plan.ts';
import { changedIn } from '../plan/records.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { changesIn, numbersIn, planPhrases } from './phrases.ts';

/** Names of channels in a title. */
const MAX_LABELS = 3;

type Titled = Pick<PlannedItem, 'label' | 'seen' | 'before' | 'after'>;

/** The title of a change in a list: what is done, its channels and what of them changes, since most of what is done is alike. No full stop. */
export function titleOf(summary: Sentence, items: readonly Titled[]): Sentence {
  const labels = items.filter(({ seen }) => seen !== null).map((item) => joined([item.label, ...fieldWords(item)]));
  if (labels.length === 0) return summary;
  const more = labels.length > MAX_LABELS ? sentence` and ${labels.length - MAX_LABELS} more` : sentence``;
  return sentence`${summary}: ${joined(labels.slice(0, MAX_LABELS), ', ')}${more}`;
}

function fieldWords(item: Titled): Sentence[] {
  const parts = changedIn(item).map(partOf);
  return parts.length === 0 ? [] : [sentence`(${joined(parts, ', ')})`];
}

/** Of a title with what becomes of its one channel. */
const MAX_TITLE = 160;

/** What it would do, with the names of its first channels; of one channel, what becomes of it where that is short. */
export function keptTitle({ plan }: Pick<Proposal, 'plan'>): Sentence {
  const { summary } = plan.preview;
  const items = itemsOf(plan);
  return sentence`${titleOfOne(plan) ?? titleOf(summary, items)}.`;
}

/** What becomes of the only record, where that is an update without lists that is told in few words. */
function titleOfOne(plan: ShownPlan): Sentence | undefined {
  const [record, ...others] = planPhrases(plan);
  if (record?.label === undefined || others.length + numbersIn(record).length > 0) return undefined;
  if (record.phrases.length === 0 || record.phrases.some(({ inParts }) => inParts === undefined)) return undefined;
  const title = sentence`${plan.preview.summary}: ${record.label} (${joined(changesIn(record), ', ')})`;
  return title.length < MAX_TITLE ? title : undefined;
}
