import { itemsOf } from '../../plan/plan.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import type { PlannedKind } from '../kind.ts';
import type { UpdateRequest } from './channel-change.ts';
import { LOOK_AT_CHANNELS } from './look-again.ts';
import { UNDO_OF_CHANNELS } from './plan-undo-channels.ts';
import { planUpdate } from './plan-update.ts';
import { REST_OF_UPDATE } from './resume-updates.ts';
import { sharesOfUpdate } from './shares.ts';

export const updateChannels: PlannedKind<UpdateRequest> = {
  plan: planUpdate,
  byId(args, plan) {
    const named = (channel: string) => itemsOf(plan).filter(({ before }) => before.name === channel);
    const idOf = (channel: string): string => {
      const [only, ...others] = named(channel);
      return only === undefined || others.length > 0 ? channel : only.id;
    };
    return { ...args, changes: args.changes.map((change) => ({ ...change, channel: idOf(change.channel) })) };
  },
  rest: () => REST_OF_UPDATE,
  retry: 'possible',
  undo: () => UNDO_OF_CHANNELS,
  lookAgain: LOOK_AT_CHANNELS,
  shares: sharesOfUpdate,
  differences: (items, facts) => recordDifferences(items, facts),
};
