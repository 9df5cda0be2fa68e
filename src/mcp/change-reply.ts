import * as z from 'zod';
import type { ChangeRequest, GuardReply } from '../changes/guard.ts';
import type { ChangePlanner } from '../changes/plan.ts';
import { confirmedText, withReasonsOnce } from '../changes/view/change-fields.ts';
import { changeResult } from '../changes/view/change-result.ts';
import { unconfirmedAnswer } from '../changes/view/unconfirmed.ts';
import { VideoHostingError } from '../errors.ts';
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
    confirmed: confirmedText(record.intent.confirmedBy, 'assistant'),
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
    default: {
      const { answer, isError } = unconfirmedAnswer(reply);
      return toReply(answer, isError);
    }
  }
}

async function startedReply(reply: Extract<GuardReply, { kind: 'started' }>, { journal }: ToolContext): Promise<ToolReply> {
  const record = await journal.read(reply.changeId);
  if (record === undefined)
    throw new VideoHostingError('journal_failed', `The journal of ${reply.changeId} is gone; what of it was carried out is not known.`);
  const result = await changeResult(record, journal);
  if (record.status === 'interrupted') return toReply({ ...result, status: 'stopped', note: NOT_WRITTEN }, true);
  return toReply({ ...result, ...userNote(reply) }, result.status === 'failed');
}

const NOT_WRITTEN =
  'The journal could not be written to the end, so nothing more was sent. Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR).';

/** What the user wrote in the form. */
const userNote = (reply: GuardReply): Values => (reply.kind === 'started' && reply.note !== '' ? { userNote: reply.note } : {});

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
