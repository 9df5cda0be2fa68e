import { CONTENTS } from '../../../account/contents.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import type { ItemState } from '../../journal/change-record.ts';
import { type ChannelField, fieldsUndoneWith, pickFields, type UndoPart } from '../../plan/channel-fields.ts';
import type { PlannedItem, Seen } from '../../plan/plan.ts';
import { changedIn, type Fields } from '../../plan/records.ts';
import { isRestorable } from './restorable.ts';

/** What changes did to one channel, newest first. */
export type UndoChain = readonly [newest: ItemState, ...older: ItemState[]];

/** The items of some changes, which come newest first, by channel. */
export function undoChains(items: readonly ItemState[]): readonly UndoChain[] {
  const chains = new Map<string, [ItemState, ...ItemState[]]>();
  for (const item of items) {
    const chain = chains.get(item.id);
    if (chain === undefined) chains.set(item.id, [item]);
    else chain.push(item);
  }
  return [...chains.values()];
}

/** Those that were carried out: of one that is not known, the version before it tells, which the channel (`now`) or the next newer one still shows. */
export function carriedOut(chain: UndoChain, now: Seen): UndoChain | undefined {
  const done: ItemState[] = [];
  for (const item of chain) if (item.outcome !== 'unknown' || !isSameVersion(item.seen, done.at(-1)?.seen ?? now)) done.push(item);
  const [newest, ...older] = done;
  return newest === undefined ? undefined : [newest, ...older];
}

/** What several changes did to one channel, as one change; with `only`, of those parts. `blocked` is why it can't be undone as one. */
export function mergedChain(
  chain: UndoChain,
  only: readonly UndoPart[] | undefined,
): { readonly item: ItemState; readonly blocked?: Sentence } {
  const [newest] = chain;
  const parts = only === undefined ? chain : chain.map((item) => partOf(item, only));
  const whole = {
    ...newest,
    before: merged(chain.map(({ before }) => before)),
    after: merged(chain.map(({ after }) => after).toReversed()),
    stated: [...new Set(chain.flatMap(({ stated = [] }) => stated))],
    unapproved: [...new Set(chain.flatMap(({ unapproved = [] }) => unapproved))],
  };
  // Merged first: what is not set back stays as the newest change left it.
  const item = only === undefined ? whole : partOf(whole, only);
  if (only !== undefined && !parts.some(changesSomething)) return { item, blocked: sentence`Nothing of that was changed in it.` };
  // A single change is judged as a whole, by whoever plans its undo.
  if (chain.length === 1) return { item };
  const blocked = parts.every(isRestorable)
    ? chain.flatMap((newer, index) => gapBetween(newer, chain[index + 1]) ?? [])[0]
    : sentence`Not all of what it was before is known.`;
  return blocked === undefined ? { item } : { item, blocked };
}

/** All fields, each with its last value. */
const merged = (all: readonly Fields[]): Fields => Object.assign({}, ...all);

function gapBetween(newer: ItemState, older: ItemState | undefined): Sentence | undefined {
  if (older === undefined || (older.outcome === 'done' && isSameVersion(older.seenAfter, newer.seen))) return undefined;
  return sentence`It was changed between these changes, by another hand or by a change that is not named here.`;
}

/** Whether both show one version of the record. */
export const isSameVersion = (one: Seen | null | undefined, other: Seen | null): boolean =>
  one != null && other !== null && one.version !== null && one.version === other.version && one.updated === other.updated;

export const changesSomething = (item: Pick<PlannedItem, 'before' | 'after'>): boolean => changedIn(item).length > 0;

/** The item as if it had changed these parts alone. What it left of the others stays, and is sent where an update has to name it. */
function partOf(item: ItemState, only: readonly UndoPart[]): ItemState {
  const wanted = fieldsUndoneWith(only);
  const others = pickFields<ChannelField>(
    item.after,
    (['name', ...CONTENTS] as const).filter((field) => !wanted.includes(field)),
  );
  return { ...item, after: { ...pickFields(item.after, wanted), ...others }, before: { ...item.before, ...others } };
}
