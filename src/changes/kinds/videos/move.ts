import { sentence } from '../../../text/sentence.ts';
import { moveIn } from '../../plan/facts.ts';
import type { PlannedKind } from '../kind.ts';
import { type MoveRequest, planMove } from './plan-move.ts';
import { planRestOfBulk } from './plan-resume.ts';
import { UNDO_OF_MOVES } from './plan-undo-move.ts';
import { sharesOfMove } from './shares.ts';

export const REST_OF_MOVE = { plan: planRestOfBulk, sendsUnknown: true } as const;

export const moveVideos: PlannedKind<MoveRequest> = {
  plan: planMove,
  byId(args, { facts }) {
    const { targetProjects = [], fromProjects = [] } = moveIn(facts) ?? {};
    const [target, from] = [targetProjects, fromProjects].map(([only, ...others]) => (others.length === 0 ? only?.id : undefined));
    return {
      ...args,
      ...(target !== undefined && { targetProject: target }),
      ...(args.fromProject !== undefined && from !== undefined && { fromProject: from }),
    };
  },
  rest: () => REST_OF_MOVE,
  retry: 'possible',
  undo: () => UNDO_OF_MOVES,
  lookAgain: { never: sentence`The service doesn’t show in which project a video is.` },
  shares: sharesOfMove,
  differences: () => [],
};
