import * as z from 'zod';
import { troubleOf } from '../../changes/kinds/videos/trouble-text.ts';
import type { ChangeRequest } from '../../changes/life/change-request.ts';
import { findChange } from '../../changes/life/find-change.ts';
import type { GuardReply } from '../../changes/life/guard.ts';
import { isSameParty } from '../../changes/plan/asked-and-decided.ts';
import type { ChangePlanner } from '../../changes/plan/plan.ts';
import { proposalEnded } from '../../changes/proposals/ended-text.ts';
import type { PreviewedCall, Proposal } from '../../changes/proposals/proposal.ts';
import { askedText, noteOut, toldConfirmed, toldNow } from '../../changes/tell/agreement.ts';
import { type ChangedLine, linesOfChanged } from '../../changes/tell/answer-lines.ts';
import { releasedFile } from '../../changes/tell/download.ts';
import { leadRows } from '../../changes/tell/form-lead.ts';
import { noteText, unconfirmedAnswer } from '../../changes/tell/not-begun.ts';
import { changeResult } from '../../changes/tell/result.ts';
import { withReasonsOnce } from '../../changes/tell/result-fields.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { fieldsIn, type Values } from '../../platform/is-object.ts';
import { joined, sentence, word } from '../../text/sentence.ts';
import { type AnswerTo, renderedBy, sentenceOut, textOnly, unlisted } from '../answer/answer-schema.ts';
import type { FormReply, ToolReply } from '../app-contract.ts';
import {
  type ChangeTool,
  callerOf,
  changeIdArgument,
  type ExportTool,
  type GuardedTool,
  type StatementTool,
  type ToolContext,
} from '../define-tool.ts';
import { changeLink } from '../shared-links.ts';
import { askedToOpen, askToOpen, type GivenCall } from './ask-to-open.ts';
import { withinBudget } from './budget.ts';
import { toolReply } from './tool-reply.ts';

/** What a guarded tool is asked for. */
export interface GuardedCall extends Pick<PreviewedCall, 'waitMs'> {
  /** What a person agrees to: without how long the caller waits. */
  readonly args: Values;
  /** Of the preview that the user agreed to. */
  readonly token?: string;
  /** As the client made it. */
  readonly given: GivenCall;
  /** What came of the change whose link the client had its user open, where this call brings their answer. */
  readonly opened?: GuardReply | undefined;
}

/** `completed`: adds what the call leaves to the tool, which a call that was planned already no longer needs. */
export async function guardedCall(
  { name: tool }: Pick<GuardedTool, 'name'>,
  args: Values,
  context: ToolContext,
  completed: () => Promise<Values>,
): Promise<GuardedCall> {
  const given = { tool, args };
  const wait = waitIn(args);
  const opened = await openedReply(given, wait, context);
  const { waitSeconds: _, ...asked } = opened === undefined ? await completed() : args;
  return { args: asked, given, opened, ...wait };
}

const waitIn = ({ waitSeconds }: Values): Pick<GuardedCall, 'waitMs'> =>
  typeof waitSeconds === 'number' ? { waitMs: waitSeconds * 1_000 } : {};

/** The call of the preview that the user agreed to, with its token. Throws where it does not wait any more. */
export async function confirmedCall(args: Values, { previewedCall }: ToolContext): Promise<GuardedCall & { readonly tool: string }> {
  const agreement = AgreementSchema.parse(args);
  const { args: asked, ...call } = await previewedCall(agreement);
  // Its own tool parsed them.
  return { ...call, args: asked as Values, token: agreement.confirmationToken, given: { tool: call.tool, args } };
}

/** Gives a change to the guard and reports the result. */
export async function runChange(tool: ChangeTool | StatementTool, call: GuardedCall, context: ToolContext): Promise<ToolReply | FormReply> {
  const reply = call.opened ?? (await context.guard(requestOf(tool, call, tool.plan(call.args, context), context)));
  return replyTo(tool, reply, call.given, context);
}

/** Gives data out, if the arguments ask for it: confirmed like a change, with an answer of its own. */
export async function runRelease(tool: ExportTool, call: GuardedCall, context: ToolContext): Promise<ToolReply | FormReply | undefined> {
  const release = tool.release(call.args, context);
  if (release === undefined) return undefined;
  const { kept } = release;
  const request = requestOf(tool, kept === undefined ? call : { ...call, args: kept.args }, release.planner, context);
  const reply = call.opened ?? (await context.guard({ ...request, ...(kept && { tool: kept.tool }) }));
  const record = reply.kind === 'started' ? await context.journal.read(reply.changeId) : undefined;
  // The fields of a change are in the answers that ask for the confirmation; the tool lists its own.
  const asked = { ...tool, output: { ...changeOutput, ...tool.output } };
  if (record?.status !== 'applied') return replyTo(asked, reply, call.given, context);
  const { changeId } = record.intent;
  const released = await releasedFile(record, context.emailDownloads);
  return toolReply(asked, {
    status: 'applied',
    changeId,
    asked: askedText(record.agreed, toldNow),
    confirmed: toldNow(toldConfirmed(record, 'assistant')),
    ...release.result(record.items[0]?.result ?? {}),
    ...(released && definedFields({ link: released.file && changeLink(context.settings, changeId), next: released.words })),
    ...(reply.kind === 'started' && noteOut(reply.note, record.intent.decided)),
  });
}

