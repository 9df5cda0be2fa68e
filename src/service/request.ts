import type { z } from 'zod';
import { VideoHostingError } from '../errors.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { type Approval, isOpenApproval } from './approval.ts';
import type { CredentialKind } from './credentials.ts';
import type { ApiPath, Query } from './path.ts';

/**
 * What may be sent again after a failure.
 * - `idempotent`: reads, and what the API document calls idempotent.
 * - `never`: only when it is certain that not one byte of the request went out.
 */
export type RetryRule = 'idempotent' | 'never';

interface Address {
  readonly path: ApiPath;
  readonly query?: Query;
  /** Which of the two APIs; the main one unless said. */
  readonly api?: 'main' | 'stats';
  /** The API key unless said. The analytics API gets a credential only where `statsAuth` says so. */
  readonly credential?: CredentialKind;
  readonly signal?: AbortSignal | undefined;
  /** Largest body accepted, after decompression; the client's own limit unless said. */
  readonly maxBytes?: number;
  /** Of a background job: it waits longer where the service is busy. */
  readonly patient?: boolean;
  /** After this time, in milliseconds since the epoch, it is not sent any more: `cancelled`, with nothing sent. */
  readonly notAfterMs?: number | undefined;
}

interface Expecting<T> {
  /** Shape of the body of a success. An empty body is checked as `undefined`. */
  readonly expect: z.ZodType<T>;
}

interface ReadByGet extends Address {
  readonly method: 'GET';
  readonly effect?: 'read';
  readonly body?: never;
  readonly retry: 'idempotent';
  readonly approval?: never;
}

/** The one read of the API document that is a POST is that of the view logs, on the analytics API. */
interface ReadByPost extends Address {
  readonly method: 'POST';
  readonly api: 'stats';
  readonly effect: 'read';
  readonly body: object;
  readonly retry: 'idempotent';
  readonly approval?: never;
}

interface Change extends Address {
  readonly method: 'POST' | 'PUT';
  readonly effect?: 'change';
  /** Sent as JSON; a buffer is that JSON already. */
  readonly body: object | Buffer;
  readonly retry: RetryRule;
  readonly approval: Approval;
}

export type AnyRequest = ReadByGet | ReadByPost | Change;

/** One request: a read, or a change with the approval for it. A change without one does not compile. */
export type ApiRequest<T> = AnyRequest & Expecting<T>;

/** Whether a request may change the account: everything but the known reads. */
export function isChange(request: AnyRequest): boolean {
  if (request.method === 'GET') return false;
  return !(request.method === 'POST' && request.api === 'stats' && request.effect === 'read');
}

/** The paths under which the API lists records; none of them names a record that may be missing. */
const LISTS = /^\/v1\/(?:channels|channels\/templates|projects|plans|videos\/collected-emails|logs\/data)$/;

/** Whether it reads a list from its beginning. A later page may be missing where the list has become shorter. */
export function isFirstOfList(request: AnyRequest): boolean {
  const page = fieldsIn(request.body).page ?? request.query?.page ?? 1;
  return !isChange(request) && LISTS.test(request.path) && page === 1;
}

/** Ends the waiting of a request that was not sent yet: the caller's own signal, and the end of its approval. */
export function waitingSignal({ signal, approval }: AnyRequest): AbortSignal | undefined {
  if (approval === undefined || signal === undefined) return signal ?? approval?.closed;
  return AbortSignal.any([signal, approval.closed]);
}

/** The last look before an attempt, where what allows the change can be taken back meanwhile. Throws `not_approved`. */
export async function assertStillApproved({ approval }: AnyRequest, operation: Sentence): Promise<void> {
  await approval?.look().catch((error: unknown) => {
    if (!(error instanceof VideoHostingError)) throw error;
    const { hint, reason, cause } = error;
    throw new VideoHostingError('not_approved', reason, { facts: { operation, outcome: 'nothing-sent' }, hint, cause });
  });
}

/** The last check before the network, also for callers that no compiler checked. Throws `not_approved`. */
export function assertApproved(request: AnyRequest, operation: Sentence): void {
  if (!isChange(request) || isOpenApproval(request.approval)) return;
  throw new VideoHostingError('not_approved', sentence`${operation} would change the account and has no approval; nothing was sent.`, {
    facts: { operation, outcome: 'nothing-sent' },
  });
}
