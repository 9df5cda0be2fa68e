import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { type BulkState, type IdStatus, isNotSent } from '../journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { laterChanges } from '../kinds/earlier/later-changes.ts';
import { kindOf } from '../kinds/index.ts';
import { findOutcomes, readOutcomes } from '../kinds/videos/outcomes-file.ts';
import { idListIn, type MoveFacts, moveIn } from '../plan/facts.ts';
import { type IdRows, originNumber, rowLookup } from '../plan/id-files.ts';
import type { Beside } from '../plan/plan.ts';
import { reasonOf } from '../plan/remarks.ts';
import { sideAfter, sideBefore, type Take } from './answer-sides.ts';
import { filePosition, rowTaker } from './bulk-result.ts';
import { keysChanged, recordPhrases } from './phrases.ts';
import { sentLists } from './result.ts';

/** The lists of a change that can be read page by page. */
export const CHANGE_LISTS = ['done', 'failed', 'unknown', 'notDone'] as const;
type ChangeList = (typeof CHANGE_LISTS)[number];

const PAGE_SIZE = 100;

export interface ChangeListEntry {
  readonly id: string;
  readonly label?: Sentence;
  /** Of a record that was changed: as it was and as it is, with all keys that left, came or moved. */
  readonly before?: Values | undefined;
  readonly after?: Values;
  /** The lists that were perhaps sent to it. */
  readonly sent?: Values | undefined;
  /** Of a video that was moved: the project that it was in, as the caller said. */
  readonly fromProject?: Sentence;
  /** Where it stands in its file. */
  readonly line?: number;
  readonly entry?: number;
  /** The number of the request that it was in, where that is known. */
  readonly request?: number;
  /** What else its file says of it. */
  readonly row?: Beside;
  readonly reason?: Sentence;
  /** The later change that settled it. */
  readonly settledBy?: string;
}

/** One page of a list. */
export interface ListPage {
  readonly list: ChangeList;
  readonly pager: { readonly page: number; readonly totalPages: number; readonly totalResults: number };
  readonly entries: readonly ChangeListEntry[];
}

/** A page of a change's items or ids with one outcome. Rejects with Node's error where the file of its ids is gone. */
export async function pageOfChange(record: ChangeRecord, journal: Journal, list: ChangeList, page: number): Promise<ListPage> {
  const { totalPages, totalResults, entries } =
    record.bulk === undefined ? await pageOfItems(record, journal, list, page) : await pageOfIds(record, record.bulk, journal, list, page);
  return { list, pager: { page, totalPages, totalResults }, entries };
}

type Page = Omit<ListPage['pager'], 'page'> & Pick<ListPage, 'entries'>;

async function pageOfItems(record: ChangeRecord, journal: Journal, list: ChangeList, page: number): Promise<Page> {
  const found = record.items.filter((item) => isListed(list, item));
  const pages = recordPages(found, record);
  const later = await laterChanges(record, journal);
  const entries = (pages[page - 1] ?? []).map(({ item, details }) => {
    const { id, label, outcome, result } = item;
    const { how, by } = later.get(id) ?? {};
    const why = textOf(outcome === 'pending' ? sentence`Not sent yet.` : reasonOf(item));
    return { id: result?.id ?? id, label, ...why, ...(how === 'settles' ? definedFields({ settledBy: by }) : {}), ...details };
  });
  return { totalPages: pages.length, totalResults: found.length, entries };
}

