import { DAY_MS } from '../../../platform/time-units.ts';
import { sentence } from '../../../text/sentence.ts';
import { KEPT_DAYS, MAX_KEPT } from '../proposal-limits.ts';

/** How what nobody is asked about in its call waits: on disk, for days, until a person looks. */
export const FOR_LATER = {
  stores: ['disk'],
  lifetimeMs: KEPT_DAYS * DAY_MS,
  lifetime: sentence`${KEPT_DAYS} days`,
  max: MAX_KEPT,
  ifFull: 'refuse',
  canDecline: true,
  isOnPage: true,
  isByAssistant: false,
  isForLater: true,
} as const;
