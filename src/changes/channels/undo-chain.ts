import type { ItemState } from '../journal/change-record.ts';
import type { Fields, Seen } from '../plan.ts';
import { stableJson } from '../stable-json.ts';
import { LISTS, type Lists } from './channel-change.ts';
import { isRestorable } from './describe.ts';

/** The parts of a change of channels that can be undone alone. */
export const UNDO_PARTS = ['name', 'description', 'template', 'contents'] as const;
export type UndoPart = (typeof UNDO_PARTS)[number];

const FIELDS: Readonly<Record<UndoPart, readonly string[]>> = {
  name: ['name'],
  description: ['description'],
  template: ['templateKey'],
  contents: LISTS,
};

/** What several changes did to one channel, as one change; `blocked` is why it can't be undone as one. */
export interface UndoChain {
  readonly item: ItemState;
  readonly blocked?: string;
}

/** One chain for each channel of some changes, which come newest first; with `only`, of those parts. */
export function undoChains(items: readonly ItemState[], only: readonly UndoPart[] | undefined): readonly UndoChain[] {
  const chains = new Map<string, ItemState[]>();
  for (const item of items) chains.set(item.id, [...(chains.get(item.id) ?? []), only === undefined ? item : partOf(item, only)]);
  return [...chains.values()].flatMap((chain) => mergedChain(chain, only !== undefined));
}

function mergedChain(chain: readonly ItemState[], isPart: boolean): UndoChain[] {
  const [newest] = chain;
  if (newest === undefined) return [];
  const touched = isPart ? chain.filter(changesSomething) : chain;
  if (touched.length === 0) return [{ item: newest, blocked: 'Nothing of that was changed in it.' }];
  const oldestFirst = chain.toReversed();
  const item = {
    ...newest,
    before: Object.fromEntries(chain.flatMap(({ before }) => Object.entries(before))),
    after: Object.fromEntries(oldestFirst.flatMap(({ after }) => Object.entries(after))),
    stated: [...new Set(chain.flatMap(({ stated = [] }) => stated))],
  };
  const blocked = chain.flatMap((newer, index) => blockedBy(newer, chain[index + 1]) ?? [])[0];
  // A single change is judged as a whole, by whoever plans its undo.
  return [chain.length === 1 || blocked === undefined ? { item } : { item, blocked }];
}

function blockedBy(newer: ItemState, older: ItemState | undefined): string | undefined {
  if (!isRestorable(newer)) return 'Not all of what it was before is known.';
  if (older === undefined) return undefined;
  if (older.outcome === 'done' && isSame(older.seenAfter, newer.seen)) return undefined;
  return 'It was changed between these changes, by another hand or by a change that is not named here.';
}

const isSame = (one: Seen | null | undefined, other: Seen | null): boolean =>
  one != null && other !== null && one.version !== null && one.version === other.version && one.updated === other.updated;

const changesSomething = ({ before, after }: ItemState): boolean =>
  Object.keys(after).some((field) => stableJson(after[field]) !== stableJson(before[field]));

/** The item as if it had changed these parts alone. What it left of the others stays, and is sent where an update has to name it. */
function partOf(item: ItemState, only: readonly UndoPart[]): ItemState {
  const wanted = new Set(only.flatMap((part) => FIELDS[part]));
  const { privateLinkEnabled: _, ...changed } = item.after;
  const isKept = (field: string): boolean => wanted.has(field) || field === 'name' || isList(field);
  const after: Fields = Object.fromEntries(Object.entries(changed).filter(([field]) => isKept(field)));
  const others = Object.entries(after).filter(([field]) => !wanted.has(field));
  return { ...item, after, before: { ...item.before, ...Object.fromEntries(others) } };
}

const isList = (field: string): field is keyof Lists => LISTS.some((list) => list === field);
