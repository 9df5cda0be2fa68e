import { VideoHostingError } from '../../../errors.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { ProjectId, VideoId } from '../../../service/ids.ts';
import { sentence } from '../../../text/sentence.ts';
import type { IdRange } from '../../journal/bulk-state.ts';
import type { BulkRun } from '../../plan/plan.ts';
import { type BatchAnswer, type BatchFailure, failureFrom } from './batch-answer.ts';

const FAILED = sentence`The service answered that it failed, and not why.`;

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
    /** A batch was forbidden, as it is for one video in it. Returns whether parts of it may be allowed. */
    mayAllowParts(): boolean {
      inARow += 1;
      return inARow < most;
    },
  };
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
      const failure: BatchFailure = error.code === 'forbidden' && credential.mayAllowParts() ? { ...found, kind: 'refused' } : found;
      // A refusal may be about the project rather than the ids.
      const isAboutIds = failure.kind !== 'refused' || foundAt >= sentAt || (await canSeeProject());
      return isAboutIds ? failure : { ...failure, kind: isOneOfMany ? 'all-failed' : 'fatal' };
    }
  };
}
