import * as z from 'zod';
import { LISTS } from '../changes/channels/channel-change.ts';
import { previewText, shortPreview } from '../changes/confirm/preview-text.ts';
import type { ChangeRequest, GuardReply } from '../changes/guard.ts';
import type { ChangePlanner, ShownPlan } from '../changes/plan.ts';
import { VideoHostingError } from '../errors.ts';
import { sanitizeAnswer } from './answer/sanitize-answer.ts';
import { truncateAnswer } from './answer/truncate-answer.ts';
import type { FormReply, ToolReply } from './app-contract.ts';
import { withinBudget } from './budget.ts';
import { changeResult, changeText } from './change-result.ts';
import type { ChangeTool, ExportTool, ToolContext } from './define-tool.ts';

type Values = Readonly<Record<string, unknown>>;

/** Hands a change to the guard and tells what came of it. */
export async function runChange(tool: ChangeTool, args: Values, context: ToolContext): Promise<ToolReply | FormReply> {
  const { confirmationToken, ...rest } = args;
  const reply = await context.guard(requestOf(tool.name, 'change', rest, confirmationToken, tool.plan(rest, context), context));
  return replyTo(reply, context);
}

/** Gives something out, if that is asked for: confirmed like a change, with its own answer. */
export async function runRelease(tool: ExportTool, args: Values, context: ToolContext): Promise<ToolReply | FormReply | undefined> {
  const { confirmationToken, ...rest } = args;
  const release = tool.release(rest, context);
  if (release === undefined) return undefined;
  const reply = await context.guard(requestOf(tool.name, 'release', rest, confirmationToken, release.planner, context));
  const record = reply.kind === 'begun' ? await context.journal.read(reply.changeId) : undefined;
  if (record?.status !== 'applied') return replyTo(reply, context);
  const { changeId } = record.intent;
  const result = { status: 'applied', changeId, ...release.result(record.items[0]?.result ?? {}) };
  return toReply({ ...result, ...noteOut(reply) }, (told) => [tool.present(told), ...noteLines(told)].join('\n'));
}

function requestOf(
  tool: string,
  effect: ChangeRequest['effect'],
  args: Values,
  token: unknown,
  planner: ChangePlanner,
  context: ToolContext,
): ChangeRequest {
  const { call, settings, progress } = context;
  return {
    tool,
    effect,
    args,
    token: typeof token === 'string' ? token : undefined,
    planner,
    forms: call.forms,
    signal: call.signal,
    progress,
    answerBy: Date.now() + settings.callBudgetMs,
    reading: (read, until) => withinBudget(call.signal, settings.callBudgetMs, read, until),
  };
}

async function replyTo(reply: GuardReply, { journal }: ToolContext): Promise<ToolReply | FormReply> {
  switch (reply.kind) {
    case 'form':
      return { kind: 'form', form: reply.form, state: reply.state };
    case 'begun': {
      const record = await journal.read(reply.changeId);
      if (record === undefined)
        throw new VideoHostingError('journal_failed', `The journal of ${reply.changeId} is gone; what of it was carried out is not known.`);
      const result = await changeResult(record, journal);
      if (record.status === 'interrupted') return toReply({ ...result, status: 'stopped', note: NOT_WRITTEN }, changeText, true);
      const told = { ...result, ...noteOut(reply) };
      return toReply(told, withNote, ...(result.status === 'failed' ? [true as const] : []));
    }
    case 'token': {
      const note = reply.note === '' ? '' : `${reply.note}\n`;
      // Also in the structured answer, which is all that the models of many clients see.
      const message = `${reply.note === '' ? '' : `${reply.note} `}NOT DONE: the user must see the preview and agree.`;
      const text = `${note}NOT DONE YET. Show the user:\n${previewText(reply.plan.preview, reply.changeId)}\nOnly if they agree, repeat with confirmationToken ${reply.token} (once, ten minutes).`;
      return toReply(
        {
          status: 'confirmation_required',
          message,
          changeId: reply.changeId,
          confirmationToken: reply.token,
          preview: previewOut(reply.plan, reply.changeId),
        },
        () => text,
      );
    }
    case 'moved': {
      const message = `The account changed after the user was shown the plan, so nothing was sent. ${reply.moved.join(' ')} ${afterMoved(reply.plan)}`;
      return toReply({ status: 'failed', message, movedMeanwhile: reply.moved, preview: previewOut(reply.plan) }, () => message, true);
    }
    case 'declined':
      return toReply({ status: 'declined', message: reply.reason, preview: previewOut(reply.plan) }, () => reply.reason);
    case 'nothing-to-do': {
      const message = `${reply.plan.preview.summary} Nothing had to be sent.`;
      return toReply({ status: 'applied', message }, () => message);
    }
  }
}

