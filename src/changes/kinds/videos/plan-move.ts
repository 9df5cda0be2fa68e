import { labelOf, shownName } from '../../../account/references.ts';
import { titlesOfIds } from '../../../account/video-references.ts';
import { allOrProblems, invalidArguments } from '../../../errors/field-problems.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { longPiece } from '../../../platform/long-work.ts';
import type { ProjectId } from '../../../service/ids.ts';
import { MAX_IDS_PER_MOVE } from '../../../service/resources/videos.ts';
import { sentence, word } from '../../../text/sentence.ts';
import { type IdRange, type IdStatus, isNotSent, isPossiblyApplied } from '../../journal/bulk-state.ts';
import { isNotice, type Notice } from '../../notices/notices.ts';
import { type KindFacts, kindFactsOf, type MoveFacts, type ProjectShare } from '../../plan/facts.ts';
import { videosText } from '../../plan/list-text.ts';
import type { BulkPlan, BulkRun, ChangePlanner } from '../../plan/plan.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import type { Preview } from '../../plan/preview.ts';
import type { MoveKind } from '../../plan/traits/index.ts';
import { collectIds, idListFacts } from './collect-ids.ts';
import { doubtfulIds } from './doubtful-ids.ts';
import type { MovedOn } from './later-moves.ts';
import { createCredentialCheck, createMoveSender } from './move-batch.ts';
import { checkOrigins, type KnownOrigins } from './moved-before.ts';
import { type Origins, resolveOrigins } from './origins.ts';
import { placesOf } from './places.ts';
import { type BatchRules, runBatches } from './run-batches.ts';
import { undoOfMoves } from './undo-promise.ts';
import { expiredJwt, untriedCredential } from './untried-credential.ts';

export interface MoveRequest {
  readonly targetProject: string;
  /** Ids, or keys and titles where there is a catalogue; so in the file. At least one of the two. */
  readonly videoIds?: readonly string[] | undefined;
  readonly videoIdsFile?: string | undefined;
  /** The column of the file that names the videos, where its name does not tell. */
  readonly idColumn?: string | undefined;
  /** The column of the file that tells the project of each, where it is not called `fromProject`. */
  readonly fromProjectColumn?: string | undefined;
  /** The project that they are in now, as the caller says. It can't be checked, and undoing needs it. */
  readonly fromProject?: string | undefined;
  /** Whether what fails is sent once more at the end. */
  readonly retryFailed?: boolean | undefined;
}

/** Batches in flight; the HTTP client sends fewer at a time while the service throttles. */
const CONCURRENCY = 8;

/**
 * Plans a move of any number of videos ("Move videos between projects" in the API document).
 * The planner throws `not_found`, `ambiguous_reference`, `file_refused` or `invalid_arguments`.
 */
export function planMove(request: MoveRequest, deps: FileDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const [target, from, collected] = await allOrProblems(
      () => deps.account.nameProject(request.targetProject, { signal, progress }, sentence`targetProject`),
      () =>
        request.fromProject === undefined ? undefined : deps.account.nameProject(request.fromProject, { signal }, sentence`fromProject`),
      async () =>
        collectIds({
          listField: sentence`videoIds`,
          fileField: sentence`videoIdsFile`,
          list: request.videoIds,
          file: request.videoIdsFile,
          filesDirs: deps.filesDirs,
          catalogue: await deps.catalogue(),
          signal,
          format: {
            hasProjects: true,
            projectColumn: request.fromProjectColumn,
            column: request.idColumn,
            columnArgument: sentence`idColumn`,
          },
        }),
    );
    if (from?.id === target.id)
      throw invalidArguments([{ field: sentence`fromProject`, problem: sentence`is the project that they are to go to.` }]);
    const { ids, notices } = collected;
    const targetProject = { id: target.id, label: labelOf(target), name: shownName(target), count: ids.length };
    const said = await resolveOrigins(collected, from, target.id, deps.account, { signal });
    const known = await checkOrigins(said, ids, targetProject, deps.journal);
    const catalogue = await deps.catalogue();
    const doubts = await doubtfulIds(collected, catalogue, [target, ...(from === undefined ? [] : [from])], deps.journal);
    const { origins, basis } = known;
    await longPiece(ids.length, signal);
    const targetProjects = [targetProject];
    const move = { ...idListFacts(collected, origins.rows), targetProjects, fromProjects: [...origins.projects] };
    return buildMovePlan(deps, move, {
      kind: 'move_videos',
      facts: { move },
      ids,
      ...definedFields({ rows: origins.rows, basis, readBeside: collected.readBeside }),
      ...titlesOfIds(ids, catalogue),
      summary: sentence`Move ${videosText(ids.length)} into ${labelOf(target)}`,
      isTriedTwice: request.retryFailed === true,
      notices: [
        ...(await expiredJwt(deps, signal)),
        ...doubts,
        ...originNotices(said, known, target.id),
        ...notices,
        ...(await untriedCredential(deps)),
      ],
    });
  };
}

/** The project in which all of the videos are. */
const onlyOrigin = ({ projects, unnamed }: Origins): ProjectShare | undefined =>
  unnamed === 0 && projects.length === 1 ? projects[0] : undefined;

