import * as z from 'zod';
import type { AppContext, Workspace } from '../../app/workspace.ts';
import { throwProblems } from '../../errors/field-problems.ts';
import { VideoHostingError } from '../../errors.ts';
import type { Values } from '../../platform/is-object.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import { findCredential } from '../../text/find-credential.ts';
import { sentence, word } from '../../text/sentence.ts';
import { asVideoHostingError, errorOut, errorOutput, errorText } from '../answer/error-text.ts';
import { renderAnswer } from '../answer/render-answer.ts';
import { sanitizeAnswer } from '../answer/sanitize-answer.ts';
import type { Call, FormReply, ToolReply } from '../app-contract.ts';
import { type CallContext, type GuardedTool, isGuarded, isOfChange, type SetupTool, type Tool, type ToolContext } from '../define-tool.ts';
import { fileArguments } from '../listing/file-arguments.ts';
import { toolNamed } from '../tools/tool-named.ts';
import { argumentPath, parseArguments } from './arguments.ts';
import { assertMayCall } from './assert-role.ts';
import { withinBudget } from './budget.ts';
import { confirmedCall, type GuardedCall, guardedCall, runChange, runRelease } from './change-reply.ts';
import { pictureBlock, toolReply } from './tool-reply.ts';

/** Calls a tool that is listed. Never throws for what goes wrong in it: the reply is its answer, a form, or an error. */
export async function callTool(app: AppContext, name: string, args: unknown, call: Call): Promise<ToolReply | FormReply> {
  const tool = listedTool(name);
  try {
    return await withinBudget(call.signal, app.config.settings.callBudgetMs, (signal) => runOnce(app, tool, args, call, signal));
  } catch (thrown) {
    return errorReply(tool, asVideoHostingError(thrown, app.log));
  }
}

/** Runs it once more where the account turned out to be kept elsewhere, which was found before anything was begun. */
async function runOnce(...args: Parameters<typeof run>): Promise<ToolReply | FormReply> {
  try {
    return await run(...args);
  } catch (error) {
    if (!(error instanceof VideoHostingError) || error.code !== 'account_joined') throw error;
    return run(...args);
  }
}

async function run(app: AppContext, tool: Tool, args: unknown, call: Call, signal: AbortSignal): Promise<ToolReply | FormReply> {
  const context = { app, call, signal, progress: call.progress };
  assertMayCall(call.person, word(tool.name), tool.effect);
  const entries = entriesIn(args);
  const step = () => longPiece(entries, signal);
  await step();
  assertNoCredential(args, app.config);
  await step();
  if (call.person !== undefined) assertNoFiles(args);
  if (tool.effect === 'setup') return toolReply(tool, await tool.run(parseArguments(tool, args), context));
  const workspace = await app.open();
  return withNotice(await runWith(workspace, tool, args, context), workspace, app.log);
}

/** With what the person is to be told once, before the first answer. */
async function withNotice(
  reply: ToolReply | FormReply,
  { takeNotice }: Pick<Workspace, 'takeNotice'>,
  log: AppContext['log'],
): Promise<ToolReply | FormReply> {
  if (reply.kind === 'form') return reply;
  // What was done is told in any case.
  const notice = await takeNotice().catch((error: unknown) => log(String(error)));
  if (!notice) return reply;
  const content = [{ type: 'text' as const, text: notice }, ...reply.content];
  // Some clients give a model the one, some the other.
  const structured = reply.structuredContent && { structuredContent: { account: notice, ...reply.structuredContent } };
  return { ...reply, ...structured, content };
}

async function runWith(
  workspace: Workspace,
  tool: Exclude<Tool, SetupTool>,
  args: unknown,
  context: CallContext,
): Promise<ToolReply | FormReply> {
  const parsed = parseArguments(tool, args);
  const pictures: Buffer[] = [];
  const toolContext = { ...workspace, ...context, addPicture: (png: Buffer) => void pictures.push(png) };
  if (tool.effect === 'confirm') {
    const confirmed = await confirmedCall(parsed, toolContext);
    const previewed = listedTool(confirmed.tool);
    if (!isGuarded(previewed)) throw new Error(`${previewed.name} gives out no token.`);
    return runGuarded(previewed, confirmed, toolContext);
  }
  if (isGuarded(tool)) {
    const call = await guardedCall(tool, parsed, toolContext, () => completed(tool, parsed, toolContext));
    return runGuarded(tool, call, toolContext);
  }
  if ('draw' in tool) return { kind: 'reply', content: await tool.draw(parsed, toolContext) };
  const reply = toolReply(tool, await tool.run(parsed, toolContext));
  return { ...reply, content: [...reply.content, ...pictures.map(pictureBlock)] };
}

const completed = async (tool: GuardedTool, args: Values, context: ToolContext): Promise<Values> =>
  tool.effect === 'change' && tool.completed !== undefined ? tool.completed(args, context) : args;

async function runGuarded(tool: GuardedTool, call: GuardedCall, context: ToolContext): Promise<ToolReply | FormReply> {
  if (tool.effect !== 'export') return runChange(tool, call, context);
  return (await runRelease(tool, call, context)) ?? toolReply(tool, await tool.run(call.args, context));
}

/** Throws `invalid_arguments` where an argument holds a credential: it would be sent, shown to colleagues and kept. */
export function assertNoCredential(args: unknown, { settings }: Pick<AppContext['config'], 'settings'>): void {
  const found = findCredential(args, [settings.apiKey, settings.accessToken]);
  if (found !== undefined) throwProblems([{ field: argumentPath(found.path), problem: found.problem }]);
}

/** Throws `invalid_arguments` with each argument that names a file of the machine. */
function assertNoFiles(args: unknown): void {
  throwProblems(fileArguments(args).map((field) => ({ field: word(field), problem: NO_FILES })));
}

const NO_FILES = sentence`no file of the server’s machine is taken: give the list itself, up to 100,000 ids in a call.`;

function listedTool(name: string): Tool {
  const tool = toolNamed(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

function errorReply(tool: Tool, error: VideoHostingError): ToolReply {
  if (!isOfChange(tool)) return { kind: 'reply', content: [{ type: 'text', text: errorText(error, 'read') }], isError: true };
  const failure = sanitizeAnswer(FailureOut, { status: 'failed', ...errorOut(error, 'change'), error: { code: error.code } });
  const text = renderAnswer(FailureOut, failure);
  return { kind: 'reply', content: [{ type: 'text', text }], structuredContent: failure, isError: true };
}

/** A change that failed before it was planned or sent. */
const FailureOut = z.object({ status: z.literal('failed'), ...errorOutput, error: z.object({ code: z.string() }) });
