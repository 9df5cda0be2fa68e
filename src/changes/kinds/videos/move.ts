import type { PlannedKind } from '../kind.ts';
import { type MoveRequest, planMove } from './plan-move.ts';
import { planRestOfBulk } from './plan-resume.ts';
import { UNDO_OF_MOVES } from './plan-undo-move.ts';
import { sharesOfMove } from './shares.ts';

export const moveVideos: PlannedKind<MoveRequest> = {
  plan: planMove,
  rest: { plan: planRestOfBulk, sendsUnknown: true },
  retry: 'possible',
  undo: () => UNDO_OF_MOVES,
  shares: sharesOfMove,
  views: () => [],
};
