import { chainFileIn } from '../changes/journal/audit-chain.ts';
import { type DeclinedChange, eachAuditLine, readAuditLine } from '../changes/journal/audit-record.ts';
import type { ChangeRecord } from '../changes/journal/change-record.ts';
import { countsOfIds, countsOfItems } from '../changes/journal/change-status.ts';
import type { Journal } from '../changes/journal/journal.ts';
import { CHANGE_KINDS } from '../changes/plan/traits/index.ts';
import { definedFields } from '../platform/defined-fields.ts';

/** What an auditor is told of a change: no credential, nothing about viewers, and none of a person’s words. */
export type AuditEntry = ReturnType<typeof entryOf> | ReturnType<typeof declinedEntry>;

/** The records of the chain that tell of a change. */
interface Records {
  readonly first: number;
  readonly last: number;
  /** Of the last one. */
  readonly hash: string;
}

/** The changes of an account, the oldest first; those whose file is damaged are told by `audit verify`. */
export async function* auditEntries(journal: Journal, auditFolder: string): AsyncGenerator<AuditEntry> {
  const { records, declined } = await recordsIn(auditFolder);
  const entries: AuditEntry[] = [...declined];
  for await (const record of journal.each(CHANGE_KINDS)) entries.push(entryOf(record, records.get(record.intent.changeId)));
  yield* entries.toSorted((one, other) => (one.begunAt < other.begunAt ? -1 : one.begunAt > other.begunAt ? 1 : 0));
}

/** Which records tell of each change, and what they tell of those that a person declined. */
async function recordsIn(auditFolder: string) {
  const records = new Map<string, Records>();
  const declined: AuditEntry[] = [];
  for await (const line of eachAuditLine(chainFileIn(auditFolder))) {
    const record = readAuditLine(line)?.record;
    if (record === undefined) continue;
    const told = { first: records.get(record.change)?.first ?? record.n, last: record.n, hash: record.hash };
    records.set(record.change, told);
    if (record.declined !== undefined) declined.push(declinedEntry(record.change, record.at, record.declined, told));
  }
  return { records, declined };
}

function entryOf({ intent, agreed, items, bulk, status, ended, requests }: ChangeRecord, records: Records | undefined) {
  const { changeId, kind, summary, at, asked, decided, shown, standing, ids } = intent;
  const { total, done, unknown, notDone } = bulk === undefined ? countsOfItems(kind, items) : countsOfIds(bulk);
  const { note: _words, ...byWhom } = decided;
  const [first, ...later] = agreed;
  return {
    change: changeId,
    kind,
    summary,
    begunAt: at,
    ...definedFields({ asked: later.length === 0 ? asked : first?.asked }),
    decided: later.length === 0 ? byWhom : withoutWords(first?.decided ?? byWhom),
    ...definedFields({ shown, standing }),
    /** Who asked for it to be carried on, and who agreed, each time. */
    ...(later.length === 0
      ? {}
      : { carriedOn: later.map((one) => ({ ...definedFields({ asked: one.asked }), decided: withoutWords(one.decided) })) }),
    /** Records that requests were sent for, or ids of videos in so many requests. */
    sent:
      bulk === undefined
        ? { records: items.filter(({ outcome }) => outcome !== 'not_done').length }
        : { ids: (ids ?? 0) - notDone, requests },
    status,
    outcome: { total, done, failed: total - done - unknown - notDone, notKnown: unknown, notDone },
    ...definedFields({ endedAt: ended?.at, stopped: ended?.stopped, records }),
  };
}

const declinedEntry = (change: string, at: string, { total, ...told }: DeclinedChange, records: Records) => ({
  ...{ change, ...told, decided: withoutWords(told.decided), begunAt: told.decided.at ?? at },
  ...{ sent: {}, status: 'declined', outcome: { total, done: 0, failed: 0, notKnown: 0, notDone: total }, records },
});

const withoutWords = ({ note: _, ...decided }: ChangeRecord['intent']['decided']) => decided;
