import type { Catalogue } from '../../account/catalogue.ts';
import { translateVideos } from '../../account/video-references.ts';
import { allOrProblems, type ErrorCode, invalidArguments, VideoHostingError } from '../../errors.ts';
import type { Approval } from '../../service/approval.ts';
import type { Client } from '../../service/client.ts';
import type { VideoId } from '../../service/ids.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { listed, videosText } from '../listed.ts';
import type { BulkPlan, ChangePlanner } from '../plan.ts';
import type { Notice } from '../view/notices.ts';
import { type BatchAnswer, failureFrom, howToSee } from './batch-answer.ts';
import type { IdRange } from './bulk-state.ts';
import { collectIds, problemWithId } from './collect-ids.ts';
import { findOverlap } from './earlier-changes.ts';
import { type IdRows, rowFacts } from './id-rows.ts';
import type { MoveDeps, MoveRequest } from './plan-move.ts';
import { runBatches } from './run-batches.ts';

export interface CopyRequest {
  /** Id, or a key or title where there is a catalogue; so are the targets. */
  readonly sourceVideoId: string;
  readonly targetVideoIds?: readonly string[] | undefined;
  readonly targetVideoIdsFile?: string | undefined;
  readonly idColumn?: MoveRequest['idColumn'];
  /** Targets in one request: a lost answer leaves so many in doubt. */
  readonly batchSize?: number | undefined;
}

export interface CopyDeps extends Pick<MoveDeps, 'client' | 'catalogue' | 'filesDirs'> {
  readonly journal: Journal;
}

const CONCURRENCY = 4;
const DEFAULT_BATCH_SIZE = 25;

/**
 * Plans a copy of a video's CTAs onto any number of others ("Copy CTA to videos" in the API document). Nothing is sent twice,
 * since a video that got the CTAs twice would show them twice. The planner throws `file_refused` or `invalid_arguments`.
 */
export function planCopy(request: CopyRequest, deps: CopyDeps): ChangePlanner {
  return async ({ signal }) => {
    const catalogue = await deps.catalogue();
    const [source, { ids, notices, digest, fileRead, told }] = await allOrProblems(
      () => sourceOf(request, catalogue),
      () =>
        collectIds({
          listField: 'targetVideoIds',
          fileField: 'targetVideoIdsFile',
          list: request.targetVideoIds,
          file: request.targetVideoIdsFile,
          filesDirs: deps.filesDirs,
          catalogue,
          signal,
          // It may have been copied, and would be there twice.
          format: { leftOut: 'unknown', column: request.idColumn },
        }),
    );
    if (ids.includes(source)) throw invalidArguments([{ field: 'targetVideoIds', problem: 'hold the source itself.' }]);
    const entry = catalogue?.byId(source);
    const title = entry?.title === undefined ? '' : ` (${JSON.stringify(cleanText(entry.title, 60))})`;
    const shown = `${JSON.stringify(cleanText(source, 80))}${title}`;
    const unlisted = catalogue !== undefined && entry === undefined ? [{ kind: 'source_not_in_catalogue' } as const] : [];
    const summary = `Copy all CTAs of the video ${shown} onto ${videosText(ids.length)}`;
    const rows = told === undefined ? undefined : { places: told.places, projects: told.projectOf };
    return buildCopyPlan(deps.client, {
      source,
      ids,
      summary,
      ...(rows === undefined ? {} : { rows }),
      ...(await earlierCopies(source, ids, deps.journal)),
      notices: [...unlisted, ...notices],
      facts: {
        digest,
        count: ids.length,
        ...rowFacts(rows, told?.placeUnit),
        ...(fileRead === undefined ? {} : { fileRead }),
        source,
        batchSize: request.batchSize ?? DEFAULT_BATCH_SIZE,
      },
    });
  };
}

/** The id of the source. It becomes part of a URL, so `.` and `..` are refused. */
function sourceOf({ sourceVideoId }: CopyRequest, catalogue: Catalogue | undefined): string {
  const given = sourceVideoId.trim();
  const [source = ''] = given === '' ? [] : translateVideos([given], 'id', () => 'sourceVideoId', catalogue).values;
  const problem = ['', '.', '..'].includes(source) ? JSON.stringify(source) : problemWithId(source);
  if (problem === undefined) return source;
  throw invalidArguments([{ field: 'sourceVideoId', problem: `can’t be the id of a video: ${problem}.` }]);
}

/** What this server's history tells of other copies of the source onto the same videos. */
interface EarlierCopies {
  readonly doubles: readonly Notice[];
  /** A line that there was none. */
  readonly history: readonly string[];
  /** For the facts of the plan, so that a copy that was begun after the preview is noticed. */
  readonly copiedBefore: unknown;
}