async function pageOfIds({ intent }: ChangeRecord, bulk: BulkState, journal: Journal, list: ChangeList, page: number): Promise<Page> {
  const facts = idListIn(intent.facts);
  const ranges = bulk.ranges((status) => isIn(list, status));
  const all = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => from + offset));
  const indexes = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const ids = indexes.length === 0 ? [] : await journal.readIds(intent.changeId);
  const rows = indexes.length === 0 || facts?.rows === undefined ? undefined : await journal.readRows(intent.changeId, bulk.total);
  const rowAt = rowLookup(facts, rows);
  const fromProjectAt = originLookup(moveIn(intent.facts), rows);
  const hasFile = indexes.length > 0 && (list === 'failed' || list === 'unknown');
  const file = hasFile ? await findOutcomes(journal.outcomesLocation(intent.changeId)) : undefined;
  const rowOf = file === undefined ? () => ({}) : rowTaker(await readOutcomes(file.path));
  const entries = indexes.map((index) => ({
    id: ids[index] ?? '',
    ...filePosition(rowAt(index)),
    ...(list === 'failed' || list === 'unknown' ? definedFields({ request: bulk.requestAt(index) }) : {}),
    ...rowOf(ids[index] ?? ''),
    ...(list === 'done' ? fromProjectAt(index) : textOf(bulk.reasonAt(index))),
  }));
  return { totalPages: Math.ceil(all.length / PAGE_SIZE), totalResults: all.length, entries };
}

/** Looks up the project that a video of a move was in. Where all were in one, the change tells it. */
function originLookup(move: MoveFacts | undefined, rows: IdRows | undefined): (index: number) => Pick<ChangeListEntry, 'fromProject'> {
  if (move === undefined || move.fromProjects.length < 2) return () => ({});
  return (index) => {
    const project = move.fromProjects[originNumber(move, rows, index) - 1];
    return project === undefined ? {} : { fromProject: project.label };
  };
}

const isIn = (list: ChangeList, status: IdStatus): boolean => (list === 'notDone' ? isNotSent(status) : status === list);

/** Of a running change, what was not sent yet is not done, as of a change of many ids. */
const isListed = (list: ChangeList, { outcome, at }: ItemState): boolean =>
  outcome === 'pending' ? list === 'notDone' && at === undefined : isIn(list, outcome);

const textOf = (reason: Sentence | undefined): { readonly reason?: Sentence } => (reason === undefined || reason === '' ? {} : { reason });

/** What a page holds: a key counts one. As text and as data that is most of what an answer may have. */
const MAX_WEIGHT = 900;
/** Of a record besides its keys, and the characters of its texts that count one. */
const RECORD_WEIGHT = 4;
const CHARACTERS = 10;

/** A record on a page, with all that is known of its change; the keys of one that has many go on in the next pages. */
interface PagedRecord {
  readonly item: ItemState;
  readonly details: Values;
}

/** The pages of some records of a change. */
function recordPages(items: readonly ItemState[], { intent }: ChangeRecord): PagedRecord[][] {
  const records = kindOf(intent.kind).differences(items, intent.facts).map(recordPhrases);
  const pages: PagedRecord[][] = [[]];
  let room = MAX_WEIGHT;
  for (const [index, item] of items.entries()) {
    const record = records[index];
    if (record === undefined) continue;
    const isDone = item.outcome === 'done';
    const sent = Object.entries(sentLists(item)).map(([list, keys = []]) => [list, keys] as const);
    const total = isDone ? keysChanged(record) : sent.reduce((sum, [, keys]) => sum + keys.length, 0);
    const weight = RECORD_WEIGHT + (isDone ? Math.ceil(JSON.stringify(record.fields).length / CHARACTERS) : 0);
    for (let from = 0; from === 0 || from < total; ) {
      if (room <= weight || pages.at(-1)?.length === PAGE_SIZE) {
        pages.push([]);
        room = Math.max(MAX_WEIGHT, weight + 1);
      }
      const to = Math.min(total, from + room - weight);
      const take = rangeOf(from, to);
      const details = isDone
        ? { before: sideBefore(record), after: sideAfter(record, take) }
        : { sent: sent.length === 0 ? undefined : Object.fromEntries(sent.map(([list, keys]) => [list, take(keys)])) };
      pages.at(-1)?.push({ item, details });
      room -= weight + to - from;
      if (to === from) break;
      from = to;
    }
  }
  return pages;
}

/** Of lists that are asked for in turn, those from one key up to another. */
function rangeOf(from: number, to: number): Take {
  let passed = 0;
  return (keys) => {
    const [start, end] = [from - passed, to - passed].map((index) => Math.max(0, index));
    passed += keys.length;
    return keys.slice(start, end);
  };
}
