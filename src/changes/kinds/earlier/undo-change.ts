import { type Sentence, sentence } from '../../../text/sentence.ts';
import { moveIn, undoneIn } from '../../plan/facts.ts';
import type { ChangePlan } from '../../plan/plan.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import { LOOK_AT_CHANNELS } from '../channels/look-again.ts';
import { UNDO_OF_CHANNELS } from '../channels/plan-undo-channels.ts';
import { REST_OF_UPDATE } from '../channels/resume-updates.ts';
import type { Kind } from '../kind.ts';
import { coverableShares, never, type Share, type Shares } from '../shares.ts';
import { REST_OF_MOVE } from '../videos/move.ts';
import { UNDO_OF_MOVES } from '../videos/plan-undo-move.ts';
import { moveParts } from '../videos/shares.ts';

/** An undo is an update of channels, or a move. It is planned by the kind that it undoes (`undo.ts`). */
export const undoChange: Kind = {
  rest: (facts) => (moveIn(facts) === undefined ? REST_OF_UPDATE : REST_OF_MOVE),
  retry: 'possible',
  undo: (facts) => (moveIn(facts) === undefined ? UNDO_OF_CHANNELS : UNDO_OF_MOVES),
  lookAgain: LOOK_AT_CHANNELS,
  shares: (plan, notOwn) => coverableShares(plan, { as: 'undo', parts: () => undoParts(plan, notOwn) }),
  differences: (items, facts) => recordDifferences(items, facts),
};

function undoParts(plan: ChangePlan, notOwn: Sentence | undefined): Shares {
  if (notOwn !== undefined) return never(notOwn);
  const own: Share = {
    rule: 'undo_own',
    units: undoneIn(plan.facts).length,
    isUnder: ({ kind }) => kind === 'undo_own',
    words: sentence`the undo of its own changes`,
  };
  // Where its videos came from was the agent's own word: so a rule for moves must let them go there.
  const back = moveIn(plan.facts) === undefined ? { shares: [] } : moveParts(plan);
  return 'never' in back ? back : { shares: [own, ...back.shares] };
}
