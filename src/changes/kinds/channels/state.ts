import { sentence } from '../../../text/sentence.ts';
import { recordViews } from '../../plan/record-view.ts';
import type { PlannedKind } from '../kind.ts';
import { RETRY_OF_LOCAL } from '../local.ts';
import { NO_UNDO, planStatement } from './plan-statement.ts';
import type { StatementInput } from './stated-channels.ts';

export const stateContents: PlannedKind<StatementInput> = {
  plan: planStatement,
  retry: RETRY_OF_LOCAL,
  undo: () => ({ never: NO_UNDO }),
  shares: () => ({ never: sentence`No standing approval covers a statement of what channels hold.` }),
  views: (items, facts) => recordViews(items, facts, 'statement'),
};
