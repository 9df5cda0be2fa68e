import type { ChangeRecord, ItemState } from '../changes/journal/change-record.ts';
import type { Journal } from '../changes/journal/journal.ts';
import { KINDS } from '../changes/kinds.ts';
import { toldOut } from '../changes/notices/notices.ts';
import { laterResult } from '../changes/view/change-result.ts';
import { declinedText, keptEnded, keptTitle, noteText, overtakenText, timeText } from '../changes/view/kept-answer.ts';
import { planLines } from '../changes/view/plan-lines.ts';
import { summaryText } from '../changes/view/preview.ts';
import { wholeLine } from '../changes/view/preview-answer.ts';
import { type IdsShown, previewText, sizeOf } from '../changes/view/preview-text.ts';
import { recordViews } from '../changes/view/record-view.ts';
import { isWaiting, type KeptChange } from '../changes/waiting/kept-change.ts';
import type { KeptPreview } from '../changes/waiting/kept-decisions.ts';
import { refusal, undefinedIfRefused } from '../errors.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { counted } from '../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import type { Workspace } from './workspace.ts';

// What a terminal says of changes that wait for a person.

/** The change with an id, or the one whose id alone begins or ends so: of those that wait, else of all. Throws with what it may be. */
export async function changeCalled(id: string, { decisions }: Pick<Workspace, 'decisions'>): Promise<KeptChange> {
  const exact = await decisions.get(id);
  if (exact !== undefined) return exact;
  const { changes } = await decisions.list();
  const waiting = changes.filter(isWaiting);
  const named = (some: readonly KeptChange[]) =>
    some.filter(({ changeId }) => id !== '' && (changeId.startsWith(id) || changeId.endsWith(id)));
  const ofWaiting = named(waiting);
  const found = ofWaiting.length > 0 ? ofWaiting : named(changes);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const candidates = joined(
    (only === undefined ? waiting : found).map((change) => sentence`${word(change.changeId)} (${keptTitle(change)})`),
    ', ',
  );
  if (only !== undefined)
    throw refusal(
      'not_found',
      sentence`The ids of ${found.length} changes begin or end with ${inQuotes(id)}. Give more of one: ${candidates}.`,
    );
  throw refusal('not_found', sentence`No change ${inQuotes(id)} waits in this account. Those that wait: ${candidates || 'none'}.`);
}

/** One that waits, in a few lines: what it would do, what it warns of first, and why it was not done. */
export function waitingText(change: KeptChange): string {
  const { warnings = [] } = toldOut(change.plan.preview);
  const more = warnings.length > 1 ? [`! … and ${counted(warnings.length - 1, 'more warning')}`] : [];
  const lines = [
    keptTitle(change),
    ...warnings.slice(0, 1).map((text) => `! ${text}`),
    ...more,
    ...(change.why === undefined ? [] : [change.why]),
    ...declinedText(change),
    ...overtakenText(change),
  ];
  return `${askedText(change)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

const askedText = ({ changeId, agent, at, expiresAt }: KeptChange): Sentence =>
  sentence`${word(changeId)}, asked for${agent === undefined ? '' : sentence` by ${word(agent)}`} on ${timeText(at)}, expires on ${timeText(expiresAt)}`;

/** Of many videos, so many ids are listed where a person looks, and so many where they decide. */
const MAX_IDS = { show: 20, decide: 200 } as const;

/** How the ids of a change are listed: into a pipe or a file, all of them. */
export const idsShown = ({ changeId }: KeptChange, to: 'show' | 'decide' | 'pipe'): IdsShown =>
  to === 'pipe' ? 'each' : { most: MAX_IDS[to], command: sentence`video-hosting-mcp waiting show ${word(changeId)}` };

/** One in full, as it would be carried out now. */
export function fullText({ change, plan, conflicts, isNothing }: KeptPreview, ids: IdsShown): string {
  const lines = [
    askedText(change),
    ...(change.why === undefined ? [] : [sentence`When it was asked for: ${change.why}`]),
    ...declinedText(change),
    ...overtakenText(change),
    ...(conflicts.length === 0 ? [] : ['The account changed since it was planned, and this is the plan as it is now:', ...conflicts]),
    '',
    ...(isNothing ? [sentence`${summaryText(plan.preview)} Nothing is left to be done.`] : previewText(plan, ids)),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** As it was planned when it was asked for, where it can’t be planned any more. */
export const plannedText = (change: KeptChange): string => `${[askedText(change), ...previewText(change.plan, 'each')].join('\n')}\n`;

/** What a person types to decide, with what it counts. */
export const sizeText = ({ plan }: Pick<KeptPreview, 'plan'>): { readonly size: number; readonly what: Sentence } => ({
  size: sizeOf(plan),
  what: sentence`${KINDS[plan.kind].record}s`,
});

/** What became of one that waits no more: of what was begun, from the journal. */
export async function endedText(change: KeptChange, journal: Journal): Promise<string> {
  const { changeId, status, decidedAt } = change;
  const record = status === 'started' ? await journal.read(changeId).catch(undefinedIfRefused) : undefined;
  if (record === undefined || decidedAt === undefined)
    return `${joined([keptTitle(change), await keptEnded(change, journal, 'person'), ...noteText(change.note)])}\n`;
  const approved = sentence`${word(changeId)} was approved already, on ${timeText(Date.parse(decidedAt))}. Nothing was sent now. What came of it:`;
  return `${approved}\n\n${await outcomeText(record, journal)}`;
}

/** What was done, and what of it was not; its id, and how it is undone. */
export async function outcomeText(record: ChangeRecord, journal: Journal): Promise<string> {
  const { items, intent } = record;
  const { message, notDoneFile, undo } = await laterResult(record, journal);
  const { possible, how } = fieldsIn(undo);
  const done = items.filter(({ outcome }) => outcome === 'done');
  const isOpen = ({ outcome }: ItemState) => outcome !== 'done' && outcome !== 'pending';
  const lines = [
    String(message),
    ...planLines({ lines: [], records: recordViews(done, intent) }).map((line) => `- ${wholeLine(line)}`),
    ...items.filter(isOpen).map(({ label, reason = 'Not sent.' }) => `- ${label}: ${reason}`),
    ...(typeof notDoneFile === 'string' ? [`Each that was not done: ${notDoneFile}`] : []),
    sentence`The change’s id is ${word(intent.changeId)}.`,
    String(how),
    ...(possible === 'no' ? [] : [UNDONE_BY]),
  ];
  return `${lines.join('\n')}\n`;
}

const UNDONE_BY = sentence`To undo it: Undo on the page (video-hosting-mcp page), or ask your assistant.`;

/** The changes that wait, and those that ended undecided, the oldest first: as they are decided. */
export async function whatWaits({ decisions }: Pick<Workspace, 'decisions'>) {
  const { changes, damaged } = await decisions.list();
  const oldestFirst = changes.toSorted((one, other) => one.at - other.at);
  const by = (status: KeptChange['status']) => oldestFirst.filter((change) => change.status === status);
  return { waiting: by('waiting'), expired: by('expired'), damaged: damaged.map(({ problem }) => problem) };
}
