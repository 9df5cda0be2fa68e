import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { pageOutcomeText } from '../../changes/confirm/ask-by-page.ts';
import type { WaitingChange } from '../../changes/confirm/waiting-change.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import type { Journal } from '../../changes/journal/journal.ts';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { askedUnder, isKept } from '../../changes/kept/asked-under.ts';
import type { KeptChange } from '../../changes/kept/kept-change.ts';
import { lookAgain } from '../../changes/look-again.ts';
import { withReasonsOnce } from '../../changes/view/change-fields.ts';
import { CHANGE_LISTS, type ListPage, pageOfChange } from '../../changes/view/change-list.ts';
import { laterResult } from '../../changes/view/change-result.ts';
import { pagedIdLines } from '../../changes/view/id-lines.ts';
import { keptResult } from '../../changes/view/kept-answer.ts';
import { summaryText } from '../../changes/view/preview.ts';
import { previewAnswer } from '../../changes/view/preview-answer.ts';
import { troubleOf } from '../../changes/view/trouble-text.ts';
import { lapsedPreview, previewPage, waitingAnswer } from '../../changes/view/unconfirmed.ts';
import { invalidArguments, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { joined, sentence, word } from '../../text/sentence.ts';
import { bulkOutput, changeOutput, outcomesOut } from '../change-reply.ts';
import { changeIdArgument, defineTool } from '../define-tool.ts';
import { PagerOut, pageArgument } from '../shapes.ts';

export interface Wait {
  readonly until: number;
  readonly signal: AbortSignal;
  /** The interval for reading what another process writes. */
  readonly everyMs: number;
}

/** What is read once it is over, or as it is at `until` (milliseconds since the epoch). */
async function whenOver<T>(read: () => Promise<T>, isOver: (found: T) => boolean, { until, signal, everyMs }: Wait): Promise<T> {
  for (;;) {
    const found = await read();
    const leftMs = until - Date.now();
    if (isOver(found) || leftMs <= 0 || signal.aborted) return found;
    await sleep(Math.min(everyMs, leftMs), undefined, { signal }).catch(() => undefined);
  }
}

/** A change after it has ended, or as it is at `until`. */
export const readEnded = (changeId: string, journal: Journal, wait: Wait): Promise<ChangeRecord | undefined> =>
  whenOver(
    () => journal.read(changeId),
    (record) => record?.status !== 'running',
    wait,
  );

/** Replaces all lists of a result by a page of one. */
async function withList(
  result: Values & { readonly status: string },
  record: ChangeRecord,
  journal: Journal,
  list: ListPage['list'],
  page: number,
) {
  const { before, after, failed, unknown, notDone, leftOut, notDoneFile, notDoneFileHolds, remarks, ...rest } = result;
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

/** What is told of whatever was asked for. */
const aboutAsked = ({ plan, at }: Pick<WaitingChange | KeptChange, 'plan' | 'at'>) => ({ kind: plan.kind, at: new Date(at).toISOString() });

/** A change that waits for a person, or was not begun; with a page of its preview where that is asked for. */
function askedOut(change: WaitingChange | KeptChange, page: number | undefined) {
  const { changeId, plan, note } = change;
  const common = aboutAsked(change);
  if (isKept(change)) {
    const result = keptResult(change, page);
    return { ...result, status: result.status, ...common };
  }
  if (change.status === 'waiting') {
    const preview = page === undefined ? {} : { preview: previewAnswer(plan.preview, changeId, page, pagedIdLines(plan)) };
    return { ...waitingAnswer(change), ...preview, ...common };
  }
  const message = sentence`${summaryText(plan.preview)} ${pageOutcomeText(change.status, note)} Nothing was sent.`;
  return { status: change.status, changeId, message, ...common };
}

/** Here what is not done is listed, and may have no reason. */
const { notDone: _, ...output } = changeOutput;

export const getChange = defineTool({
  name: 'get_change',
  title: 'Get a change',
  description:
    'One change in full: what is done, failed, not done or not known; a preview page by page. Waits for a running one, or for the user’s answer, up to waitSeconds.',
  effect: 'read',
  input: {
    changeId: changeIdArgument,
    waitSeconds: z.number().min(0).max(3_600).optional(),
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
    const { client, account, journal, jobs, waiting, kept, settings, intervals, signal, progress } = context;
    // Leaves time for the answer itself within the call's budget.
    const waitMs = Math.min(waitSeconds * 1_000, settings.callBudgetMs * 0.9);
    const until = Date.now() + waitMs;
    const wait = { until, signal, everyMs: intervals.changeMs };
    if (waiting.get(changeId)?.status === 'waiting') await waiting.wait(changeId, until, signal);
    const previewed = waiting.preview(changeId);
    if (previewed !== undefined) return { ...previewPage(previewed, page), ...aboutAsked(previewed) };
    const read = () => askedUnder(changeId, { waiting, kept });
    const asked = await whenOver(read, (change) => change?.status !== 'waiting', wait);
    if (asked?.status === 'waiting') return askedOut(asked, page);
    // Of a change that is resumed the journal has the part that is done.
    if (asked !== undefined && asked.status !== 'started' && (await journal.read(changeId)) === undefined) return askedOut(asked, page);
    if (page !== undefined && list === undefined)
      throw invalidArguments([
        { field: sentence`page`, problem: sentence`is a page of a list: name one of ${joined(CHANGE_LISTS, ', ')} as list.` },
      ]);
    await jobs.get(changeId)?.watch({ until, signal, progress });
    const found = await readEnded(changeId, journal, wait);
    if (found === undefined && asked !== undefined) return askedOut(asked, page);
    if (found === undefined) {
      const lapsed = waiting.lapsed(changeId);
      if (lapsed === undefined) throw noSuchChange(changeId);
      return { ...lapsedPreview(lapsed), ...aboutAsked(lapsed) };
    }
    const record = await lookAgain(found, { client, account, journal }, signal);
    const { kind, at } = record.intent;
    const result = await laterResult(record, journal);
    const shown = list === undefined ? result : await withList(result, record, journal, list, page ?? 1);
    const answer = { ...withReasonsOnce(shown), ...definedFields({ note: troubleOf(record, jobs.get(changeId)?.trouble()) }) };
    return { ...answer, status: result.status, kind, at, userNote: asked?.note || undefined };
  },
});
