import type { Catalogue } from '../../../account/catalogue.ts';
import { titlesOfIds, translateVideos } from '../../../account/video-references.ts';
import type { ErrorCode } from '../../../errors/codes.ts';
import { allOrProblems, invalidArguments } from '../../../errors/field-problems.ts';
import { undefinedIfRefused, VideoHostingError } from '../../../errors.ts';
import { usable } from '../../../files/known-videos.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { Approval } from '../../../service/approval.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { VideoId } from '../../../service/ids.ts';
import { allOf } from '../../../text/counted.ts';
import { inQuotes, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { type IdRange, isNotSent } from '../../journal/bulk-state.ts';
import { isNotice, type Notice } from '../../notices/notices.ts';
import type { FactsOf } from '../../plan/facts.ts';
import { videosText } from '../../plan/list-text.ts';
import type { BulkPlan, BulkRun, ChangePlanner } from '../../plan/plan.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import type { Preview } from '../../plan/preview.ts';
import { COPY } from '../../plan/traits/videos.ts';
import { type BatchAnswer, failureFrom } from './batch-answer.ts';
import { collectIds, idListFacts, problemWithId, withoutIds } from './collect-ids.ts';
import { doubtfulIds } from './doubtful-ids.ts';
import { type EarlierCopies, earlierCopies } from './earlier-copies.ts';
import type { MoveRequest } from './plan-move.ts';
import { runBatches } from './run-batches.ts';
import { expiredJwt } from './untried-credential.ts';

export interface CopyRequest {
  /** Id, or a key or title where there is a catalogue; so are the targets. */
  readonly sourceVideoId: string;
  readonly targetVideoIds?: readonly string[] | undefined;
  readonly targetVideoIdsFile?: string | undefined;
  readonly idColumn?: MoveRequest['idColumn'];
  /** Targets in one request: a lost answer, or a refusal, leaves so many in doubt. */
  readonly batchSize?: number | undefined;
  /** Whether targets are left out that got CTAs of the source by an earlier copy of this server, or may have. */
  readonly skipCopied?: boolean | undefined;
}

const isDoubt = isNotice('no_ids');
const CONCURRENCY = 4;
export const NO_UNDO = sentence`This can’t be undone: copied CTAs can’t be taken away again from here.`;
const DEFAULT_BATCH_SIZE = 25;

/**
 * Plans a copy of a video's CTAs onto any number of others ("Copy CTA to videos" in the API document). Nothing is sent twice,
 * since a video that got the CTAs twice would show them twice. The planner throws `file_refused` or `invalid_arguments`.
 */
export function planCopy(request: CopyRequest, deps: FileDeps): ChangePlanner {
  return async ({ signal }) => {
    const catalogue = await deps.catalogue();
    const [source, given] = await allOrProblems(
      () => sourceOf(request, catalogue),
      () =>
        collectIds({
          listField: sentence`targetVideoIds`,
          fileField: sentence`targetVideoIdsFile`,
          list: request.targetVideoIds,
          file: request.targetVideoIdsFile,
          filesDirs: deps.filesDirs,
          catalogue,
          signal,
          // It may have been copied, and would be there twice.
          format: { leftOut: sentence`unknown`, column: request.idColumn, columnArgument: sentence`idColumn` },
        }),
    );
    if (given.ids.includes(source))
      throw invalidArguments([{ field: sentence`targetVideoIds`, problem: sentence`hold the source itself.` }]);
    const entry = catalogue?.byId(source);
    const shown = entry?.title === undefined ? inQuotes(source, 80) : sentence`${inQuotes(entry.title, 60)} (${word(source)})`;
    const unlisted = usable(catalogue) !== undefined && entry === undefined ? [{ kind: 'source_not_in_catalogue' } as const] : [];
    const { copiedBy, doubles, copiedBefore } = await earlierCopies(source, given.ids, deps.journal);
    const collected = request.skipCopied === true ? withoutIds(given, copiedBy) : given;
    const { ids, columns } = collected;
    const summary =
      ids.length === 0
        ? sentence`${given.ids.length === 1 ? 'The video' : sentence`${allOf(given.ids.length, 'All')} videos`} got CTAs of the video ${shown} before, or may have`
        : sentence`Copy all CTAs of the video ${shown} to ${videosText(ids.length)}`;
    const rows = columns && { positions: columns.positions, projects: columns.projectOf };
    const copy = { ...idListFacts(collected, rows), source, batchSize: request.batchSize ?? DEFAULT_BATCH_SIZE };
    // A list that can't be read keeps nobody from copying.
    const projects = catalogue === undefined ? await deps.account.allProjects({ signal }).catch(undefinedIfRefused) : [];
    const doubts = await doubtfulIds(collected, catalogue, projects ?? [], deps.journal);
    return buildCopyPlan(deps.client, {
      facts: { copy },
      ids,
      summary,
      ...definedFields({ rows, readBeside: collected.readBeside }),
      ...titlesOfIds(ids, catalogue),
      ...{ copiedBefore, doubles: request.skipCopied === true ? asLeftAlone(doubles) : doubles },
      notices: [...(await expiredJwt(deps, signal)), ...doubts, ...unlisted, ...collected.notices],
    });
  };
}

/** Of those that are left out, no copy comes twice. */
export const asLeftAlone = (doubles: readonly Notice[]): Notice[] =>
  doubles.map((one) => (isCopiedBefore(one) ? { ...one, kind: 'copied_since' } : one));
const isCopiedBefore = isNotice('copied_before');

/** The id of the source. It becomes part of a URL, so `.` and `..` are refused. */
function sourceOf({ sourceVideoId }: CopyRequest, catalogue: Catalogue | undefined): string {
  const given = sourceVideoId.trim();
  const [source = ''] = given === '' ? [] : translateVideos([given], 'id', () => sentence`sourceVideoId`, catalogue).values;
  const problem = ['', '.', '..'].includes(source) ? inQuotes(source) : problemWithId(source);
  if (problem === undefined) return source;
  throw invalidArguments([{ field: sentence`sourceVideoId`, problem: sentence`can’t be the id of a video: ${problem}.` }]);
}

type CopyPlanInput = Omit<EarlierCopies, 'copiedBy'> &
  Pick<BulkPlan, 'ids' | 'rows' | 'readBeside' | 'open' | 'basis' | 'resumes'> &
  Pick<Preview, 'summary' | 'notices'> &
  Partial<Pick<Preview, 'title' | 'titles' | 'sharedTitles'>> & {
    readonly facts: FactsOf<'copy_cta'>;
    /** Those that are left alone, with the change that copied onto them. */
    readonly leftAlone?: ReadonlyMap<string, string>;
  };

export function buildCopyPlan(client: ServiceClient, input: CopyPlanInput): BulkPlan {
  const { facts, basis, ids, rows, summary, title, doubles, copiedBefore, notices, resumes, leftAlone } = input;
  const { source, batchSize } = facts.copy;
  return {
    kind: 'copy_cta',
    preview: {
      summary,
      ...definedFields({ title, titles: input.titles, sharedTitles: input.sharedTitles }),
      // What casts doubt on all of it comes first.
      notices: [
        ...notices.filter(isDoubt),
        { kind: 'no_undo' },
        { kind: 'ctas_add_up' },
        ...doubles,
        ...notices.filter((one) => !isDoubt(one)),
      ],
      onFailure: sentence`${batchSize === 1 ? sentence`Sent one at a time, each once. If an answer is lost, that one is` : sentence`Sent ${batchSize} at a time after a first one alone, each once. If an answer is lost, or is a refusal, those ${batchSize} are`} in doubt and not sent again.`,
      undo: { possible: 'no', how: NO_UNDO },
    },
    facts,
    basis: { ...basis, copiedBefore },
    ids,
    ...definedFields({ open: input.open, rows, readBeside: input.readBeside, resumes }),
    apply: async (run) => {
      // The service checks which of the given texts are ids.
      const send = ({ from, to }: IdRange) => copyBatch(run.approval, client, source as VideoId, run.ids(from, to) as readonly VideoId[]);
      const isWanted = (index: number) => leftAlone?.has(ids[index] ?? '') !== true;
      if (leftAlone !== undefined) await recordLeftAlone(run, ids, leftAlone);
      const ended = await runBatches(run, {
        batchSize,
        isWanted,
        isResumed: resumes !== undefined,
        maxRequests: Number.POSITIVE_INFINITY,
        concurrency: CONCURRENCY,
        send,
      });
      if (ended !== undefined) throw ended;
    },
  };
}

/** Records by which change each got the CTAs; neighbours of one change are one line. */
async function recordLeftAlone({ state, record }: BulkRun, ids: readonly string[], leftAlone: ReadonlyMap<string, string>): Promise<void> {
  const byOf = (index: number) => leftAlone.get(ids[index] ?? '');
  for (const range of state.ranges((status, index) => isNotSent(status) && byOf(index) !== undefined))
    for (let from = range.from, to = from; from < range.to; from = to) {
      const by = byOf(from) ?? '';
      while (to < range.to && byOf(to) === by) to += 1;
      await record(from, to, 'not_done', sentence`Not sent. It got the CTAs by ${word(by)}, or may have, so it is left alone.`);
    }
}

/** What a person needs to know of an answer that was lost on its way. */
const UNANSWERED: Partial<Readonly<Record<ErrorCode, Sentence>>> = {
  connection_lost: sentence`The connection broke before an answer came.`,
  timed_out: sentence`No answer came in time.`,
};

/**
 * Refusals that may speak of one target of several; what else is refused speaks of the whole request. No errors of this request are documented, so
 * whatever it is, others may have got their copy before. A refusal of one target alone is taken to have done nothing.
 */
const OF_ONE_TARGET = new Set([400, 403, 404, 413, 422, 423]);

async function copyBatch(approval: Approval, client: ServiceClient, source: VideoId, targets: readonly VideoId[]): Promise<BatchAnswer> {
  try {
    const { ok, message } = await client.videos.copyCta(approval, source, targets);
    if (ok) return { kind: 'done' };
    const said = sentence`The service answered that it failed${message === undefined ? '' : sentence`: ${inQuotes(message, 300)}`}.`;
    const error = new VideoHostingError('service_failed', said);
    const which = targets.length === 1 ? sentence`Whether it has some of the CTAs` : sentence`Which of the batch have it`;
    const reason = sentence`${said} ${which} is not told.${COPY.howToSee}`;
    return { kind: 'some-failed', reason, error, certain: false };
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    const failure = failureFrom(error);
    if (targets.length > 1 && error.facts.status !== undefined && error.facts.outcome === 'not-done') {
      const reason = sentence`${failure.reason} Which of the ${targets.length} sent together have it is not told.${COPY.howToSee}`;
      const isOfOne = OF_ONE_TARGET.has(error.facts.status);
      return { kind: failure.kind === 'fatal' && !isOfOne ? 'fatal' : 'some-failed', reason, error, certain: false };
    }
    if (failure.certain) return failure;
    const said = UNANSWERED[error.code] ?? failure.reason;
    return { ...failure, reason: sentence`${said} It was sent, and may have been done.${COPY.howToSee}` };
  }
}
