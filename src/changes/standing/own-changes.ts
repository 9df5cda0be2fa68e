import { type Sentence, sentence } from '../../text/sentence.ts';
import { newestFirst } from '../journal/change-order.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { withUndos } from '../kinds/earlier/undone-by.ts';
import { isSameParty, type Party } from '../plan/asked-and-decided.ts';
import { undoneIn } from '../plan/facts.ts';
import type { ChangePlan } from '../plan/plan.ts';
import { MOVES } from '../plan/traits/index.ts';

const OF_OTHERS = sentence`No standing approval covers the undo of what a person or another agent did.`;
/** It does again what a rule covered once, and counts for none. A move into a project always falls under a rule for moves. */
const AGAIN = sentence`No standing approval covers the undo of an undo of channels.`;

/**
 * Why an undo is never covered, where that is so. All that it takes back was done by this agent, or person, under a standing approval:
 * no person carried any of it on, and none did again what had been undone. Whoever has the name of another has done nothing of theirs.
 */
export async function whyNotOwn(plan: ChangePlan, who: Party, journal: Journal): Promise<Sentence | undefined> {
  // Nothing that is carried on is ever covered.
  const isOwn = ({ intent: { standing }, agreed: [first], resumed }: ChangeRecord) =>
    standing !== undefined && isSameParty(first?.asked?.by ?? { name: standing.agent }, who) && resumed === undefined;
  const undone = await Promise.all(undoneIn(plan.facts).map((changeId) => journal.read(changeId)));
  const records = undone.flatMap((record) => record ?? []).toSorted(newestFirst);
  const [oldest] = records.slice(-1);
  if (oldest === undefined || records.length < undone.length) return OF_OTHERS;
  if (!(await withUndos(records, journal)).every(isOwn)) return OF_OTHERS;
  if (!('ids' in plan)) return records.some(({ intent }) => undoneIn(intent.facts).length > 0) ? AGAIN : undefined;
  const ids = new Set(plan.ids);
  for await (const later of journal.eachSince(MOVES, oldest.intent)) {
    if (later.bulk === undefined || isOwn(later)) continue;
    const movedIds = await journal.readIds(later.intent.changeId).catch(() => []);
    if (movedIds.length !== later.intent.ids || movedIds.some((id) => ids.has(id))) return OF_OTHERS;
  }
  return undefined;
}
