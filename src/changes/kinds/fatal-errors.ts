import type { ErrorCode } from '../../errors/codes.ts';
import { VideoHostingError } from '../../errors.ts';

/** Errors that the next record would meet as well, so nothing more is sent. */
const FATAL: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'unreachable',
  'timed_out',
  'connection_lost',
  'rate_limited',
  'service_failed',
  'redirect_refused',
  'not_approved',
  'journal_failed',
]);

/** Any other error than one of the service or the connection is a defect of this server, such as a journal that can't be written. */
export const isFatal = (error: unknown): boolean => !(error instanceof VideoHostingError && !FATAL.has(error.code));
