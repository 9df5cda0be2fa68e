import * as z from 'zod';
import { CONTENTS } from '../changes/channels/fields.ts';
import { shortPreview } from '../changes/confirm/short-preview.ts';
import type { WaitingChange } from '../changes/confirm/waiting-changes.ts';
import type { ChangeRequest, GuardReply } from '../changes/guard.ts';
import type { ChangePlanner, ShownPlan } from '../changes/plan.ts';
import { confirmedOut, withReasonsOnce } from '../changes/view/change-fields.ts';
import { changeResult } from '../changes/view/change-result.ts';
import { VideoHostingError } from '../errors.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { renderAnswer } from './answer/render-answer.ts';
import { sanitizeAnswer } from './answer/sanitize-answer.ts';
import { truncateAnswer } from './answer/truncate-answer.ts';
import type { FormReply, ToolReply } from './app-contract.ts';
import { withinBudget } from './budget.ts';
import type { ChangeTool, ExportTool, StatementTool, ToolContext } from './define-tool.ts';

type Values = Readonly<Record<string, unknown>>;

/** Gives a change to the guard and reports the result. */
export async function runChange(tool: ChangeTool | StatementTool, args: Values, context: ToolContext): Promise<ToolReply | FormReply> {
  // How long the caller waits is none of what a person agrees to.
  const { confirmationToken, waitSeconds, ...rest } = args;
  const request = requestOf(tool, rest, confirmationToken, tool.plan(rest, context), context);
  const waitMs = typeof waitSeconds === 'number' ? { waitMs: waitSeconds * 1_000 } : {};
  return replyTo(await context.guard({ ...request, ...waitMs }), context);
}

/** Gives data out, if the arguments ask for it: confirmed like a change, with an answer of its own. */
export async function runRelease(tool: ExportTool, args: Values, context: ToolContext): Promise<ToolReply | FormReply | undefined> {
  const { confirmationToken, ...rest } = args;
  const release = tool.release(rest, context);
  if (release === undefined) return undefined;
  const reply = await context.guard(requestOf(tool, rest, confirmationToken, release.planner, context));
  const record = reply.kind === 'started' ? await context.journal.read(reply.changeId) : undefined;
  if (record?.status !== 'applied') return replyTo(reply, context);
  const { changeId } = record.intent;
  return toReply({
    status: 'applied',
    changeId,
    confirmed: confirmedOut(record.intent.confirmedBy),
    ...release.result(record.items[0]?.result ?? {}),
    ...userNote(reply),
  });
}

