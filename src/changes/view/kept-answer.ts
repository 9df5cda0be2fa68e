import { undefinedIfRefused } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { asSentence, inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { inTheirWords } from '../confirm/decision.ts';
import type { Journal } from '../journal/journal.ts';
import { isBeginning, type KeptChange } from '../waiting/kept-change.ts';
import { titleOf } from './change-title.ts';
import { MAX_SUMMARY } from './confirm-summary.ts';
import { overtakesText } from './overtakes-text.ts';
import { planLines } from './plan-lines.ts';
import { previewAnswer } from './preview-answer.ts';
import { recordViews } from './record-view.ts';
import { ASK_AGAIN, WAITED, waitedText } from './waited.ts';

/** Of a person’s words with an earlier decline. */
const MAX_NOTE = 300;

/** What a person calls to decide. */
const WAITING_COMMAND = 'video-hosting-mcp waiting';
const PAGE_COMMAND = 'video-hosting-mcp page';

/** A change that waits on disk for a person, for an assistant. */
export function keptAnswer(change: KeptChange, isNew: boolean, page?: number): Values {
  const { changeId, plan, why, expiresAt } = change;
  const message = [
    sentence`NOT DONE YET. ${keptTitle(change)}`,
    isNew ? sentence`It is kept until a person decides on it.` : sentence`It waits already for a person to decide on it.`,
    why ?? sentence`No one is asked now (VIDEO_HOSTING_CONFIRM is wait), and no standing approvals are set.`,
    ...declinedText(change),
    ...overtakenText(change),
    sentence`A person decides at a terminal, with: ${WAITING_COMMAND}; or in a browser, with: ${PAGE_COMMAND}. Nobody is asked before that, and it expires on ${timeText(expiresAt)}.`,
    sentence`Do not make the call again, which changes nothing while no standing approval covers it: get_change ${word(changeId)} tells what became of it, stop_change withdraws it.`,
  ];
  const preview = page === undefined ? undefined : previewAnswer(plan.preview, changeId, page);
  return { status: 'waiting', changeId, message: joined(message), ...definedFields({ preview }) };
}

/** A change that waits, or waited and was not begun; with what its plan warned of where that is asked for. */
export async function keptResult(
  change: KeptChange,
  journal: Pick<Journal, 'read'>,
  page?: number,
): Promise<Values & { readonly status: string }> {
  const { changeId, status, note } = change;
  if (status === 'waiting') return { ...keptAnswer(change, false, page), status };
  const message = joined([keptTitle(change), await keptEnded(change, journal, 'assistant'), ...noteText(note)]);
  return { status: status === 'started' ? (isBeginning(change) ? 'running' : 'failed') : status, changeId, message };
}

/** What became of one that waits no more, and that the journal does not have. */
export async function keptEnded(change: KeptChange, journal: Pick<Journal, 'read'>, reader: 'assistant' | 'person'): Promise<Sentence> {
  const { status } = change;
  if (status === 'answered') return answeredText(change, journal);
  if (status === 'started') return STARTED[isBeginning(change) ? 'begins' : 'failed'][reader];
  return reader === 'person' ? waitedText(status, 'disk') : sentence`${WAITED[status].assistant.disk} Nothing was sent.`;
}

const STARTED = {
  begins: {
    assistant: sentence`A person approved it, and it is about to begin. Look again with get_change.`,
    person: sentence`It was approved, and is about to begin.`,
  },
  failed: {
    assistant: sentence`A person approved it, and the process ended before it was begun. If it is still wanted, make the call again. Nothing was sent.`,
    person: sentence`It was approved, and the process ended before it was begun. ${ASK_AGAIN} Nothing was sent.`,
  },
};

/** The person’s words with their decision. */
export const noteText = (note: string): Sentence[] => (note === '' ? [] : [inTheirWords(note)]);

/** As what the same request was begun, and what allowed it in advance. */
async function answeredText({ begun }: KeptChange, journal: Pick<Journal, 'read'>): Promise<Sentence> {
  // Its file does not tell.
  if (begun === undefined) return sentence`${WAITED.answered.assistant.disk} Nothing was sent for this one.`;
  const record = await journal.read(begun).catch(undefinedIfRefused);
  const approvals = [...new Set(record?.intent.standing?.rules.map(({ approval }) => word(approval)))];
  const under = approvals.length === 0 ? sentence`` : sentence`, under ${joined(approvals, ' and ')}`;
  const status = record === undefined ? sentence`` : sentence` (${word(record.status)})`;
  return sentence`The same request was carried out as ${word(begun)}${under}${status}. Nothing was sent for this one.`;
}

/** What it would do, with the names of its first channels; of one channel, what becomes of it where that is short. */
export function keptTitle({ plan }: Pick<KeptChange, 'plan'>): Sentence {
  const { summary } = plan.preview;
  const items = 'items' in plan ? plan.items : [];
  const [line, ...others] = planLines({ lines: [], records: recordViews(items, plan) });
  const { changes = [], counts = [] } = line?.brief ?? {};
  const ofOne = sentence`${summary}: ${line?.label ?? ''} (${asSentence(changes.join(', '))})`;
  const isShort = changes.length > 0 && counts.length + others.length === 0 && ofOne.length < MAX_SUMMARY;
  return sentence`${isShort ? ofOne : titleOf(summary, items)}.`;
}

/** That a person declined the same before, so that nobody is asked twice unknowingly. */
export function declinedText({ declined }: Pick<KeptChange, 'declined'>): Sentence[] {
  if (declined === undefined) return [];
  const words = declined.note === '' ? sentence`.` : sentence`: ${inQuotes(declined.note, MAX_NOTE)}.`;
  return [sentence`A person declined the same on ${timeText(Date.parse(declined.at))}${words}`];
}

/** Which older changes it would overtake. */
export function overtakenText({ overtakes }: Pick<KeptChange, 'overtakes'>): Sentence[] {
  if (overtakes.length === 0) return [];
  const older = overtakes.map((id) => word(id));
  return [sentence`${overtakesText(older.length, false)} ${joined(older, ', ')}.`];
}

/** `2026-11-30 20:15 UTC` */
export const timeText = (ms: number): Sentence =>
  sentence`${word(new Date(ms).toISOString().slice(0, 10))} ${word(new Date(ms).toISOString().slice(11, 16))} UTC`;
