import { recordViews } from '../../tell/record-view.ts';
import type { PlannedKind } from '../kind.ts';
import type { UpdateRequest } from './channel-change.ts';
import { LOOK_AT_CHANNELS } from './look-again.ts';
import { UNDO_OF_CHANNELS } from './plan-undo-channels.ts';
import { planUpdate } from './plan-update.ts';
import { REST_OF_UPDATE } from './resume-updates.ts';
import { sharesOfUpdate } from './shares.ts';

export const updateChannels: PlannedKind<UpdateRequest> = {
  plan: planUpdate,
  rest: REST_OF_UPDATE,
  retry: 'possible',
  undo: () => UNDO_OF_CHANNELS,
  lookAgain: LOOK_AT_CHANNELS,
  shares: sharesOfUpdate,
  views: (items, facts) => recordViews(items, facts),
};