function requestOf(
  { name, effect }: ChangeTool | StatementTool | ExportTool,
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

async function replyTo(reply: GuardReply, context: ToolContext): Promise<ToolReply | FormReply> {
  switch (reply.kind) {
    case 'form':
      return { kind: 'form', form: reply.form, state: reply.state };
    case 'started':
      return startedReply(reply, context);
    case 'token':
      return tokenReply(reply);
    case 'conflict': {
      const message = `The account changed after the user was shown the plan, so nothing was sent. ${reply.conflicts.join(' ')} ${afterConflict(reply.plan)}`;
      return toReply({ status: 'failed', message, preview: previewOut(reply.plan) }, true);
    }
    case 'waiting':
      return toReply(waitingOut(reply.change, reply.isLoaded));
    case 'declined':
      return toReply({ status: 'declined', message: reply.reason });
    case 'nothing-to-do': {
      const message = `${reply.plan.preview.summary} Nothing had to be sent.`;
      return toReply({ status: 'applied', message });
    }
  }
}

type ReplyOf<Kind extends GuardReply['kind']> = Extract<GuardReply, { kind: Kind }>;

async function startedReply(reply: ReplyOf<'started'>, { journal }: ToolContext): Promise<ToolReply> {
  const record = await journal.read(reply.changeId);
  if (record === undefined)
    throw new VideoHostingError('journal_failed', `The journal of ${reply.changeId} is gone; what of it was carried out is not known.`);
  const result = await changeResult(record, journal);
  if (record.status === 'interrupted') return toReply({ ...result, status: 'stopped', note: NOT_WRITTEN }, true);
  return toReply({ ...result, ...userNote(reply) }, result.status === 'failed');
}

const NOT_WRITTEN =
  'The journal could not be written to the end, so nothing more was sent. Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR).';

function tokenReply({ changeId, plan, token, refusal, isFurther }: ReplyOf<'token'>): ToolReply {
  const further = isFurther ? ' A yes to an earlier preview does not count for this one.' : '';
  return toReply({
    status: 'confirmation_required',
    message: `${refusal === '' ? '' : `${refusal} `}NOT DONE YET. Show the user the preview. ${NEXT_WITH_TOKEN}${further}`,
    changeId,
    confirmationToken: token,
    preview: previewOut(plan, changeId),
  });
}

const NEXT_WITH_TOKEN = 'Only if they agree, repeat the call with confirmationToken (once, within ten minutes).';

/** A change that waits on the approval page, in the answers to its call and of get_change. */
export function waitingOut({ changeId, plan, moved, expiresAt }: WaitingChange, isLoaded = true): Values & { readonly status: 'waiting' } {
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const message = [
    `NOT DONE YET. ${plan.preview.summary}`,
    isLoaded ? 'The user sees it on the approval page in their browser, and has not answered.' : NOT_LOADED,
    ...(moved.length === 0 ? [] : [`The account changed meanwhile, so the page shows the plan anew: ${moved.join(' ')}`]),
    `Ask them to look there, and wait with get_change ${changeId}: it is carried out once they press Apply, and lapses in ${minutes} minutes.`,
  ];
  return { status: 'waiting', changeId, message: message.join(' ') };
}

const NOT_LOADED = 'The approval page was opened in the user’s browser, which has not loaded it yet.';

/** What the user wrote in the form. */
const userNote = (reply: GuardReply): Values => (reply.kind === 'started' && reply.note !== '' ? { userNote: reply.note } : {});

/** What to do after a conflict. A list that the user stated may be older than another person's change. */
function afterConflict(plan: ShownPlan): string {
  const hasLists = 'items' in plan && plan.items.some(({ after }) => CONTENTS.some((list) => after[list] !== undefined));
  return hasLists
    ? 'Tell the user what moved. A list that was stated before may be out of date: ask the user for the list as it is now, and never send the same one again without asking.'
    : 'Tell the user what moved, and ask whether the change is still wanted; if so, call again, and the user is shown the plan as it is now.';
}

function previewOut({ preview }: ShownPlan, changeId?: string): Values {
  const { summary, onFailure, undo, hints = [] } = preview;
  const { warnings, lines, more } = shortPreview(preview, changeId);
  const told = [...warnings, ...hints];
  return definedFields({
    summary,
    warnings: told.length === 0 ? undefined : told,
    lines,
    onFailure: onFailure || undefined,
    // A warning may say it already.
    undo: warnings.includes(undo.how) ? { possible: undo.possible } : undo,
    more: more || undefined,
  });
}

function toReply(result: Values, isError = false): ToolReply {
  const { answer, text } = truncateAnswer(
    sanitizeAnswer(withReasonsOnce(result)),
    ['before', 'after', 'lines', 'unknown', 'failed', 'records'],
    renderAnswer,
  );
  return { kind: 'reply', content: [{ type: 'text', text }], structuredContent: answer, ...(isError ? { isError } : {}) };
}

const undo = z.looseObject({ possible: z.enum(['yes', 'partly', 'no']), how: z.string() });
const outcomes = z.array(z.looseObject({ id: z.string(), reason: z.string() })).optional();

/** The answer of every change. */
export const changeOutput = {
  status: z.enum(['applied', 'partly_applied', 'running', 'stopped', 'declined', 'failed', 'confirmation_required', 'waiting']),
  changeId: z.string().optional(),
  message: z.string().optional(),
  confirmed: z.string().optional(),
  confirmationToken: z.string().optional(),
  preview: z
    .looseObject({
      summary: z.string(),
      warnings: z.array(z.string()).optional(),
      lines: z.array(z.string()),
      undo: undo.partial({ how: true }),
    })
    .optional(),
  before: z.array(z.looseObject({ id: z.string() })).optional(),
  after: z.array(z.looseObject({ id: z.string() })).optional(),
  failed: outcomes,
  unknown: outcomes,
  undo: undo.optional(),
  /** What was done to each record, in numbers. */
  lines: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  next: z.string().optional(),
};

/** More fields of the answer of a bulk change. */
export const bulkOutput = {
  total: z.number().optional(),
  failedCount: z.number().optional(),
  unknownCount: z.number().optional(),
  notSentCount: z.number().optional(),
  /** What the file of ids held. */
  fileRead: z.string().optional(),
  /** A file with every id whose outcome is failed or unknown; it can be given as a file of ids. */
  outcomesFile: z.string().optional(),
  /** What may be done next. */
  next: z.string().optional(),
};
