import { definedFields } from '../../platform/defined-fields.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { counted, inFull } from '../../text/counted.ts';
import type { Sentence } from '../../text/sentence.ts';
import { sentence } from '../../text/sentence.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import { plannedUndo, undoOf } from '../kinds/undoable.ts';
import { withoutTried } from '../kinds/videos/untried-credential.ts';
import { isFact, isNotice, type NoticeKind, phrases } from '../notices/notices.ts';
import { CONFIRMED_BY, type Reader } from '../plan/confirmed-by.ts';
import type { Undo } from '../plan/preview.ts';
import { receiptText } from '../plan/receipt.ts';
import { countedUse } from '../standing/usage.ts';
import { askedText, type Told, toldDecided, toldNow, toldText } from './asked-and-decided-text.ts';

// The fields that the answers about changes of every kind share.

/** Of a change whose process is gone. */
export const INTERRUPTED = sentence`The server ended in the middle.`;

/** Warnings in the answer to a confirmed change; its resource has all of them. */
const MAX_WARNINGS = 10;

/** Who asked for a change, how it was confirmed, and what the user was told where the assistant saw no preview; `elsewhere` are those of other fields of the answer. */
export function agreedOut(record: ChangeRecord, ...elsewhere: readonly NoticeKind[]) {
  const agreed = {
    ...definedFields({ asked: askedText(record.agreed, toldNow) }),
    confirmed: toldNow(toldConfirmed(record, 'assistant')),
  };
  if (CONFIRMED_BY[record.intent.decided.how].warned === 'assistant') return agreed;
  const told = phrases({
    notices: withoutTried(record).filter((notice) => !isNotice(...elsewhere)(notice)),
    undo: plannedUndo(record.intent),
  });
  const notes = told.filter(isFact).map(({ text }) => text);
  const cautions = told.filter((one) => !isFact(one));
  // What weighs most is never left out.
  const shown = cautions.filter(({ weight }, index) => index < MAX_WARNINGS || weight !== 'caution');
  const left = cautions.length - shown.length;
  const warnings = [
    ...shown.map(({ text }) => text),
    ...(left === 0 ? [] : [sentence`And ${counted(left, 'more warning')} that weigh less.`]),
  ];
  return { ...agreed, ...(warnings.length === 0 ? {} : { warnings }), ...(notes.length === 0 ? {} : { notes }) };
}

/** Who asked for a change and how it was confirmed, with the times of both. */
export const agreementOut = (record: ChangeRecord) => ({
  ...definedFields({ asked: askedText(record.agreed) }),
  confirmed: confirmedText(record, 'assistant'),
});

/** How a change was confirmed, and when, for whoever reads it. */
export const confirmedText = (record: ChangeRecord, reader: Reader): Sentence => toldText(toldConfirmed(record, reader));

/** The same where the layout shows the time in its own way. */
export function toldConfirmed(record: ChangeRecord, reader: Reader): Told {
  const receipt = receiptOf(record);
  return receipt === undefined ? toldDecided(record.intent.decided, reader) : { words: receipt };
}

/** By which standing approvals it was covered. */
function receiptOf(record: ChangeRecord): Sentence | undefined {
  const { decided, standing } = record.intent;
  if (!CONFIRMED_BY[decided.how].hasReceipt || standing === undefined) return undefined;
  return receiptText(standing, (use) => countedUse(record, use));
}

/** Whether and how it can be undone. */
export function undoOut(...known: Parameters<typeof undoOf>): Undo {
  const { possible, how } = undoOf(...known);
  return { possible, how };
}

/** What kept it from its end, and what to do next. */
export function troubleOut({ ended }: Pick<ChangeRecord, 'ended'>): { readonly note?: Sentence } {
  if (ended?.message === undefined) return {};
  return { note: ended.hint === undefined ? ended.message : sentence`${ended.message} Next: ${ended.hint}` };
}

/** What the latest run of a change that was resumed did, of the whole that other sentences are about. */
export function lastRun({ resumed }: ChangeRecord, done: number, verb: Sentence): Sentence[] {
  if (resumed === undefined) return [];
  const { doneBefore, sent, requests } = resumed;
  const inRequests = requests === 0 ? '' : sentence` in ${counted(requests, 'request')}`;
  const before = sentence`${inFull(doneBefore)} ${doneBefore === 1 ? 'was' : 'were'} ${verb} before`;
  return [sentence`Last run: ${inFull(sent)} sent${inRequests}, ${inFull(done - doneBefore)} ${verb}; ${before}.`];
}

/** The values before and after, where there are any. */
export function sidesOut<Changed>(
  before: readonly Changed[],
  after: readonly Changed[],
): { readonly before?: readonly Changed[]; readonly after?: readonly Changed[] } {
  return { ...(before.length === 0 ? {} : { before }), ...(after.length === 0 ? {} : { after }) };
}

/** The lists of a change whose entries each have a reason. */
const WITH_REASONS = ['failed', 'unknown', 'notDone', 'remarks'] as const;

/** A result that gives each reason once: an entry with the reason of the one above it says so. */
export function withReasonsOnce<Result extends object>(result: Result): Result {
  const lists = WITH_REASONS.flatMap((name) => {
    const entries = fieldsIn(result)[name];
    // Made by `changeResult` or `pageOfChange`.
    return Array.isArray(entries) ? [[name, reasonsOnce(entries as readonly WithReason[])] as const] : [];
  });
  return { ...result, ...Object.fromEntries(lists) };
}

type WithReason = { readonly reason?: Sentence };

function reasonsOnce(entries: readonly WithReason[]): WithReason[] {
  const byReason = new Map<Sentence | undefined, WithReason[]>();
  for (const entry of entries) byReason.set(entry.reason, [...(byReason.get(entry.reason) ?? []), entry]);
  return [...byReason.values()].flatMap(([first = {}, ...others]) => [
    first,
    ...others.map((entry) => (entry.reason === undefined ? entry : { ...entry, reason: AS_ABOVE })),
  ]);
}

const AS_ABOVE = sentence`as above`;
