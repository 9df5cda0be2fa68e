/**
 * How one batch of a move goes out and what its answer means. `plan-move.ts` hands it to `run-batches.ts`, which knows
 * nothing of moves.
 */
import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ProjectId } from '../../service/ids.ts';
import { MAX_IDS_PER_MOVE, moveBody } from '../../service/resources/videos.ts';
import type { BulkRun } from '../plan.ts';
import { type BatchAnswer, missFrom } from './batch-answer.ts';
import type { IdRange } from './bulk-state.ts';

const FAILED = 'The service answered that it failed, and not why.';

/** The body of the request that moves the ids from one place in the list up to another. */
export type BodyOf = (range: IdRange) => Buffer;

/**
 * What was made of a list, for as long as that is there. A plan is made again once a person has agreed, and of a file's
 * list, which is the long one, with the very same ids (`collect-ids.ts`): nothing has to be made of them then.
 */
const kept = new WeakMap<readonly string[], { readonly projectId: ProjectId; readonly bodyOf: BodyOf }>();

/** Makes those of all whole batches when a move is planned; of parts as they are asked for. */
export function createMoveBodies(projectId: ProjectId, ids: readonly string[]): BodyOf {
  const before = kept.get(ids);
  if (before?.projectId === projectId) return before.bodyOf;
  // Whatever was given becomes an id by being sent as one; the service says which are none.
  const bodyOf: BodyOf = ({ from, to }) => moveBody(projectId, ids.slice(from, to));
  const endOf = (from: number) => Math.min(from + MAX_IDS_PER_MOVE, ids.length);
  const whole: Buffer[] = [];
  for (let from = 0; from < ids.length; from += MAX_IDS_PER_MOVE) whole.push(bodyOf({ from, to: endOf(from) }));
  const made: BodyOf = (range) => {
    const ready = range.to === endOf(range.from) ? whole[range.from / MAX_IDS_PER_MOVE] : undefined;
    return ready ?? bodyOf(range);
  };
  kept.set(ids, { projectId, bodyOf: made });
  return made;
}

/** Makes what `runBatches` needs of a move: `send`, for one batch, and `probe`. Neither rejects with an error of the client. */
export function createMoveSender({ approval }: BulkRun, client: Client, projectId: ProjectId, bodyOf: BodyOf) {
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

  async function send(range: IdRange): Promise<BatchAnswer> {
    const sentAt = performance.now();
    try {
      const { ok } = await client.videos.sendMove(approval, bodyOf(range));
      if (!ok) return { kind: 'some-failed', reason: FAILED, error: new VideoHostingError('service_failed', FAILED), certain: false };
      thereAt = Math.max(thereAt, sentAt);
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof VideoHostingError)) throw error;
      const miss = missFrom(error);
      // It may be the project that can't be resolved, or something about the ids.
      const isAboutIds = miss.kind !== 'refused' || thereAt >= sentAt || (await targetIsThere());
      return isAboutIds ? miss : { ...miss, kind: 'ends' };
    }
  }

  /** Whether the service answers at all. */
  const probe = (): Promise<boolean> =>
    client.projects.get(projectId).then(
      () => true,
      (error: unknown) => error instanceof VideoHostingError && error.code === 'service_not_found',
    );

  return { send, probe };
}
