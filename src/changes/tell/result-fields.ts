import { fieldsIn } from '../../platform/is-object.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import { undoOf } from '../kinds/earlier/undoable.ts';
import type { Undo } from '../plan/preview.ts';
import { stoppedIn, toldText } from './agreement.ts';

// The fields that the answers about changes of every kind share.

/** Whether and how it can be undone. */
export function undoOut(...known: Parameters<typeof undoOf>): Undo {
  const { possible, how } = undoOf(...known);
  return { possible, how };
}

/** Who had it stopped, what else kept it from its end, and what to do next. */
export function troubleOut(record: Pick<ChangeRecord, 'status' | 'ended'>): { readonly note?: Sentence } {
  const { message, hint } = record.ended ?? {};
  const stopped = stoppedIn(record, 'assistant');
  const told = [
    ...(stopped === undefined ? [] : [toldText(stopped)]),
    ...(message === undefined ? [] : [message]),
    ...(message === undefined || hint === undefined ? [] : [sentence`Next: ${hint}`]),
  ];
  return told.length === 0 ? {} : { note: joined(told) };
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