/**
 * What came of the change whose link the client had its user open, for the call that brings their answer. Asked for anew, what was applied
 * meanwhile would wait a second time, and what was declined too.
 */
async function openedReply(
  given: GivenCall,
  { waitMs }: Pick<GuardedCall, 'waitMs'>,
  context: ToolContext,
): Promise<GuardReply | undefined> {
  const { call, settings, jobs, signal, progress } = context;
  const changeId = await askedToOpen(given, context);
  const found = changeId === undefined ? undefined : await findChange(changeId, context);
  const { record, proposal } = found ?? {};
  // A state comes from the client: it leads to what this person asked for, and to nothing else.
  if (proposal === undefined || !isSameParty(proposal.asked.by, call.person)) return undefined;
  if (record === undefined) return unbegunReply(proposal);
  const { changeId: id } = record.intent;
  const until = Date.now() + Math.min(waitMs ?? Number.POSITIVE_INFINITY, settings.callBudgetMs * 0.9);
  await jobs.get(id)?.watch({ until, signal, progress });
  return { kind: 'started', changeId: id, note: proposal.note };
}

function unbegunReply(change: Proposal): GuardReply {
  const { status, plan } = change;
  if (status === 'waiting') return { kind: 'kept', change, isNew: true };
  if (status === 'started') return { kind: 'approved', change };
  if (status === 'needless') return { kind: 'nothing-to-do', plan };
  return { kind: 'declined', plan, reason: joined([proposalEnded(change, 'assistant'), ...noteText(change.note)]) };
}

function requestOf(
  { name, effect }: GuardedTool,
  { args, waitMs, token }: GuardedCall,
  planner: ChangePlanner,
  context: ToolContext,
): ChangeRequest {
  const { call, settings, ending, progress } = context;
  const by = call.person && callerOf(context);
  return {
    tool: name,
    effect: effect === 'change' ? 'change' : 'release',
    args,
    token,
    ...definedFields({ waitMs, by }),
    planner,
    client: call.client,
    forms: call.forms,
    signal: call.signal,
    hasLeft: call.hasLeft,
    ...{ progress, ending },
    answerBy: Date.now() + settings.callBudgetMs,
    readWithin: (read, until) => withinBudget(call.signal, settings.callBudgetMs, read, until),
  };
}

async function replyTo(tool: GuardedTool, reply: GuardReply, given: GivenCall, context: ToolContext): Promise<ToolReply | FormReply> {
  switch (reply.kind) {
    case 'form':
      return { kind: 'form', form: reply.form, state: reply.state };
    case 'started':
      return startedReply(tool, reply, context);
    default: {
      const { answer, isError } = unconfirmedAnswer(reply);
      if (reply.kind !== 'kept') return toReply(tool, answer, isError);
      const { changeId, plan } = reply.change;
      const link = changeLink(context.settings, changeId);
      const asked = link === undefined ? undefined : await askToOpen({ changeId, url: link, lead: leadRows(plan) }, given, context);
      return asked ?? toReply(tool, { ...answer, ...definedFields({ link }) }, isError);
    }
  }
}

type Started = Extract<GuardReply, { kind: 'started' }>;

async function startedReply(tool: GuardedTool, reply: Started, { journal, jobs }: ToolContext): Promise<ToolReply> {
  const record = await journal.read(reply.changeId);
  if (record === undefined)
    throw new VideoHostingError(
      'journal_failed',
      sentence`The journal of ${word(reply.changeId)} is gone; what of it was carried out is not known.`,
    );
  const result = await changeResult(record, journal);
  if (record.status === 'interrupted') return toReply(tool, { ...result, status: 'stopped', note: NOT_WRITTEN }, true);
  const trouble = troubleOf(record, jobs.get(reply.changeId)?.trouble());
  const notes = [...(reply.isOther ? [OTHER_CALL] : []), ...(trouble === undefined ? [] : [trouble])];
  const note = notes.length === 0 ? undefined : joined(notes);
  return toReply(
    tool,
    { ...result, status: record.status, ...definedFields({ note }), ...noteOut(reply.note, record.intent.decided) },
    record.status === 'failed',
  );
}