export async function earlierCopies(source: string, ids: readonly string[], journal: Journal): Promise<EarlierCopies> {
  const unread: string[] = [];
  const isWanted = ({ intent }: ChangeRecord) => intent.facts.source === source;
  const overlap = await findOverlap(journal.each(['copy_cta']), ids, journal, isWanted, (changeId) => unread.push(changeId));
  const lost = unread.length === 0 ? [] : [{ kind: 'copies_unread', which: listed(unread) } as const];
  if (overlap === undefined)
    return {
      doubles: lost,
      history: lost.length > 0 ? [] : ['No earlier copy of this source onto them is in this server’s history.'],
      copiedBefore: { unread },
    };
  const { which, last, isLastRunning, count, digest } = overlap;
  return {
    doubles: [{ kind: 'copied_before', which, last, isRunning: isLastRunning }, ...lost],
    history: [],
    copiedBefore: { count, last, digest, unread },
  };
}

export interface CopyPlanInput extends EarlierCopies {
  readonly source: string;
  /** All ids of the change, even if only some are still to be sent. */
  readonly ids: readonly string[];
  readonly rows?: IdRows;
  /** Those still to be sent; by default all. */
  readonly open?: readonly string[];
  readonly summary: string;
  readonly title?: string;
  readonly notices: readonly Notice[];
  /** What the journal keeps: `source`, `batchSize`, and the list's `digest` and `count`. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly resumes?: string;
}

const NO_UNDO = 'Copied CTAs can’t be taken away again through this API, so this can’t be undone.';

export function buildCopyPlan(client: Client, input: CopyPlanInput): BulkPlan {
  const { source, ids, rows, open = ids, summary, title, doubles, history, copiedBefore, notices, facts, resumes } = input;
  // Changes of earlier versions do not have it.
  const batchSize = typeof facts.batchSize === 'number' ? facts.batchSize : DEFAULT_BATCH_SIZE;
  return {
    kind: 'copy_cta',
    preview: {
      summary,
      ...(title === undefined ? {} : { title }),
      notices: [{ kind: 'no_undo' }, { kind: 'ctas_add_up' }, ...doubles, ...notices],
      lines: [listed(open, 3), ...history].map((words) => ({ changes: [words] })),
      onFailure: `Sent ${batchSize === 1 ? 'one' : batchSize} at a time, each once. If an answer is lost, ${batchSize === 1 ? 'that one is' : `those ${batchSize} are`} in doubt and not sent again.`,
      undo: { possible: 'no', how: NO_UNDO },
    },
    facts: { ...facts, copiedBefore },
    ids,
    once: true,
    ...(input.open === undefined ? {} : { open }),
    ...(rows === undefined ? {} : { rows }),
    ...(resumes === undefined ? {} : { resumes }),
    apply: async (run) => {
      // The service checks which of the given texts are ids.
      const send = ({ from, to }: IdRange) => copyBatch(run.approval, client, source as VideoId, run.ids(from, to) as readonly VideoId[]);
      const rules = {
        batchSize,
        repeatable: false,
        maxRequests: Number.POSITIVE_INFINITY,
        concurrency: CONCURRENCY,
        send,
      };
      const ended = await runBatches(run, rules);
      if (ended !== undefined) throw ended;
    },
  };
}

/** What a person needs to know of an answer that was lost on its way. */
const UNANSWERED: Partial<Readonly<Record<ErrorCode, string>>> = {
  connection_lost: 'The connection broke before an answer came.',
  timed_out: 'No answer came in time.',
};

async function copyBatch(approval: Approval, client: Client, source: VideoId, targets: readonly VideoId[]): Promise<BatchAnswer> {
  try {
    const { ok, message } = await client.videos.copyCta(approval, source, targets);
    if (ok) return { kind: 'done' };
    const said = `The service answered that it failed${message === undefined ? '' : `: ${JSON.stringify(cleanText(message, 300))}`}.`;
    const error = new VideoHostingError('service_failed', said);
    // Of several, some may have got it.
    const reason = targets.length === 1 ? said : `${said} Which of the batch have it is not told. ${howToSee(targets.length)}`;
    return { kind: 'some-failed', reason, error, certain: false };
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    const failure = failureFrom(error);
    if (failure.certain) return failure;
    const said = UNANSWERED[error.code] ?? failure.reason;
    return { ...failure, reason: `${said} It was sent, and may have been done. ${howToSee(targets.length)}` };
  }
}
