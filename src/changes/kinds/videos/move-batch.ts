import { VideoHostingError } from '../../../errors.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { ProjectId, VideoId } from '../../../service/ids.ts';
import { sentence } from '../../../text/sentence.ts';
import type { IdRange } from '../../journal/bulk-state.ts';
import type { BulkRun } from '../../plan/plan.ts';
import { type BatchAnswer, type BatchFailure, failureFrom } from './batch-answer.ts';

const FAILED = sentence`The service says that it failed, but not why.`;

/** So many batches and parts that are forbidden in a row end a move: before one was accepted, and after it. */
const MAX_FORBIDDEN = { first: 40, later: 500 } as const;

/** What the answers to a move told of its credential, for the senders of all its projects. */
export function createCredentialCheck() {
  let inARow = 0;
  let most: number = MAX_FORBIDDEN.first;
  return {
    accepted(): void {
      inARow = 0;
      most = MAX_FORBIDDEN.later;
    },
    /** A batch was forbidden, as it is for one video in it. Returns why no part of it is sent any more; undefined where one may be allowed. */
    forbidden(error: VideoHostingError): VideoHostingError | undefined {
      inARow += 1;
      return inARow < most ? undefined : allForbidden(error, inARow, most === MAX_FORBIDDEN.later);
    },
  };
}

/** What ends a move whose videos are forbidden one after the other: each may lie in a project that the credential may not touch. */
function allForbidden(error: VideoHostingError, inARow: number, hasMoved: boolean): VideoHostingError {
  const key = hasMoved
    ? sentence`It may move some videos, and none of the last that were tried: those may lie in projects that it may not touch.`
    : sentence`It looks as if this key may move none of these videos.`;
  const message = sentence`${error.reason} The service answered so to ${inARow} requests in a row, so the rest was not sent. ${key}`;
  return new VideoHostingError(error.code, message, {
    facts: { ...error.facts, words: message },
    hint: sentence`${error.hint} resume_change sends the rest, of which some may be allowed; with retryFailed: true also what was forbidden.`,
    person: error.person,
    cause: error,
  });
}

/** Makes what sends one batch of a move, for `runBatches`. `isOneOfMany`: other batches go into other projects. */
export function createMoveSender(
  { approval, ids }: BulkRun,
  client: ServiceClient,
  projectId: ProjectId,
  { isOneOfMany, credential }: { readonly isOneOfMany: boolean; readonly credential: ReturnType<typeof createCredentialCheck> },
) {
  /** When the latest request was sent that found the project, in milliseconds of this process's clock. */
  let foundAt = Number.NEGATIVE_INFINITY;

  async function canSeeProject(): Promise<boolean> {
    const askedAt = performance.now();
    const found = await client.projects.get(projectId).then(
      () => true,
      (error: unknown) => !(error instanceof VideoHostingError && (error.code === 'service_not_found' || error.code === 'forbidden')),
    );
    if (found) foundAt = Math.max(foundAt, askedAt);
    return found;
  }

  return async function send({ from, to }: IdRange): Promise<BatchAnswer> {
    const sentAt = performance.now();
    try {
      // The service checks which of the given texts are ids.
      const { ok } = await client.videos.move(approval, projectId, ids(from, to) as readonly VideoId[]);
      if (!ok) return { kind: 'some-failed', reason: FAILED, error: new VideoHostingError('service_failed', FAILED), certain: false };
      foundAt = Math.max(foundAt, sentAt);
      credential.accepted();
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof VideoHostingError)) throw error;
      const found = failureFrom(error);
      const none = error.code === 'forbidden' ? credential.forbidden(error) : undefined;
      const isPart = error.code === 'forbidden' && none === undefined;
      const failure: BatchFailure = isPart ? { ...found, kind: 'refused' } : { ...found, error: none ?? error };
      // A refusal may be about the project rather than the ids.
      const isAboutIds = failure.kind !== 'refused' || foundAt >= sentAt || (await canSeeProject());
      return isAboutIds ? failure : { ...failure, kind: isOneOfMany ? 'all-failed' : 'fatal' };
    }
  };
}