function originNotices(said: Origins, { origins, movedThere, notices }: KnownOrigins, targetId: string): Notice[] {
  const { projects, unnamed, columns } = said;
  if (projects.length === 0) return [...columns, { kind: 'no_undo', lacksOrigin: columns.length === 0 }, ...notices];
  const only = onlyOrigin(said);
  const there = (origins.projects.find(({ id }) => id === targetId)?.count ?? 0) - movedThere;
  return [
    ...notices,
    ...(unnamed === 0 ? [] : [{ kind: 'origin_not_named', videos: unnamed } as const]),
    ...(there === 0 ? [] : [{ kind: 'in_target_before', videos: there } as const]),
    only === undefined ? { kind: 'origins_by_file' } : { kind: 'origin_by_word', label: only.label },
  ];
}

/** `open`: those of the ids that are still to be sent; by default all. */
type MovePlanInput = KindFacts<MoveKind> &
  Pick<BulkPlan, 'ids' | 'rows' | 'readBeside' | 'basis' | 'resumes'> &
  Pick<Preview, 'summary' | 'title' | 'titles' | 'sharedTitles' | 'notices'> & {
    readonly open?: readonly IdRange[];
    /** Those that were moved elsewhere since, and are left alone. */
    readonly movedOn?: MovedOn;
    /** Whether what failed before is sent, too. */
    readonly retryFailed?: boolean;
    /** Whether what fails is sent once more at the end. */
    readonly isTriedTwice?: boolean;
  };

/** The plan of a move, of its undoing, or of its rest. */
export function buildMovePlan(
  { client, movesByKey }: Pick<FileDeps, 'client' | 'movesByKey'>,
  move: MoveFacts,
  input: MovePlanInput,
): BulkPlan {
  const { ids, rows, basis, summary, title, notices, movedOn, resumes, retryFailed = false, isTriedTwice = false } = input;
  const open = input.open ?? [{ from: 0, to: ids.length }];
  const sent = open.flatMap(({ from, to }) => (from === 0 && to === ids.length ? ids : ids.slice(from, to)));
  const maxRequests = requestLimit(sent.length) + 2 * (open.length - 1);
  const parts = rangesByProject(move.targetProjects);
  const places = placesOf(move, rows, open);
  return {
    ...kindFactsOf(input),
    preview: {
      summary,
      ...definedFields({ title, titles: input.titles, sharedTitles: input.sharedTitles }),
      notices,
      onFailure: sentence`If some fail, the others are moved all the same${isTriedTwice ? '; those are sent once more at the end, and what fails then is named' : ', and those are named'}. If the service can’t be reached, the rest is not sent.`,
      undo: undoOfMoves(input),
    },
    ids,
    ...definedFields({ basis, open: input.open && sent, rows, readBeside: input.readBeside, places, resumes }),
    apply: async (run) => {
      // The ids come from the service's own records of the projects.
      const how = { isOneOfMany: parts.length > 1, credential: createCredentialCheck() };
      const senders = parts.map(({ id, to }) => ({ to, send: createMoveSender(run, client, id as ProjectId, how) }));
      if (movedOn?.last !== undefined) await recordMovedOn(run, movedOn);
      const rules: BatchRules = {
        batchSize: MAX_IDS_PER_MOVE,
        isWanted: (index) => movedOn?.has(index) !== true,
        isDoubted: notices.some(isNotice('no_ids')),
        isByKey: movesByKey,
        parts,
        maxRequests,
        concurrency: CONCURRENCY,
        send: (batch) => (senders.find(({ to }) => batch.from < to) ?? unreachable(batch)).send(batch),
      };
      let ended = await runBatches(run, { ...rules, retryFailed });
      // Where nothing was moved, the list is the wrong one, or the key.
      const mayPass = run.state.count('failed') > 0 && run.state.count('done') > 0;
      if (isTriedTwice && mayPass && ended === undefined && !run.stop.aborted)
        ended = await runBatches(run, { ...rules, retryFailed: true });
      if (ended !== undefined) throw ended;
    },
  };
}

/** The ranges of ids that go into one project each. */
function rangesByProject(targets: readonly ProjectShare[]): readonly (IdRange & { readonly id: string })[] {
  let from = 0;
  return targets.map(({ id, count }) => {
    const part = { id, from, to: from + count };
    from = part.to;
    return part;
  });
}

/** Records why ids are left alone; what failed before stays so. */
async function recordMovedOn({ state, record }: BulkRun, { has, last }: MovedOn): Promise<void> {
  const since = sentence`It was moved again since, or may have been, last by ${word(last ?? '')}, so it is left alone.`;
  const rangesOf = (isWanted: (status: IdStatus) => boolean) => state.ranges((status, index) => isWanted(status) && has(index));
  for (const { from, to } of rangesOf(isNotSent)) await record(from, to, 'not_done', sentence`Not sent. ${since}`);
  for (const { from, to } of rangesOf(isPossiblyApplied))
    await record(from, to, 'unknown', sentence`Whether it was moved here is not known. ${since}`);
}

function unreachable({ from }: IdRange): never {
  throw new RangeError(`No project is known for the id at ${from}.`);
}

/** Most requests of a move: enough to find one bad id in twenty; a list that is all wrong is not searched to its end. */
function requestLimit(videos: number): number {
  return Math.ceil(videos / MAX_IDS_PER_MOVE) + Math.max(5_000, Math.ceil(videos / 2));
}
