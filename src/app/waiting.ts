import type { ChangeRecord, ItemState } from '../changes/journal/change-record.ts';
import type { Journal } from '../changes/journal/journal.ts';
import { KINDS } from '../changes/kinds.ts';
import { toldOut } from '../changes/notices/notices.ts';
import { changeResult } from '../changes/view/change-result.ts';
import { keptResult, keptTitle, overtakesText, timeText } from '../changes/view/kept-answer.ts';
import { summaryText } from '../changes/view/preview.ts';
import { type IdsShown, previewText, sizeOf } from '../changes/view/preview-text.ts';
import type { KeptChange } from '../changes/waiting/kept-change.ts';
import type { KeptPreview } from '../changes/waiting/kept-decisions.ts';
import { undefinedIfRefused } from '../errors.ts';
import { counted } from '../text/counted.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import type { Workspace } from './workspace.ts';

// What a terminal says of changes that wait for a person.

/** One that waits, in a few lines: what it would do, what it warns of first, and why it was not done. */
export function waitingText(change: KeptChange): string {
  const { warnings = [] } = toldOut(change.plan.preview);
  const more = warnings.length > 1 ? [`! … and ${counted(warnings.length - 1, 'more warning')}`] : [];
  const lines = [
    keptTitle(change),
    ...warnings.slice(0, 1).map((text) => `! ${text}`),
    ...more,
    ...(change.why === undefined ? [] : [change.why]),
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
    ...(change.why === undefined ? [] : [change.why]),
    ...overtakesText(change),
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
  const record = await journal.read(change.changeId).catch(undefinedIfRefused);
  return change.status === 'started' && record !== undefined ? outcomeText(record, journal) : `${String(keptResult(change).message)}\n`;
}

/** What was done, in numbers, and what of it was not. */
export async function outcomeText(record: ChangeRecord, journal: Journal): Promise<string> {
  const { message, notDoneFile } = await changeResult(record, journal);
  const isOpen = ({ outcome }: ItemState) => outcome !== 'done' && outcome !== 'pending';
  const open = record.items.filter(isOpen).map(({ label, reason = 'Not sent.' }) => `- ${label}: ${reason}`);
  const file = typeof notDoneFile === 'string' ? [`Each that was not done: ${notDoneFile}`] : [];
  return `${[String(message), ...open, ...file].join('\n')}\n`;
}

/** The changes that wait, and those that ended undecided, the newest first. */
export async function whatWaits({ decisions }: Pick<Workspace, 'decisions'>) {
  const { changes, damaged } = await decisions.list();
  const by = (status: KeptChange['status']) => changes.filter((change) => change.status === status);
  return { waiting: by('waiting'), expired: by('expired'), damaged: damaged.map(({ problem }) => problem) };
}
