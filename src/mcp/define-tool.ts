import * as z from 'zod';
import type { ChangePlanner, Progress } from '../changes/plan.ts';
import type { Call, ContentBlock } from './app-contract.ts';
import type { AppContext, Workspace } from './workspace.ts';

/** What every tool is given. */
export interface CallContext {
  readonly app: AppContext;
  readonly call: Call;
  /** Aborted when the caller gives up or the call's budget is spent. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** What a tool is given that works on the account. */
export type ToolContext = CallContext & Workspace;

interface ToolBase {
  readonly name: string;
  readonly title: string;
  /** When to use it and what it answers; every user's context pays for it. */
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly output: z.ZodRawShape;
  /** Lists of the answer that may be cut when it grows too long, the first one first. */
  readonly cuttable?: readonly string[];
  /** What to do for the rest of a list that was cut; for a smaller page or a narrower filter, unless said. */
  readonly ifCut?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Content that goes with an answer beside its text: a picture. It is no part of the structured content. */
const CONTENT = Symbol('content');

/** Gives an answer content that goes with it. */
export function withContent<T extends object>(answer: T, content: readonly ContentBlock[]): T {
  return Object.assign(answer, { [CONTENT]: content });
}

export function contentOf(answer: { readonly [CONTENT]?: readonly ContentBlock[] }): readonly ContentBlock[] {
  return answer[CONTENT] ?? [];
}

/** A tool that changes nothing in the account; `control` steers this server's own work. */
export interface ReadTool extends ToolBase {
  readonly effect: 'read' | 'control';
  readonly run: (args: Values, context: ToolContext) => Promise<Values>;
  /** The short text for the model. */
  readonly present: (answer: Values) => string;
}

/** The tool that must answer also where the settings are wrong or missing. */
export interface SetupTool extends ToolBase {
  readonly effect: 'setup';
  readonly run: (args: Values, context: CallContext) => Promise<Values>;
  readonly present: (answer: Values) => string;
}

export interface ChangeTool extends ToolBase {
  readonly effect: 'change';
  /** Whether something can be lost by it. */
  readonly destructive: boolean;
  readonly plan: (args: Values, context: ToolContext) => ChangePlanner;
}

/** Gives something out, once a person agreed: what is done then, and what of it the answer tells. */
export interface Release {
  readonly planner: ChangePlanner;
  readonly result: (done: Values) => Values;
}

/** A tool that reads, and on request gives personal data out; that alone goes through the guard. */
export interface ExportTool extends ToolBase {
  readonly effect: 'export';
  readonly run: (args: Values, context: ToolContext) => Promise<Values>;
  /** Undefined where the arguments ask for nothing that has to be confirmed. */
  readonly release: (args: Values, context: ToolContext) => Release | undefined;
  readonly present: (answer: Values) => string;
}

export type Tool = ReadTool | SetupTool | ExportTool | ChangeTool;

type Shape = z.ZodRawShape;
type Args<I extends Shape> = z.output<z.ZodObject<I>>;
type Answer<O extends Shape> = z.input<z.ZodObject<O>>;

/** A tool that reads or steers: its types follow from its own `input` and `output`. */
export function defineTool<I extends Shape, O extends Shape>(
  tool: Omit<ToolBase, 'input' | 'output'> & {
    readonly effect: 'read' | 'control';
    readonly input: I;
    readonly output: O;
    readonly run: (args: Args<I>, context: ToolContext) => Promise<Answer<O>>;
    readonly present: (answer: Answer<O>) => string;
  },
): ReadTool {
  // The arguments were parsed with `input` before `run` sees them, and the answer is `run`'s own: the casts only
  // forget which tool it is, so that all tools fit one list.
  return tool as unknown as ReadTool;
}

/** As `defineTool`, for the one that works without an account. */
export function defineSetupTool<O extends Shape>(
  tool: Omit<ToolBase, 'input' | 'output'> & {
    readonly output: O;
    readonly run: (context: CallContext) => Promise<Answer<O>>;
    readonly present: (answer: Answer<O>) => string;
  },
): SetupTool {
  const { run, ...rest } = tool;
  // As above.
  return { ...(rest as unknown as Omit<SetupTool, 'run'>), effect: 'setup', input: {}, run: (_args, context) => run(context) };
}

/** As `defineTool`, for what gives personal data out. */
export function defineExport<I extends Shape, O extends Shape>(
  tool: Omit<ToolBase, 'input' | 'output'> & {
    readonly input: I;
    readonly output: O;
    readonly run: (args: Args<I>, context: ToolContext) => Promise<Answer<O>>;
    readonly release: (args: Args<I>, context: ToolContext) => Release | undefined;
    readonly present: (answer: z.output<z.ZodObject<O, z.core.$loose>>) => string;
  },
): ExportTool {
  // As above.
  return { ...(tool as unknown as Omit<ExportTool, 'effect'>), effect: 'export' };
}

/** A tool that changes the account: it can only plan, and the guard does the rest. */
export function defineChange<I extends Shape>(
  tool: Omit<ToolBase, 'input' | 'output'> & {
    readonly destructive: boolean;
    readonly input: I;
    readonly output: Shape;
    readonly plan: (args: Args<I>, context: ToolContext) => ChangePlanner;
  },
): ChangeTool {
  return { ...(tool as unknown as Omit<ChangeTool, 'effect'>), effect: 'change' };
}

/** The schema that a tool's arguments are held to: unknown names are refused. Made by the first call that needs it. */
export function inputSchema(tool: Tool): z.ZodObject {
  const schema = inputSchemas.get(tool) ?? z.strictObject(isConfirmed(tool) ? { ...tool.input, ...confirmationInput } : tool.input);
  inputSchemas.set(tool, schema);
  return schema;
}

const inputSchemas = new WeakMap<Tool, z.ZodObject>();

/** Whether a call of it may have to be confirmed. */
function isConfirmed(tool: Tool): boolean {
  return tool.effect === 'change' || tool.effect === 'export';
}

/** The schema of a tool's answers: loose, since an answer that is cut says what was left out. */
export function outputSchema(tool: Tool): z.ZodObject {
  return z.looseObject(tool.output);
}

/** Ids as the journal makes them. */
export const changeIdArgument = z.string().min(1).max(60);

const confirmationInput = {
  confirmationToken: z.string().max(200).optional().describe('From confirmation_required, after the user agreed.'),
};
