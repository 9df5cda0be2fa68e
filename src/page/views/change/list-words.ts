import type { ListEntry } from '../../../changes/plan/list-difference.ts';
import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { isOver } from '../parts/statuses.ts';

type Part = Exclude<ListEntry['kind'], 'stays'>;

/** What becomes of entries of a list, in words. */
type Words = Readonly<Record<Part, string>>;
/** With the colour of those that leave: red is for what no undo has. */
export interface PartWords extends Words {
  readonly isLost?: boolean;
  /** Of all of them: no other colour is for what is not so. */
  readonly tone?: 'caution' | 'plain';
}

const PLANNED: PartWords = { leaves: 'to be removed', arrives: 'to be added', moves: 'to be moved' };
const DONE: PartWords = { leaves: 'removed', arrives: 'added', moves: 'moved' };
const UNCHANGED: PartWords = { leaves: 'not removed', arrives: 'not added', moves: 'not moved', tone: 'plain' };
const IN_DOUBT: PartWords = { leaves: 'perhaps removed', arrives: 'perhaps added', moves: 'perhaps moved', tone: 'caution' };
/** Of a list that is only recorded: nothing in the account is another. */
const LISTED: PartWords = { leaves: 'not in the new list', arrives: 'new in the list', moves: 'at another place' };

export const SIGNS: Words = { leaves: '−', arrives: '+', moves: '↕' };

/** By what really becomes of them. */
export function partWords({ changesAccount, undo, undoneBy, status }: ChangeView, outcome: ChangedRecord['outcome']): PartWords {
  if (!changesAccount) return LISTED;
  if (outcome === 'done') return { ...DONE, isLost: undo.possible === 'no' && undoneBy === undefined };
  if (!isOver(status)) return PLANNED;
  return outcome === 'unknown' ? IN_DOUBT : UNCHANGED;
}

export function toneOfPart(kind: ListEntry['kind'], { isLost, tone }: PartWords): string {
  if (kind === 'stays') return kind;
  return tone ?? (kind === 'leaves' && isLost !== true ? 'plain' : kind);
}

/** What would be lost is not removed yet. */
export const TO_BE_REMOVED = `${SIGNS.leaves} ${PLANNED.leaves}`;