const OTHER_CALL = sentence`Another call began the same while this one waited for an answer: this is what came of that. Nothing was sent for this one.`;
const NOT_WRITTEN = sentence`The journal could not be written to the end, so nothing more was sent. Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR).`;

const toReply = (tool: GuardedTool, result: ChangeAnswer, isError = false): ToolReply => toolReply(tool, withReasonsOnce(result), isError);

const undo = { possible: z.enum(['yes', 'partly', 'no']), how: sentenceOut() };
/** `undo: possible. An undo works until others change it.` */
const undoLines = (value: unknown): string[] => {
  const { possible, how } = fieldsIn(value);
  return [`undo: ${POSSIBLE[String(possible)]}${how === undefined ? '' : `. ${how}`}`];
};
const POSSIBLE: Readonly<Record<string, string>> = { yes: 'possible', partly: 'partly possible', no: 'not possible' };
const sentences = (mark = '') => z.array(sentenceOut({ mark }));
const label = unlisted(sentenceOut({ maxLength: 160 }));
const template = unlisted(sentenceOut().nullable());
const sides = () => z.array(z.looseObject({ id: z.string(), label, template }));

/** What became of each record that is in `before` or `after`, where that is told in lines. The projects of a move have a table each. */
const changed = textOnly(
  renderedBy(z.array(z.object({ id: z.string(), head: sentenceOut(), changes: sentenceOut() })), (lines, { before, after }) => {
    const ids = new Set([before, after].flatMap((side) => (Array.isArray(side) ? side.map((record) => fieldsIn(record).id) : [])));
    return linesOfChanged(ChangedLines.parse(lines).filter(({ id }) => ids.has(id)));
  }),
);
const ChangedLines = z.custom<readonly ChangedLine[]>(Array.isArray);
/** Where lines tell it, a side is data alone. */
const side = () => renderedBy(sides(), (_, { changed: lines }) => (lines === undefined ? undefined : [])).optional();
const outcomes = z.array(z.looseObject({ id: z.string(), label, reason: sentenceOut() }));

/** Records with one outcome, each with the reason where there is one. */
export const outcomesOut = z
  .array(z.looseObject({ id: z.string(), label, fromProject: label, reason: sentenceOut().optional() }))
  .optional();

/** The answer of every change. */
export const changeOutput = {
  status: z.enum(['applied', 'partly_applied', 'running', 'stopped', 'declined', 'failed', 'confirmation_required', 'waiting']),
  changeId: z.string().optional(),
  /** Where a person decides on it. */
  link: unlisted(z.string()),
  message: sentenceOut().optional(),
  totals: unlisted(sentenceOut()),
  asked: unlisted(sentenceOut()),
  confirmed: sentenceOut().optional(),
  confirmationToken: z.string().optional(),
  preview: z
    .looseObject({
      summary: sentenceOut({ mark: 'summary: ' }),
      meaning: unlisted(sentenceOut()),
      warnings: sentences('! ').optional(),
      notes: unlisted(sentences()),
      lines: sentences('- '),
      onFailure: unlisted(sentenceOut()),
      undo: renderedBy(z.looseObject(undo).partial({ how: true }), undoLines),
      more: unlisted(sentenceOut()),
      standing: unlisted(sentenceOut()),
    })
    .optional(),
  before: side(),
  after: side(),
  changed,
  failed: outcomes.optional(),
  unknown: outcomes.optional(),
  notDone: unlisted(outcomes),
  undo: renderedBy(z.looseObject(undo), undoLines).optional(),
  files: sentences().optional(),
  next: sentenceOut().optional(),
  warnings: unlisted(sentences('! ')),
  notes: unlisted(sentences()),
  afterSource: unlisted(sentenceOut()),
  remarks: unlisted(outcomes),
  note: unlisted(sentenceOut()),
  // Of a bulk change, which an undo may be too.
  idsLost: unlisted(sentenceOut()),
  leftOut: unlisted(sentenceOut()),
  notDoneFileHolds: unlisted(sentenceOut()),
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
  notDoneFile: z.string().optional(),
  /** What may be done next. */
  next: sentenceOut().optional(),
};

/** The arguments of `confirm_change`. */
export const agreementInput = {
  changeId: changeIdArgument,
  confirmationToken: z.string().min(1).max(200),
  summary: z.string().min(1).max(1_000).describe('The preview’s, word for word'),
};
const AgreementSchema = z.object(agreementInput);

export const ChangeOut = z.looseObject({ ...changeOutput, ...bulkOutput });
export type ChangeAnswer = AnswerTo<typeof ChangeOut>;