/** What the user wrote in the form that they agreed in. */
const noteOut = (reply: GuardReply): Values => (reply.kind === 'begun' && reply.words !== undefined ? { userNote: reply.words } : {});

const noteLines = ({ userNote }: Values): string[] => (userNote === undefined ? [] : [`The user’s words: ${JSON.stringify(userNote)}`]);

const withNote = (result: Values): string => [changeText(result), ...noteLines(result)].join('\n');

/** What to do next; an assistant may hold a list that its user stated before somebody else changed the channel. */
function afterMoved(plan: ShownPlan): string {
  const hasLists = 'items' in plan && plan.items.some(({ after }) => LISTS.some((list) => after[list] !== undefined));
  return hasLists
    ? 'Tell the user what moved. A list that was stated before may be out of date: ask the user for the list as it is now, and never send the same one again without asking.'
    : 'Tell the user what moved, and ask whether the change is still wanted; if so, call again, and the user is shown the plan as it is now.';
}

const NOT_WRITTEN =
  'The journal could not be written to the end, so nothing more was sent. Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR).';

/** A plan as it stands in an answer: its long lists are in the change's resource. */
function previewOut({ preview }: ShownPlan, changeId?: string): Values {
  const { summary, onFailure, undo } = preview;
  const { warnings, lines, more } = shortPreview(preview, changeId);
  return {
    summary,
    ...(warnings.length === 0 ? {} : { warnings }),
    lines,
    ...(onFailure === '' ? {} : { onFailure }),
    undo,
    ...(more === '' ? {} : { more }),
  };
}

function toReply(result: Values, render: (result: Values) => string, isError?: true): ToolReply {
  const { answer, text } = truncateAnswer(sanitizeAnswer(result), ['before', 'after', 'unknown', 'failed', 'records'], render);
  return { kind: 'reply', content: [{ type: 'text', text }], structuredContent: answer, ...(isError ? { isError } : {}) };
}

const undo = z.looseObject({ possible: z.enum(['yes', 'partly', 'no']), how: z.string() });
const fate = z.array(z.looseObject({ id: z.string(), reason: z.string() })).optional();

/** What every change answers. */
export const changeOutput = {
  status: z.enum(['applied', 'partly_applied', 'running', 'stopped', 'declined', 'failed', 'confirmation_required']),
  changeId: z.string().optional(),
  message: z.string().optional(),
  confirmationToken: z.string().optional(),
  preview: z.looseObject({ summary: z.string(), warnings: z.array(z.string()).optional(), lines: z.array(z.string()), undo }).optional(),
  before: z.array(z.looseObject({ id: z.string() })).optional(),
  after: z.array(z.looseObject({ id: z.string() })).optional(),
  failed: fate,
  unknown: fate,
  undo: undo.optional(),
};

/** What a bulk change answers besides. */
export const bulkOutput = {
  total: z.number().optional(),
  failedCount: z.number().optional(),
  unknownCount: z.number().optional(),
  notSentCount: z.number().optional(),
  requests: z.number().optional(),
  /** A file with every id that failed or whose fate is not known. */
  fatesFile: z.string().optional(),
};
