import { undefinedIfRefused } from '../../errors.ts';
import { ownCommand } from '../../text/own-command.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { isFact, isNotice, phrases, roomFor, toldOut } from '../notices/notices.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { summaryText } from '../plan/preview.ts';
import { countedIn } from '../plan/traits/index.ts';
import type { ProposalPreview } from '../proposals/decisions.ts';
import { proposalEnded } from '../proposals/ended-text.ts';
import { type Proposal, recordId } from '../proposals/proposal.ts';
import { sizeOf } from '../proposals/size.ts';
import { askedBy, askedText, confirmedText, stoppedIn, toldText } from './agreement.ts';
import { NOT_SENT } from './message.ts';
import { decidedBefore, noteText, overtakesOthers } from './not-begun.ts';
import { planLines, wholeLine } from './plan-lines.ts';
import { laterResult } from './result.ts';
import { proposalTitle } from './title.ts';
import { idLines } from './video-lines.ts';

// What a terminal says of changes that wait for a person.

/** One that waits, in a few lines: what it would do, what weighs most, and why it was not done. */
export function waitingText(change: Proposal): string {
  const warnings = phrases(change.plan.preview, 'short').filter((one) => !isFact(one));
  // All that speaks against it, and at least what weighs most.
  const { shown, left } = roomFor(warnings, 1, 'contradicted');
  const lines = [
    proposalTitle(change),
    ...shown.map(({ text }) => `! ${text}`),
    ...left.map((more) => `! … and ${more}`),
    ...(change.why === undefined ? decidedBefore(change) : [change.why]),
    ...overtakesOthers(change),
  ];
  return `${headOf(change)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

const headOf = ({ changeId, asked, at, expiresAt }: Proposal): Sentence =>
  sentence`${word(changeId)}, ${joined([sentence`asked`, askedBy(asked)].filter((text) => text !== ''))} on ${timeText(at)}, expires on ${timeText(expiresAt)}`;

/** One in full, with what covers it now. */
export function fullText({ change, plan, conflicts, problem }: ProposalPreview): string {
  const then = change.why === undefined ? [] : [sentence`When it was asked for: ${change.why}`];
  const { standing } = plan.preview;
  const lines = [
    headOf(change),
    ...(standing === undefined ? then : [standing]),
    ...decidedBefore(change),
    ...overtakesOthers(change),
    ...(conflicts.length === 0 ? [] : ['The account changed since it was asked for:', ...conflicts]),
    '',
    ...previewText(plan),
    '',
    ...(problem === undefined ? [] : [`It can’t be carried out now, and still waits. It can be declined. ${problem}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The whole preview in lines, for a terminal: what is lost first, and each id in a line of its own. */
function previewText(plan: ShownPlan): readonly string[] {
  const { preview } = plan;
  const { notices, onFailure, undo } = preview;
  const { warnings = [], notes = [] } = toldOut(preview);
  return [
    summaryText(preview),
    ...warnings.map((text) => `! ${text}`),
    ...planLines(plan, 'none').map((line) => `- ${wholeLine(line)}`),
    ...('ids' in plan ? idLines(plan) : []).map((line) => `- ${line}`),
    ...notes,
    ...(onFailure === '' ? [] : [onFailure]),
    // A warning says it already.
    ...(notices.some(isNotice('no_undo')) ? [] : [undo.how]),
  ];
}

/** What a person types to decide, with what it is about once more: the preview may be longer than the window. */
export function questionOf({ plan }: ProposalPreview, action: 'approve' | 'decline') {
  const what = sentence`${countedIn(plan.kind, 'ids' in plan)}s`;
  return {
    size: sizeOf(plan),
    about: `${proposalTitle({ plan })}\nTo ${action} it, type the number of ${what}; anything else leaves it waiting.\n`,
    question: `Number of ${what}:`,
  };
}

/** What became of one that waits no more: of what was begun, from the journal. */
export async function resultText(change: Proposal, journal: Journal): Promise<string> {
  const { changeId, status, note } = change;
  const record = status === 'started' ? await journal.read(recordId(change)).catch(undefinedIfRefused) : undefined;
  if (record !== undefined) return outcomeText(record, journal);
  return `${joined([sentence`${word(changeId)}: ${proposalTitle(change)}`, proposalEnded(change, 'person'), ...noteText(note)])}\n`;
}

/** What was done, and what of it was not, and how it is undone. */
export async function outcomeText(record: ChangeRecord, journal: Journal): Promise<string> {
  const { message, undo, ...result } = await laterResult(record, journal);
  const asked = askedText(record.agreed);
  const stopped = stoppedIn(record, 'person');
  const notDoneFile = 'notDoneFile' in result ? result.notDoneFile : undefined;
  const notDone = record.items.filter(({ outcome }) => outcome !== 'done' && outcome !== 'pending');
  const lines = [
    sentence`${word(record.intent.changeId)}: ${message}`,
    joined([
      ...(asked === undefined ? [] : [asked]),
      confirmedText(record, 'person'),
      ...(stopped === undefined ? [] : [toldText(stopped)]),
    ]),
    ...notDone.map(({ label, reason = NOT_SENT }) => `- ${label}: ${reason}`),
    ...(notDoneFile === undefined ? [] : [`Each that was not done: ${notDoneFile}`]),
    undo.how,
    ...(undo.possible === 'no' ? [] : [howToUndo()]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const howToUndo = (): Sentence => sentence`To undo it: Undo on the page (${ownCommand('page')}), or ask your assistant.`;
