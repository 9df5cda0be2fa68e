import type { ListEntry } from '../../../changes/plan/list-difference.ts';
import type { ChangeView } from '../../contract.ts';

type Part = Exclude<ListEntry['kind'], 'stays'>;

/** What becomes of entries of a list: behind their sign, with their number between, and in which colour. */
export type PartWords = Readonly<Record<Part, { readonly sign: string; readonly words: string; readonly tone: Part | 'plain' }>>;

const PLANNED: PartWords = {
  leaves: { sign: '−', words: 'to be removed', tone: 'plain' },
  arrives: { sign: '+', words: 'to be added', tone: 'arrives' },
  moves: { sign: '↕', words: 'to be moved', tone: 'moves' },
};
const DONE: PartWords = {
  leaves: { sign: '−', words: 'removed', tone: 'plain' },
  arrives: { sign: '+', words: 'added', tone: 'arrives' },
  moves: { sign: '↕', words: 'moved', tone: 'moves' },
};
/** Red is for what no undo has. */
const LOST: PartWords = { ...DONE, leaves: { ...DONE.leaves, tone: 'leaves' } };
/** A list that is only recorded: nothing in the account is another. */
const LISTED: PartWords = {
  leaves: { sign: '−', words: 'not in the new list', tone: 'plain' },
  arrives: { sign: '+', words: 'new in the list', tone: 'arrives' },
  moves: { sign: '↕', words: 'at another place', tone: 'moves' },
};

/** By what really becomes of them. */
export function partWords({ changesAccount, undo, undoneBy }: ChangeView, isDone: boolean): PartWords {
  if (!changesAccount) return LISTED;
  if (!isDone) return PLANNED;
  return undo.possible === 'no' && undoneBy === undefined ? LOST : DONE;
}

/** What is lost while it waits: nothing is removed yet. */
export const TO_BE_REMOVED = `${PLANNED.leaves.sign} ${PLANNED.leaves.words}`;
