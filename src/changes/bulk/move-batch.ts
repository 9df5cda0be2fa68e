import { type ErrorCode, VideoHostingError } from '../../errors.ts';
import type { Approval } from '../../service/approval.ts';
import type { Client } from '../../service/client.ts';
import type { ProjectId, VideoId } from '../../service/ids.ts';
import { reasonOf } from '../reason.ts';
import type { BatchAnswer } from './run-batches.ts';

/** After these every batch would fare the same. */
const ENDS: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'forbidden',
  'service_not_found',
  'redirect_refused',
  'not_approved',
  'invalid_arguments',
]);

/** Sends one batch of a move, and reads its answer. */
export function createMoveSender(approval: Approval, client: Client, projectId: ProjectId) {
  return async function send(ids: readonly string[]): Promise<BatchAnswer> {
    try {
      // Whatever was given becomes an id by being sent as one; the service says which are none.
      const { ok } = await client.videos.move(approval, projectId, ids as readonly VideoId[]);
      return ok ? { kind: 'done' } : { kind: 'some-failed', reason: 'The service answered that it failed, and not why.' };
    } catch (error) {
      if (!(error instanceof VideoHostingError)) throw error;
      return readError(error, ids.length, () => targetIsThere(client, projectId));
    }
  };
}

async function readError(error: VideoHostingError, size: number, targetIsThere: () => Promise<boolean>): Promise<BatchAnswer> {
  if (ENDS.has(error.code)) return { kind: 'ends', fate: 'not_done', error };
  if (error.code !== 'service_validation') return { kind: 'unknown', reason: reasonOf(error), error };
  // It may be the project that can't be resolved, or something about the ids.
  if (!(await targetIsThere())) return { kind: 'ends', fate: 'not_done', error };
  return size === 1 ? { kind: 'failed', reason: reasonOf(error) } : { kind: 'some-failed', reason: reasonOf(error) };
}

async function targetIsThere(client: Client, projectId: ProjectId): Promise<boolean> {
  return client.projects.get(projectId).then(
    () => true,
    (error: unknown) => !(error instanceof VideoHostingError && error.code === 'service_not_found'),
  );
}
