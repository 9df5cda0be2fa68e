import { type ChangeKind, TRAITS } from '../plan/traits/index.ts';
import { latestTimeIn } from './change-order.ts';
import type { ChangeRecord, ItemState } from './change-record.ts';
import type { Seen } from './format.ts';

/** What is known of a change's file, so that it need not be read again to pass it over. */
export interface IndexEntry {
  readonly kind: ChangeKind;
  /** The records that it may have written; undefined as long as that may change. */
  readonly written: readonly string[] | undefined;
  /** The versions of each record that it may have left or stated, by id; undefined as long as that may change. */
  readonly versions: ReadonlyMap<string, readonly (Seen | null | undefined)[]> | undefined;
  /** Of a change that can't be resumed. */
  readonly status: ChangeRecord['status'] | undefined;
  /** Of such a change too, and of one of many ids that has ended and was not resumed since: when its last event was, in milliseconds since the epoch. */
  readonly latestMs?: number;
}

/** A record as the service shows it now. */
export interface SeenRecord {
  readonly id: string;
  readonly seen: Seen;
}

export const mayHave = ({ kind, written }: IndexEntry, kinds: readonly ChangeKind[], records: ReadonlySet<string> | undefined): boolean =>
  kinds.includes(kind) && (records === undefined || (written?.some((id) => records.has(id)) ?? true));

export function indexEntryOf(record: ChangeRecord): IndexEntry {
  const { intent, items, bulk, ended, status } = record;
  const { kind } = intent;
  if (bulk !== undefined) {
    const isOver = status !== 'running' && status !== 'interrupted';
    return { kind, written: [], versions: new Map(), status: undefined, ...(isOver ? { latestMs: latestTimeIn(record) } : {}) };
  }
  if (ended === undefined) return { kind, written: undefined, versions: undefined, status: undefined };
  const idOf = ({ id, result }: ItemState) => result?.id ?? id;
  const written = items.map(idOf);
  // A later look or a resumption, of another process too, may change what is not all done, and give ids to what was not created.
  if (items.some(({ outcome }) => outcome !== 'done'))
    return { kind, written: TRAITS[kind].isNew ? undefined : written, versions: undefined, status: undefined };
  return {
    kind,
    written,
    versions: new Map(items.map((item) => [idOf(item), [item.seen, item.seenAfter]])),
    status,
    latestMs: latestTimeIn(record),
  };
}

export function mayHaveLeft(entry: IndexEntry | undefined, { id, seen }: SeenRecord): boolean {
  if (entry?.versions === undefined) return true;
  return entry.versions.get(id)?.some((left) => left?.version === seen.version && left.updated === seen.updated) ?? false;
}
