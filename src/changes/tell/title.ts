import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { rowNamed } from '../plan/channel-fields.ts';
import { wordOf } from '../plan/field-text.ts';
import { itemsOf, type PlannedItem } from '../plan/plan.ts';
import { changedIn } from '../plan/records.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { planLines } from './phrases.ts';

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
  const parts = changedIn(item).map((field) => (rowNamed(field)?.kind === 'list' ? sentence`${wordOf(field)}s` : wordOf(field)));
  return parts.length === 0 ? [] : [sentence`(${joined(parts, ', ')})`];
}

/** Of a title with what becomes of its one channel. */
const MAX_TITLE = 160;

/** What it would do, with the names of its first channels; of one channel, what becomes of it where that is short. */
export function keptTitle({ plan }: Pick<Proposal, 'plan'>): Sentence {
  const { summary } = plan.preview;
  const items = itemsOf(plan);
  const [line, ...others] = planLines(plan);
  const { changes = [], counts = [] } = line?.brief ?? {};
  const ofOne = sentence`${summary}: ${line?.label ?? ''} (${joined(changes, ', ')})`;
  const isShort = changes.length > 0 && counts.length + others.length === 0 && ofOne.length < MAX_TITLE;
  return sentence`${isShort ? ofOne : titleOf(summary, items)}.`;
}
