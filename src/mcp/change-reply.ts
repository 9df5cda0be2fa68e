import * as z from 'zod';
import { LISTS } from '../changes/channels/channel-change.ts';
import { shortPreview } from '../changes/confirm/short-preview.ts';
import type { WaitingChange } from '../changes/confirm/waiting-changes.ts';
import type { ChangeRequest, GuardReply } from '../changes/guard.ts';
import type { ChangePlanner, ShownPlan } from '../changes/plan.ts';
import { confirmedOut, withReasonsOnce } from '../changes/view/change-fields.ts';
import { changeResult } from '../changes/view/change-result.ts';
import { VideoHostingError } from '../errors.ts';
import { asSentence, asSentences, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { sentenceOut, unlisted } from './answer/answer-schema.ts';
import type { FormReply, ToolReply } from './app-contract.ts';
import { withinBudget } from './budget.ts';
import type { ChangeTool, ExportTool, StatementTool, ToolContext } from './define-tool.ts';
import { toolReply } from './tool-reply.ts';

type Values = Readonly<Record<string, unknown>>;
type GuardedTool = ChangeTool | StatementTool | ExportTool;

/** Gives a change to the guard and reports the result. */
export async function runChange(tool: ChangeTool | StatementTool, args: Values, context: ToolContext): Promise<ToolReply | FormReply> {
  // How long the caller waits is none of what a person agrees to.
  const { confirmationToken, waitSeconds, ...rest } = args;
  const request = requestOf(tool, rest, confirmationToken, tool.plan(rest, context), context);
  const waitMs = typeof waitSeconds === 'number' ? { waitMs: waitSeconds * 1_000 } : {};
  return replyTo(tool, await context.guard({ ...request, ...waitMs }), context);
}

/** Gives data out, if the arguments ask for it: confirmed like a change, with an answer of its own. */
export async function runRelease(tool: ExportTool, args: Values, context: ToolContext): Promise<ToolReply | FormReply | undefined> {
  const { confirmationToken, ...rest } = args;
  const release = tool.release(rest, context);
  if (release === undefined) return undefined;
  const reply = await context.guard(requestOf(tool, rest, confirmationToken, release.planner, context));
  const record = reply.kind === 'started' ? await context.journal.read(reply.changeId) : undefined;
  if (record?.status !== 'applied') return replyTo(tool, reply, context);
  const { changeId } = record.intent;
  return toolReply(tool, {
    status: 'applied',
    changeId,
    confirmed: asSentence(confirmedOut(record.intent.confirmedBy)),
    ...release.result(record.items[0]?.result ?? {}),
    ...userNote(reply),
  });
}

function requestOf(
  { name, effect }: GuardedTool,
  args: Values,
  token: unknown,
  planner: ChangePlanner,
  { call, settings, progress }: ToolContext,
): ChangeRequest {
  return {
    tool: name,
    effect: effect === 'change' ? 'change' : 'release',
    args,
    token: typeof token === 'string' ? token : undefined,
    planner,
    forms: call.forms,
    signal: call.signal,
    progress,
    answerBy: Date.now() + settings.callBudgetMs,
    readWithin: (read, until) => withinBudget(call.signal, settings.callBudgetMs, read, until),
  };
}

async function replyTo(tool: GuardedTool, reply: GuardReply, context: ToolContext): Promise<ToolReply | FormReply> {
  switch (reply.kind) {
    case 'form':
      return { kind: 'form', form: reply.form, state: reply.state };
    case 'started':
      return startedReply(tool, reply, context);
    case 'token':
      return tokenReply(tool, reply);
    case 'conflict': {
      const conflicts = joined(asSentences(reply.conflicts));
      const message = sentence`The account changed after the user was shown the plan, so nothing was sent. ${conflicts} ${afterConflict(reply.plan)}`;
      return toReply(tool, { status: 'failed', message, preview: previewOut(reply.plan) }, true);
    }
    case 'waiting':
      return toReply(tool, waitingOut(reply.change, reply.isLoaded));
    case 'declined':
      return toReply(tool, { status: 'declined', message: asSentence(reply.reason) });
    case 'nothing-to-do': {
      const message = sentence`${asSentence(reply.plan.preview.summary)} Nothing had to be sent.`;
      return toReply(tool, { status: 'applied', message });
    }
  }
}

type ReplyOf<Kind extends GuardReply['kind']> = Extract<GuardReply, { kind: Kind }>;

async function startedReply(tool: GuardedTool, reply: ReplyOf<'started'>, { journal }: ToolContext): Promise<ToolReply> {
  const record = await journal.read(reply.changeId);
  if (record === undefined)
    throw new VideoHostingError('journal_failed', `The journal of ${reply.changeId} is gone; what of it was carried out is not known.`);
  const result = changeAnswer(await changeResult(record, journal));
  if (record.status === 'interrupted') return toReply(tool, { ...result, status: 'stopped', note: NOT_WRITTEN }, true);
  return toReply(tool, { ...result, ...userNote(reply) }, result.status === 'failed');
}

const NOT_WRITTEN = sentence`The journal could not be written to the end, so nothing more was sent. Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR).`;

function tokenReply(tool: GuardedTool, { changeId, plan, token, refusal, isFurther }: ReplyOf<'token'>): ToolReply {
  return toReply(tool, {
    status: 'confirmation_required',
    message: joined([
      ...(refusal === '' ? [] : [asSentence(refusal)]),
      sentence`NOT DONE YET. Show the user the preview.`,
      NEXT_WITH_TOKEN,
      ...(isFurther ? [sentence`A yes to an earlier preview does not count for this one.`] : []),
    ]),
    changeId,
    confirmationToken: token,
    preview: previewOut(plan, changeId),
  });
}

const NEXT_WITH_TOKEN = sentence`Only if they agree, repeat the call with confirmationToken (once, within ten minutes).`;

/** A change that waits on the approval page, in the answers to its call and of get_change. */
export function waitingOut({ changeId, plan, moved, expiresAt }: WaitingChange, isLoaded = true) {
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const message = [
    sentence`NOT DONE YET. ${asSentence(plan.preview.summary)}`,
    isLoaded ? sentence`The user sees it on the approval page in their browser, and has not answered.` : NOT_LOADED,
    ...(moved.length === 0
      ? []
      : [sentence`The account changed meanwhile, so the page shows the plan anew: ${joined(asSentences(moved))}`]),
    sentence`Ask them to look there, and wait with get_change ${word(changeId)}: it is carried out once they press Apply, and lapses in ${minutes} minutes.`,
  ];
  return { status: 'waiting' as const, changeId, message: joined(message) };
}

const NOT_LOADED = sentence`The approval page was opened in the user’s browser, which has not loaded it yet.`;

/** What the user wrote in the form. */
const userNote = (reply: GuardReply): Values => (reply.kind === 'started' && reply.note !== '' ? { userNote: reply.note } : {});

/** What to do after a conflict. A list that the user stated may be older than another person's change. */
function afterConflict(plan: ShownPlan): Sentence {
  const hasLists = 'items' in plan && plan.items.some(({ after }) => LISTS.some((list) => after[list] !== undefined));
  return hasLists
    ? sentence`Tell the user what moved. A list that was stated before may be out of date: ask the user for the list as it is now, and never send the same one again without asking.`
    : sentence`Tell the user what moved, and ask whether the change is still wanted; if so, call again, and the user is shown the plan as it is now.`;
}

function previewOut({ preview }: ShownPlan, changeId?: string): ChangeAnswer['preview'] {
  const { summary, onFailure, undo, hints = [] } = preview;
  const { warnings, lines, more } = shortPreview(preview, changeId);
  const cautions = asSentences([...warnings, ...hints]);
  return {
    summary: asSentence(summary),
    warnings: cautions.length === 0 ? undefined : cautions,
    lines: asSentences(lines),
    onFailure: onFailure === '' ? undefined : asSentence(onFailure),
    // A warning may say it already.
    undo: { possible: undo.possible, how: warnings.includes(undo.how) ? undefined : asSentence(undo.how) },
    more: more === '' ? undefined : asSentence(more),
  };
}

/** The result that `changes/view` made, whose type does not say yet which of its fields are sentences: those of the schema below. */
export const changeAnswer = (result: Values & { readonly status: string }): ChangeAnswer => result as ChangeAnswer;

const toReply = (tool: GuardedTool, result: ChangeAnswer, isError = false): ToolReply => toolReply(tool, withReasonsOnce(result), isError);

const undo = z.looseObject({ possible: z.enum(['yes', 'partly', 'no']), how: sentenceOut() });
const sentences = (mark = '') => z.array(sentenceOut({ mark }));
const label = unlisted(sentenceOut({ maxLength: 160 }));
const records = z.array(z.looseObject({ id: z.string(), label })).optional();
const outcomes = z.array(z.looseObject({ id: z.string(), label, reason: sentenceOut() }));

/** Records with one outcome, each with the reason where there is one. */
export const outcomesOut = z.array(z.looseObject({ id: z.string(), label, reason: sentenceOut().optional() })).optional();

/** The answer of every change. */
export const changeOutput = {
  status: z.enum(['applied', 'partly_applied', 'running', 'stopped', 'declined', 'failed', 'confirmation_required', 'waiting']),
  changeId: z.string().optional(),
  message: sentenceOut().optional(),
  confirmed: sentenceOut().optional(),
  confirmationToken: z.string().optional(),
  preview: z
    .looseObject({
      summary: sentenceOut(),
      warnings: sentences('! ').optional(),
      lines: sentences('- '),
      onFailure: unlisted(sentenceOut()),
      undo: undo.partial({ how: true }),
      more: unlisted(sentenceOut()),
    })
    .optional(),
  before: records,
  after: records,
  failed: outcomes.optional(),
  unknown: outcomes.optional(),
  notDone: unlisted(outcomes),
  undo: undo.optional(),
  /** What was done to each record, in numbers. */
  lines: sentences('- ').optional(),
  files: sentences().optional(),
  next: sentenceOut().optional(),
  warnings: unlisted(sentences('! ')),
  afterSource: unlisted(sentenceOut()),
  remarks: unlisted(outcomes),
  note: unlisted(sentenceOut()),
};

/** More fields of the answer of a bulk change. */
export const bulkOutput = {
  total: z.number().optional(),
  failedCount: z.number().optional(),
  unknownCount: z.number().optional(),
  notSentCount: z.number().optional(),
  /** What the file of ids held. */
  fileRead: sentenceOut().optional(),
  /** A file with every id whose outcome is failed or unknown; it can be given as a file of ids. */
  outcomesFile: z.string().optional(),
  /** What may be done next. */
  next: sentenceOut().optional(),
  idsLost: unlisted(sentenceOut()),
  leftOut: unlisted(sentenceOut()),
};

export const ChangeOut = z.looseObject({ ...changeOutput, ...bulkOutput });
type ChangeAnswer = z.input<typeof ChangeOut>;
