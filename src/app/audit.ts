import { chainFileIn } from '../changes/journal/audit-files.ts';
import { eachAuditLine, readAuditLine, type UnbegunChange, unbegunKey } from '../changes/journal/audit-record.ts';
import type { ChangeRecord } from '../changes/journal/change-record.ts';
import { countsOfIds, countsOfItems } from '../changes/journal/change-status.ts';
import type { Journal } from '../changes/journal/journal.ts';
import { CHANGE_KINDS } from '../changes/plan/traits/index.ts';
import { createDiskBackEnd } from '../changes/proposals/disk.ts';
import { createProposalStore } from '../changes/proposals/store.ts';
import type { Unbegun } from '../changes/proposals/unbegun-change.ts';
import { definedFields } from '../platform/defined-fields.ts';

/** What an auditor is told of a change: no credential, nothing about viewers, and none of a person’s words. */
export type AuditEntry = ReturnType<typeof entryOf> | ReturnType<typeof unbegunEntry>;

/** The records of the chain that tell of a change. */
interface Records {
  readonly first: number;
  readonly last: number;
  /** Of the last one. */
  readonly hash: string;
}

/**
 * The changes of an account, and those that waited for a person and were never begun, the oldest first; those whose file is damaged are told by
 * `audit verify`. `waited`: what is on disk of those, of which the chain may not tell yet.
 */
export async function* auditEntries(journal: Journal, auditFolder: string, waited: readonly Unbegun[] = []): AsyncGenerator<AuditEntry> {
  const { records, unbegun } = await recordsIn(auditFolder);
  for (const { changeId, endedAt, change } of waited) {
    const key = unbegunKey(changeId, { endedAt });
    if (!unbegun.has(key)) unbegun.set(key, unbegunEntry(changeId, change(), undefined));
  }
  const entries: AuditEntry[] = [];
  const begun = new Set<string>();
  for await (const record of journal.each(CHANGE_KINDS)) {
    begun.add(record.intent.changeId);
    entries.push(entryOf(record, records.get(record.intent.changeId)));
  }
  // What waited on the page may have been asked about in another way then, under the same id.
  entries.push(...[...unbegun.values()].filter(({ change }) => !begun.has(change)));
  yield* entries.toSorted((one, other) => (one.begunAt < other.begunAt ? -1 : one.begunAt > other.begunAt ? 1 : 0));
}

/** What waited in a folder for a person, and was never begun. Writes nothing. */
export async function unbegunIn(folder: string, accountId: string, journal: Journal): Promise<readonly Unbegun[]> {
  const found: Unbegun[] = [];
  const disk = createDiskBackEnd({ folder, accountId, journal });
  const store = createProposalStore({ backEnds: { disk }, journal, onUnbegun: (unbegun) => void found.push(unbegun) });
  await store.list().finally(store.close);
  return found;
}

/** Which records tell of each change, and what they tell of those that were never begun. */
async function recordsIn(auditFolder: string) {
  const records = new Map<string, Records>();
  const unbegun = new Map<string, ReturnType<typeof unbegunEntry>>();
  for await (const line of eachAuditLine(chainFileIn(auditFolder))) {
    const record = readAuditLine(line)?.record;
    if (record === undefined) continue;
    const told = { first: records.get(record.change)?.first ?? record.n, last: record.n, hash: record.hash };
    records.set(record.change, told);
    if (record.unbegun !== undefined)
      unbegun.set(unbegunKey(record.change, record.unbegun), unbegunEntry(record.change, record.unbegun, told));
  }
  return { records, unbegun };
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

const unbegunEntry = (change: string, { total, decided, endedAt, ...told }: UnbegunChange, records: Records | undefined) => ({
  ...{ change, ...told, ...definedFields({ decided: decided && withoutWords(decided) }), begunAt: endedAt, endedAt },
  ...{ sent: {}, outcome: { total, done: 0, failed: 0, notKnown: 0, notDone: total }, ...definedFields({ records }) },
});

const withoutWords = ({ note: _, ...decided }: ChangeRecord['intent']['decided']) => decided;
