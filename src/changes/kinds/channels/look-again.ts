import { undefinedIfRefused } from '../../../errors.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { ChannelId } from '../../../service/ids.ts';
import { sentence } from '../../../text/sentence.ts';
import type { ItemState } from '../../journal/change-record.ts';
import type { LookAgain } from '../kind.ts';
import { channelItemIn } from './channel-change.ts';
import { SETTLING_MS } from './last-sent.ts';
import { hasNewText, outcomeWithoutResponse } from './verify.ts';

/** What became of channels of which that is not known: each is read. */
export const LOOK_AT_CHANNELS: LookAgain = {
  next: (count, which) =>
    sentence`resume_change looks first at the ${count} not known${which === undefined ? '' : sentence` (${which})`}, and sends only what is certainly not done or unchanged.`,
  async find(unknown, _record, { client }, signal) {
    const looks = await Promise.all(
      unknown.map(async (state) => {
        const item = channelItemIn(state);
        const shown = await client.channels.get(state.id as ChannelId, signal).catch(undefinedIfRefused); // the id of a record
        if (item === undefined || shown?.id !== state.id) return [];
        const isLate = state.at !== undefined && Date.now() - Date.parse(state.at) > SETTLING_MS;
        const inTime = isInTime(shown.updated, state, hasNewText(item), client);
        return [[state.id, outcomeWithoutResponse(shown, item, { inTime, isLate })] as const];
      }),
    );
    return new Map(looks.flat());
  },
};

/**
 * Whether a channel was updated while the request for it was under way. Of a server that was killed, nothing tells when that ended:
 * an update soon after counts only where a text tells it from what somebody may have done by hand instead.
 */
function isInTime(updated: string | undefined, { sentAt, lostAt }: ItemState, isTold: boolean, { serviceClock }: ServiceClient): boolean {
  if (sentAt === undefined || (lostAt === undefined && !isTold)) return false;
  const sentMs = Date.parse(sentAt);
  return serviceClock.isBetween(updated, sentMs, lostAt === undefined ? sentMs + SETTLING_MS : Date.parse(lostAt));
}
