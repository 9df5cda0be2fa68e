import type { ListEntry } from '../../../changes/plan/list-difference.ts';
import type { ChangeView } from '../../contract.ts';

type Part = Exclude<ListEntry['kind'], 'stays'>;

/** What becomes of entries of a list, in words. */
type Words = Readonly<Record<Part, string>>;
/** With the colour of those that leave: red is for what no undo has. */
export interface PartWords extends Words {
  readonly isLost?: boolean;
}

const PLANNED: PartWords = { leaves: 'to be removed', arrives: 'to be added', moves: 'to be moved' };
const DONE: PartWords = { leaves: 'removed', arrives: 'added', moves: 'moved' };
/** Of a list that is only recorded: nothing in the account is another. */
const LISTED: PartWords = { leaves: 'not in the new list', arrives: 'new in the list', moves: 'at another place' };

export const SIGNS: Words = { leaves: '−', arrives: '+', moves: '↕' };

/** By what really becomes of them. */
export function partWords({ changesAccount, undo, undoneBy }: ChangeView, isDone: boolean): PartWords {
  if (!changesAccount) return LISTED;
  return isDone ? { ...DONE, isLost: undo.possible === 'no' && undoneBy === undefined } : PLANNED;
}

export const toneOfPart = (kind: ListEntry['kind'], { isLost }: PartWords): string =>
  kind === 'leaves' && isLost !== true ? 'plain' : kind;

/** What would be lost is not removed yet. */
export const TO_BE_REMOVED = `${SIGNS.leaves} ${PLANNED.leaves}`;
