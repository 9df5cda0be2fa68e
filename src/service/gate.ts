import { VideoHostingError } from '../errors.ts';
import { isOpenApproval } from './approval.ts';
import { type AnyRequest, isChange } from './request.ts';

/** The last gate before the network. Also holds at run time, for callers that no compiler checked. */
export function requireApproval(request: AnyRequest, operationOf: () => string): void {
  if (!isChange(request) || isOpenApproval(request.approval)) return;
  const operation = operationOf();
  throw new VideoHostingError('not_approved', `${operation} would change the account and has no approval; nothing was sent.`, {
    facts: { operation, outcome: 'nothing-sent' },
  });
}
