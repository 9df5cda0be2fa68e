import { sentence } from '../../../text/sentence.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import type { PlannedKind } from '../kind.ts';
import { REST_OF_LOCAL, RETRY_OF_LOCAL } from '../local.ts';
import { NO_UNDO, planStatement } from './plan-statement.ts';
import type { StatementInput } from './stated-channels.ts';

export const stateContents: PlannedKind<StatementInput> = {
  plan: planStatement,
  rest: () => REST_OF_LOCAL,
  retry: RETRY_OF_LOCAL,
  undo: () => ({ never: NO_UNDO }),
  lookAgain: { never: sentence`A statement is in the journal alone: make it anew.` },
  shares: () => ({ never: sentence`No standing approval covers a statement of what channels hold.` }),
  differences: (items, facts) => recordDifferences(items, facts, 'statement'),
};
