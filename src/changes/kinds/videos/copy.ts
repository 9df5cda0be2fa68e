import { sentence } from '../../../text/sentence.ts';
import type { PlannedKind } from '../kind.ts';
import { type CopyRequest, NO_UNDO, planCopy } from './plan-copy.ts';
import { planRestOfBulk } from './plan-resume.ts';
import { sharesOfCopy } from './shares.ts';

export const copyCta: PlannedKind<CopyRequest> = {
  plan: planCopy,
  rest: () => ({ plan: planRestOfBulk, sendsUnknown: false }),
  retry: {
    no: sentence`A copy is not known to be harmless when it is sent twice. What of this one is in doubt is never sent again by itself.`,
    hint: sentence`Look at the CTAs of those that failed or are in doubt in the dashboard, then name those without them in a new copy_cta; its notDoneFile, given as targetVideoIdsFile, stands for those that failed.`,
  },
  undo: () => ({ never: NO_UNDO }),
  lookAgain: { never: sentence`The service doesn’t show which CTAs a video has.` },
  shares: sharesOfCopy,
  differences: () => [],
};
