import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { pageOutcomeText } from '../../changes/asking/ask-by-page.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import type { Journal } from '../../changes/journal/journal.ts';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { channelsNow, channelsOf } from '../../changes/kinds/channels/changed-since.ts';
import { lookAgain } from '../../changes/kinds/earlier/look-again.ts';
import { troubleOf } from '../../changes/kinds/videos/trouble-text.ts';
import { findChange } from '../../changes/life/find-change.ts';
import { isStopping } from '../../changes/life/jobs.ts';
import { summaryText } from '../../changes/plan/preview.ts';
import { type Proposal, recordId, shownStatus } from '../../changes/proposals/proposal.ts';
import { waitsOf } from '../../changes/proposals/routes/index.ts';
import { resumptionText } from '../../changes/proposals/waited.ts';
import { noteOut, toldAsked, toldText } from '../../changes/tell/agreement.ts';
import { CHANGE_LISTS, type ListPage, pageOfChange } from '../../changes/tell/change-pages.ts';
import { releasedFile } from '../../changes/tell/download.ts';
import { keptResult, lapsedPreview, previewPage, waitingAnswer } from '../../changes/tell/not-begun.ts';
import { previewAnswer } from '../../changes/tell/preview.ts';
import { laterResult } from '../../changes/tell/result.ts';
import { troubleOut, withReasonsOnce } from '../../changes/tell/result-fields.ts';
import type { Settings } from '../../config/settings.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { bulkOutput, changeOutput, outcomesOut } from '../call/change-reply.ts';
import { changeIdArgument, defineTool } from '../define-tool.ts';
import { PagerOut, pageArgument, waitSecondsArgument } from '../schemas/shapes.ts';
import { changeLink } from '../shared-links.ts';

export interface Wait {
  readonly until: number;
  readonly signal: AbortSignal;
  /** Aborted when the server begins to end. */
  readonly ending: AbortSignal;
  /** The interval for reading what another process writes. */
  readonly everyMs: number;
}

/** A change after it has ended, or as it is at `until` (milliseconds since the epoch). */
export async function readEnded(
  changeId: string,
  journal: Journal,
  { until, signal, ending, everyMs }: Wait,
): Promise<ChangeRecord | undefined> {
  const over = AbortSignal.any([signal, ending]);
  for (;;) {
    const record = await journal.read(changeId);
    const leftMs = until - Date.now();
    if (record?.status !== 'running' || leftMs <= 0 || over.aborted) return record;
    await sleep(Math.min(everyMs, leftMs), undefined, { signal: over }).catch(() => undefined);
  }
}

/** Replaces all lists of a result by a page of one. */
async function withList(
  result: Values & { readonly status: string },
  record: ChangeRecord,
  journal: Journal,
  list: ListPage['list'],
  page: number,
) {
  const { before, after, changed, failed, unknown, notDone, leftOut, notDoneFile, notDoneFileHolds, remarks, ...rest } = result;
  const found = await pageOfChange(record, journal, list, page).catch(() => {
    throw new VideoHostingError(
      'not_found',
      sentence`The ids of ${word(record.intent.changeId)} can’t be read any more: only their counts are known.`,
      {
        hint: 'get_change without list has the counts.',
      },
    );
  });
  return { ...rest, list, pager: found.pager, [list]: found.entries };
}

/** A change that waits, or was not begun; with a page of its preview where that is asked for. */
function proposalOut(proposal: Proposal, page: number | undefined, settings: Pick<Settings, 'sharedAt'>) {
  const { plan, at, asked, status, changeId } = proposal;
  const link = status === 'waiting' ? changeLink(settings, changeId) : undefined;
  return {
    ...unbegunOut(proposal, page),
    ...definedFields({ link }),
    asked: toldText(toldAsked(asked)),
    kind: plan.kind,
    at: new Date(at).toISOString(),
  };
}

function unbegunOut(proposal: Proposal, page: number | undefined): Values & { readonly status: string } {
  if (!proposal.isAskedHere) return keptResult(proposal, page);
  const { changeId, plan } = proposal;
  const status = shownStatus(proposal);
  const { isByAssistant } = waitsOf(proposal.route);
  if (status === 'waiting') {
    if (isByAssistant) return previewPage(proposal, page);
    const preview = page === undefined ? {} : { preview: previewAnswer(plan, changeId, page) };
    return { ...waitingAnswer(proposal), ...preview };
  }
  if (isByAssistant) return lapsedPreview(proposal);
  return { status, changeId, message: sentence`${summaryText(plan.preview)} ${pageOutcomeText(proposal)}` };
}

