import { VideoHostingError } from '../../errors.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { ProjectId, VideoId } from '../../service/ids.ts';
import { sentence } from '../../text/sentence.ts';
import type { IdRange } from '../journal/bulk-state.ts';
import type { BulkRun } from '../plan.ts';
import { type BatchAnswer, failureFrom } from './batch-answer.ts';

const FAILED = sentence`The service answered that it failed, and not why.`;

/** Makes what sends one batch of a move, for `runBatches`. `isOneOfMany`: other batches go into other projects. */
export function createMoveSender({ approval, ids }: BulkRun, client: ServiceClient, projectId: ProjectId, isOneOfMany: boolean) {
  /** When the latest request was sent that found the project, in milliseconds of this process's clock. */
  let foundAt = Number.NEGATIVE_INFINITY;

  async function projectExists(): Promise<boolean> {
    const askedAt = performance.now();
    const found = await client.projects.get(projectId).then(
      () => true,
      (error: unknown) => !(error instanceof VideoHostingError && error.code === 'service_not_found'),
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
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof VideoHostingError)) throw error;
      const failure = failureFrom(error);
      // A refusal may be about the project rather than the ids.
      const isAboutIds = failure.kind !== 'refused' || foundAt >= sentAt || (await projectExists());
      return isAboutIds ? failure : { ...failure, kind: isOneOfMany ? 'all-failed' : 'fatal' };
    }
  };
}
