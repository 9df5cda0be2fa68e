import type { Account } from '../../account/account.ts';
import type { Catalogue } from '../../account/catalogue.ts';
import { labelOf } from '../../account/references.ts';
import { allOrProblems, invalidArguments } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ProjectId } from '../../service/ids.ts';
import { MAX_IDS_PER_MOVE } from '../../service/resources/videos.ts';
import { listed, videosText } from '../listed.ts';
import type { BulkPlan, ChangePlanner, Undo } from '../plan.ts';
import { collectIds } from './collect-ids.ts';
import { createMoveSender } from './move-batch.ts';
import { runBatches } from './run-batches.ts';

export interface MoveRequest {
  readonly targetProject: string;
  /** Ids, or keys and titles where there is a catalogue; so in the file. At least one of the two. */
  readonly videoIds?: readonly string[] | undefined;
  readonly videoIdsFile?: string | undefined;
  /** The project that they are in now, as the caller says. It can't be checked, and undoing needs it. */
  readonly fromProject?: string | undefined;
}

export interface MoveDeps {
  readonly client: Client;
  readonly account: Account;
  readonly catalogue: () => Promise<Catalogue | undefined>;
  readonly filesDirs: readonly string[];
}

/** Batches in flight; the HTTP client sends fewer at a time while the service throttles. */
const CONCURRENCY = 8;

/**
 * Plans a move of any number of videos ("Move videos between projects" in the API document).
 * The planner throws `not_found`, `ambiguous_reference`, `file_refused` or `invalid_arguments`.
 */
export function planMove(request: MoveRequest, deps: MoveDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const [target, from, collected] = await allOrProblems(
      () => deps.account.nameProject(request.targetProject, { signal, progress }, 'targetProject'),
      () => (request.fromProject === undefined ? undefined : deps.account.nameProject(request.fromProject, { signal }, 'fromProject')),
      async () =>
        collectIds({
          listField: 'videoIds',
          fileField: 'videoIdsFile',
          list: request.videoIds,
          file: request.videoIdsFile,
          filesDirs: deps.filesDirs,
          catalogue: await deps.catalogue(),
          signal,
        }),
    );
    if (from?.id === target.id) throw invalidArguments([{ field: 'fromProject', problem: 'is the project that they are to go to.' }]);
    const fromLine = from === undefined ? [] : [`You say that they are in ${labelOf(from)} now; that can’t be checked.`];
    return buildMovePlan(deps.client, {
      ids: collected.ids,
      target: { id: target.id, label: labelOf(target) },
      summary: `Move ${videosText(collected.ids.length)} into ${labelOf(target)}.`,
      warnings: [...(from === undefined ? [UNDO_NEEDS_FROM] : []), ...fromLine, ...collected.notes],
      undo:
        from === undefined
          ? { possible: 'no', how: UNDO_NEEDS_FROM }
          : { possible: 'yes', how: `undo_change moves back to ${labelOf(from)} what was moved, nothing else.` },
      facts: {
        digest: collected.digest,
        count: collected.ids.length,
        target: target.id,
        from: from?.id ?? null,
        fromLabel: from === undefined ? null : labelOf(from),
        targetLabel: labelOf(target),
      },
    });
  };
}

const UNDO_NEEDS_FROM = 'It can’t be undone, since no fromProject was named: where the videos are now is not known.';

export interface MovePlanInput {
  /** All ids of the change, even if only some are still to be sent. */
  readonly ids: readonly string[];
  readonly target: { readonly id: string; readonly label: string };
  readonly summary: string;
  readonly warnings: readonly string[];
  readonly undo: Undo;
  /** What the journal keeps: `target` and `from` with their labels, and the list's `digest` and `count`. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly kind?: 'move_videos' | 'undo_change';
  /** Those still to be sent; by default all. */
  readonly open?: readonly string[];
  readonly resumes?: string;
}

/** The plan of a move, of its undoing, or of its rest. */
export function buildMovePlan(client: Client, input: MovePlanInput): BulkPlan {
  const { ids, target, open = ids } = input;
  const maxRequests = requestLimit(open.length);
  // The id comes from the service's own record of the project.
  const projectId = target.id as ProjectId;
  return {
    kind: input.kind ?? 'move_videos',
    preview: {
      summary: input.summary,
      warnings: input.warnings,
      lines: [listed(open, 3)],
      onFailure: `Sent ${MAX_IDS_PER_MOVE} at a time. A batch in which something fails is halved until the failing ids stand alone; after ${maxRequests.toLocaleString('en-US')} requests the rest counts as not known. If the service refuses the project or can’t be reached, it ends.`,
      undo: input.undo,
    },
    facts: input.facts,
    ids,
    ...(input.resumes === undefined ? {} : { resumes: input.resumes }),
    apply: async (run) => {
      const send = createMoveSender(run, client, projectId);
      const ended = await runBatches(run, { batchSize: MAX_IDS_PER_MOVE, repeatable: true, maxRequests, concurrency: CONCURRENCY, send });
      if (ended !== undefined) throw ended;
    },
  };
}

/** Most requests of a move: enough to find one bad id in twenty; a list that is all wrong is not searched to its end. */
function requestLimit(videos: number): number {
  return Math.ceil(videos / MAX_IDS_PER_MOVE) + Math.max(5_000, Math.ceil(videos / 2));
}
