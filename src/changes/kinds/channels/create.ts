import { sentence } from '../../../text/sentence.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import { lookForNew, RETRY_OF_NEW } from '../earlier/new-records.ts';
import type { PlannedKind } from '../kind.ts';
import { type ChannelInput, NO_UNDO, planNewChannels } from './create-channels.ts';
import { planRestOfCreation } from './resume-creation.ts';

export const createChannels: PlannedKind<{ readonly channels: readonly ChannelInput[] }> = {
  plan: ({ channels }, deps) => planNewChannels(channels, deps),
  rest: () => ({ plan: (record, _request, deps, { signal }) => planRestOfCreation(record, deps, signal), sendsUnknown: false }),
  retry: RETRY_OF_NEW,
  undo: () => ({ never: NO_UNDO }),
  lookAgain: lookForNew('channel', (account, signal) => account.allChannels({ signal })),
  shares: () => ({ never: sentence`No standing approval covers a new channel.` }),
  differences: (items, facts) => recordDifferences(items, facts),
};
