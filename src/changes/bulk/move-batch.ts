/**
 * How one batch of a move goes out and what its answer means. `plan-move.ts` hands it to `run-batches.ts`, which knows
 * nothing of moves.
 */
import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ProjectId, VideoId } from '../../service/ids.ts';
import type { BulkRun } from '../plan.ts';
import { type BatchAnswer, failureFrom } from './batch-answer.ts';
import type { IdRange } from './bulk-state.ts';

const FAILED = 'The service answered that it failed, and not why.';

/** Makes what sends one batch of a move for `runBatches`. */
export function createMoveSender({ approval, ids }: BulkRun, client: Client, projectId: ProjectId) {
  /** When the last request that found the project there was sent, in milliseconds of this process's clock. */
  let thereAt = Number.NEGATIVE_INFINITY;

  /** Whether the project can be moved into, as far as the service says; asked when a refusal may be about it. */
  async function targetIsThere(): Promise<boolean> {
    const askedAt = performance.now();
    const found = await client.projects.get(projectId).then(
      () => true,
      (error: unknown) => !(error instanceof VideoHostingError && error.code === 'service_not_found'),
    );
    if (found) thereAt = Math.max(thereAt, askedAt);
    return found;
  }

  async function send({ from, to }: IdRange): Promise<BatchAnswer> {
    const sentAt = performance.now();
    try {
      // Whatever was given becomes an id by being sent as one; the service says which are none.
      const { ok } = await client.videos.move(approval, projectId, ids(from, to) as readonly VideoId[]);
      if (!ok) return { kind: 'some-failed', reason: FAILED, error: new VideoHostingError('service_failed', FAILED), certain: false };
      thereAt = Math.max(thereAt, sentAt);
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof VideoHostingError)) throw error;
      const miss = failureFrom(error);
      // It may be the project that can't be resolved, or something about the ids.
      const isAboutIds = miss.kind !== 'refused' || thereAt >= sentAt || (await targetIsThere());
      return isAboutIds ? miss : { ...miss, kind: 'ends' };
    }
  }

  return send;
}