/** Of what was asked for under an id of its own, to carry on a change. */
const carriedOnText = (changeId: string, { intent }: ChangeRecord): Sentence | undefined =>
  changeId === intent.changeId ? undefined : sentence`${word(changeId)} carried on ${word(intent.changeId)}, which this is about.`;

const STOPPING = sentence`It was asked to stop, and ends after the requests in flight.`;

/** Here what is not done is listed, and may have no reason. */
const { notDone: _, ...output } = changeOutput;

export const getChange = defineTool({
  name: 'get_change',
  title: 'Get a change',
  description:
    'One change in full: what is done, failed, not done or not known; a preview page by page. Waits for a running one, or for an answer, up to waitSeconds.',
  effect: 'read',
  input: {
    changeId: changeIdArgument,
    waitSeconds: waitSecondsArgument,
    list: z.enum(CHANGE_LISTS).optional().describe('All ids of one outcome, in pages of 100'),
    page: pageArgument,
  },
  output: {
    ...output,
    ...bulkOutput,
    status: z.string(),
    kind: z.string(),
    at: z.string(),
    list: z.enum(CHANGE_LISTS).optional(),
    pager: PagerOut.partial().optional(),
    done: outcomesOut,
    notDone: outcomesOut,
    undoneBy: z.string().optional(),
    partlyUndoneBy: z.string().optional(),
    userNote: z.string().optional(),
  },
  cuttable: ['after', 'before', 'notDone', 'failed', 'unknown'],
  ifCut: sentence`name it as list, and a page`,
  run: async ({ changeId, waitSeconds = 0, list, page }, context) => {
    const { client, account, journal, jobs, askedHere, proposals, emailDownloads, otherAccounts } = context;
    const { settings, intervals, ending, signal, progress } = context;
    // Leaves time for the answer itself within the call's budget.
    const waitMs = Math.min(waitSeconds * 1_000, settings.callBudgetMs * 0.9);
    const until = Date.now() + waitMs;
    const wait = { until, signal, ending, everyMs: intervals.changeMs };
    await askedHere.wait(changeId, until, signal);
    const asked = await findChange(changeId, { journal, proposals });
    const proposal = asked?.proposal;
    // One that a person approved is about to begin.
    if (asked?.record === undefined && proposal !== undefined && proposal.status !== 'started')
      return proposalOut(proposal, page, settings);
    if (page !== undefined && list === undefined)
      throw invalidArguments([
        { field: sentence`page`, problem: sentence`is a page of a list: name one of ${joined(CHANGE_LISTS, ', ')} as list.` },
      ]);
    if (asked === undefined) throw noSuchChange(changeId, {}, await otherAccounts());
    const id = proposal === undefined ? changeId : recordId(proposal);
    await jobs.get(id)?.watch({ until, signal, progress });
    const found = await readEnded(id, journal, wait);
    if (found === undefined) {
      if (proposal === undefined) throw noSuchChange(changeId);
      return proposalOut(proposal, page, settings);
    }
    const record = await lookAgain(found, { client, account, journal }, signal);
    const { kind, at } = record.intent;
    const now = await channelsNow(channelsOf([record]), { client, account, each: true }, signal);
    const result = await laterResult(record, journal, { now });
    const shown = list === undefined ? result : await withList(result, record, journal, list, page ?? 1);
    const resumptions = asked.record === undefined ? [] : asked.resumptions;
    const notes = [
      ...(record.status === 'running' && isStopping(id, { jobs, journal }) ? [STOPPING] : []),
      troubleOut(record).note,
      troubleOf(record, jobs.get(id)?.trouble()),
      carriedOnText(changeId, record),
      ...resumptions.map(resumptionText),
    ];
    const note = joined(notes.flatMap((text) => text ?? []));
    const released = await releasedFile(record, emailDownloads);
    const link = released?.file && changeLink(settings, record.intent.changeId);
    const answer = {
      ...withReasonsOnce(shown),
      ...(released && { next: released.words }),
      ...definedFields({ link, note: note === '' ? undefined : note }),
    };
    return { ...answer, status: result.status, kind, at, ...noteOut(proposal?.note, proposal?.decided ?? record.intent.decided) };
  },
});
