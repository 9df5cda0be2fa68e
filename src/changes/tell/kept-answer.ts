import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import { itemsOf } from '../plan/plan.ts';
import { inTheirWords } from '../proposals/decision.ts';
import { keptEnded } from '../proposals/ended-text.ts';
import { type Proposal, shownStatus } from '../proposals/proposal.ts';
import { waitsOf } from '../proposals/routes/index.ts';
import { overtakesText } from '../proposals/waited.ts';
import { titleOf } from './change-title.ts';
import { planLines } from './plan-lines.ts';
import { previewAnswer } from './preview-answer.ts';

/** A change that waits on disk for a person, for an assistant. */
export function keptAnswer(change: Proposal, isNew: boolean, page?: number) {
  const { changeId, plan, why, lacks, expiresAt } = change;
  const { onDisk } = waitsOf(change.route);
  const message = [
    sentence`NOT DONE YET. ${keptTitle(change)}`,
    isNew ? sentence`It is kept until a person decides on it.` : sentence`It waits already for a person to decide on it.`,
    // Why nothing covers what was declined tells of that by itself.
    ...(why === undefined ? [...(onDisk ? [onDisk.why] : []), ...decidedBefore(change)] : [why]),
    ...overtakenText(change),
    ...(onDisk ? [sentence`${onDisk.where}, and it expires on ${timeText(expiresAt)}.`] : []),
    lacks === undefined
      ? sentence`Do not make the call again, which changes nothing while no standing approval covers it: ${laterText(changeId)}.`
      : sentence`${lacks} Once that has begun, this one is withdrawn by itself. Called again as it was, it changes nothing: ${laterText(changeId)}.`,
  ];
  const preview = page === undefined ? undefined : previewAnswer(plan, changeId, page);
  return { status: 'waiting', changeId, message: joined(message), ...definedFields({ preview }) } as const;
}

const laterText = (changeId: string): Sentence => sentence`get_change ${word(changeId)} tells what became of it, stop_change withdraws it`;

/** A change that waits, or waited and was not begun; with what its plan warned of where that is asked for. */
export function keptResult(change: Proposal, page?: number) {
  const { changeId, status, note } = change;
  if (status === 'waiting') return { ...keptAnswer(change, false, page), status };
  const message = joined([keptTitle(change), keptEnded(change, 'assistant'), ...noteText(note)]);
  return { status: shownStatus(change), changeId, message };
}

/** The person’s words with their decision. */
export const noteText = (note: string): Sentence[] => (note === '' ? [] : [inTheirWords(note)]);

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

/** That a person declined the same before, or approved it in vain, so that nobody decides twice unknowingly. */
export const decidedBefore = ({ declinedAt, leftAt }: Pick<Proposal, 'declinedAt' | 'leftAt'>): Sentence[] => [
  ...(leftAt === undefined
    ? []
    : [
        sentence`A person approved it on ${timeText(Date.parse(leftAt))}, and the process ended before it was begun: it has to be decided on again.`,
      ]),
  ...(declinedAt === undefined ? [] : [sentence`A person declined the same on ${timeText(Date.parse(declinedAt))}.`]),
];

/** Which older changes it would overtake. */
export function overtakenText({ overtakes }: Pick<Proposal, 'overtakes'>): Sentence[] {
  if (overtakes.length === 0) return [];
  return [sentence`${overtakesText(overtakes.length)} ${wordList(overtakes)}.`];
}
