import type { Values } from '../../platform/is-object.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { kindOf } from '../kinds/index.ts';
import { sentLists } from './change-result.ts';
import { keysChanged, sideAfter, sideBefore, type Take } from './sides.ts';

const PAGE_SIZE = 100;
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
export function recordPages(items: readonly ItemState[], { intent }: ChangeRecord): PagedRecord[][] {
  const records = kindOf(intent.kind).differences(items, intent.facts);
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
