import * as z from 'zod';
import type { AppContext, Workspace } from '../app/workspace.ts';
import { type PlannedTool, type PlannerArgs, planOf } from '../changes/kinds/planners.ts';
import { agentParty, type Party } from '../changes/plan/asked-and-decided.ts';
import type { ChangePlanner, Progress } from '../changes/plan/plan.ts';
import type { FileDeps } from '../changes/plan/plan-deps.ts';
import type { Result } from '../changes/plan/records.ts';
import type { Values } from '../platform/is-object.ts';
import type { Sentence } from '../text/sentence.ts';
import { type AnswerTo, sentenceOut, unlisted } from './answer/answer-schema.ts';
import type { Call, ContentBlock } from './app-contract.ts';

/** What every tool can use. */
export interface CallContext {
  readonly app: AppContext;
  readonly call: Call;
  /** Aborted if the client cancels the call, or the call's time budget ends. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** What a tool that works on the account can use. */
export type ToolContext = CallContext &
  Workspace & {
    /** Puts a picture (PNG) beside the answer, which says where it is kept: some clients show none of a tool with an output schema. */
    readonly addPicture: (png: Buffer) => void;
  };

interface ToolBase {
  readonly name: string;
  readonly title: string;
  /** When to use it and what it answers; every user's context pays for it. */
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly output: z.ZodRawShape;
  /** The lists to cut if the answer is too long, the first one first. */
  readonly cuttable?: readonly string[];
  /** The address of the document in which a client that draws MCP Apps shows the answer. */
  readonly view?: string;
  /** Tells the model how to get the rest of a list that was cut. By default: a smaller page or a narrower filter. */
  readonly ifCut?: Sentence;
}

interface AnsweringTool<Context> extends ToolBase {
  readonly run: (args: Values, context: Context) => Promise<Values>;
}

/** A tool that changes nothing in the account; `control` stops changes of this server. */
export interface ReadTool extends AnsweringTool<ToolContext> {
  readonly effect: 'read' | 'control';
}

/** A tool that answers with a picture and its description, and without structured content: some clients show a model only that. */
export interface PictureTool extends Omit<ToolBase, 'output'> {
  readonly effect: 'read';
  readonly draw: (args: Values, context: ToolContext) => Promise<readonly ContentBlock[]>;
}

/** A tool that works without an account, also if settings are wrong or missing. */
export interface SetupTool extends AnsweringTool<CallContext> {
  readonly effect: 'setup';
}

/** A tool that reads, and on request releases personal data after the user confirmed it. */
export interface ExportTool extends AnsweringTool<ToolContext> {
  readonly effect: 'export';
  /** Undefined if the arguments ask for nothing that needs confirmation. */
  readonly release: (args: Values, context: ToolContext) => Release | undefined;
}

/** A release of personal data: its plan, and the answer made from the result of carrying it out. */
export interface Release {
  /** As what it waits for a person after its call; absent where it can’t. */
  readonly kept?: { readonly tool: PlannedTool; readonly args: Values };
  readonly planner: ChangePlanner;
  readonly result: (done: Result) => Values;
}

/** A tool that changes the account. It only plans; the guard confirms and carries out. */
export interface ChangeTool extends ToolBase {
  readonly effect: 'change';
  /** Whether data can be lost by it. */
  readonly destructive: boolean;
  readonly plan: (args: Values, context: ToolContext) => ChangePlanner;
  /** The arguments with what the call leaves to the tool, so that a person agrees to that and to nothing that is newer. */
  readonly completed?: (args: Values, context: ToolContext) => Promise<Values>;
}

/** A tool that records what the user states. It is planned and confirmed like a change, and sends nothing that changes the account. */
export interface StatementTool extends ToolBase {
  readonly effect: 'statement';
  readonly plan: ChangeTool['plan'];
}

/** Carries out what another tool previewed, with the answer of that one. Offered only where tokens are given out. */
export interface ConfirmTool extends ToolBase {
  readonly effect: 'confirm';
}

export type GuardedTool = ChangeTool | StatementTool | ExportTool;
export type Tool = ReadTool | PictureTool | SetupTool | GuardedTool | ConfirmTool;

/** Who calls: a person, where there are several, else for whom this server acts. */
export const callerOf = ({ call: { person }, settings: { agent } }: Pick<ToolContext, 'call' | 'settings'>): Party | undefined =>
  person === undefined ? agentParty(agent) : { id: person.id, name: person.name };

type Shape = z.ZodRawShape;
type Args<I extends Shape> = z.output<z.ZodObject<I>>;
type Answer<O extends Shape> = AnswerTo<z.ZodObject<O>>;

/** A tool as it is written: the types of its arguments and answers follow from `input` and `output`. */
interface Definition<I extends Shape, O extends Shape, Context> extends ToolBase {
  readonly input: I;
  readonly output: O;
  readonly run: (args: Args<I>, context: Context) => Promise<Answer<O>>;
}

// The casts below only forget the types of one tool, so that all tools fit one list: arguments are parsed with `input`
// before a tool sees them, and its answer is its own.

export function defineTool<I extends Shape, O extends Shape>(tool: Definition<I, O, ToolContext> & Pick<ReadTool, 'effect'>): ReadTool {
  return tool as unknown as ReadTool;
}

export function definePicture<I extends Shape>(
  tool: Omit<ToolBase, 'output'> & {
    readonly input: I;
    readonly draw: (args: Args<I>, context: ToolContext) => Promise<readonly ContentBlock[]>;
  },
): PictureTool {
  return { ...(tool as unknown as PictureTool), effect: 'read' };
}

export function defineSetupTool<I extends Shape, O extends Shape>(tool: Definition<I, O, CallContext>): SetupTool {
  return { ...(tool as unknown as SetupTool), effect: 'setup' };
}

export function defineExport<I extends Shape, O extends Shape>(
  tool: Definition<I, O, ToolContext> & { readonly release: (args: Args<I>, context: ToolContext) => Release | undefined },
): ExportTool {
  return { ...(tool as unknown as ExportTool), effect: 'export' };
}

/** A tool whose planner is the row of its name in `planners.ts`, which takes its arguments. */
type PlannedDefinition<N extends PlannedTool, I extends Shape> = ToolBase & {
  readonly name: N;
  readonly input: Args<I> extends PlannerArgs<N> ? I : never;
  /** What its planner may do in a call besides reading. */
  readonly means?: (context: ToolContext) => Pick<FileDeps, 'endRunning'>;
  readonly completed?: (args: Args<I>, context: ToolContext) => Promise<Args<I>>;
};

export function defineChange<N extends PlannedTool, I extends Shape>(
  tool: PlannedDefinition<N, I> & Pick<ChangeTool, 'destructive'>,
): ChangeTool {
  const { means = () => ({}), completed, ...rest } = tool;
  const plan: ChangeTool['plan'] = (args, context) => planOf(tool.name, args, { ...context, ...means(context) });
  const more = completed === undefined ? {} : { completed: completed as unknown as NonNullable<ChangeTool['completed']> };
  return { cuttable: CUT_FIRST, ...rest, ...more, plan, effect: 'change' };
}

export function defineConfirmation(tool: ToolBase): ConfirmTool {
  return { cuttable: CUT_FIRST, ...tool, effect: 'confirm' };
}

export function defineStatement<N extends PlannedTool, I extends Shape>(tool: PlannedDefinition<N, I>): StatementTool {
  return { cuttable: CUT_FIRST, ...tool, plan: (args, context) => planOf(tool.name, args, context), effect: 'statement' };
}

/** Of the answers about changes. */
const CUT_FIRST = ['before', 'after', 'lines', 'unknown', 'failed'];

/** Whether a tool plans, and the guard confirms and carries out; an export only where its arguments ask for that. */
export const isGuarded = (tool: Tool): tool is GuardedTool =>
  tool.effect === 'change' || tool.effect === 'statement' || tool.effect === 'export';

/** Whether a tool’s answer is that of a change, its errors included. */
export const isOfChange = (tool: Tool): tool is ChangeTool | StatementTool | ConfirmTool =>
  tool.effect === 'change' || tool.effect === 'statement' || tool.effect === 'confirm';

/** A schema of each shape, made once: to make one takes longer than to check a call with it. */
function schemaOf(make: (shape: Shape) => z.ZodObject): (shape: Shape) => z.ZodObject {
  const made = new WeakMap<Shape, z.ZodObject>();
  return (shape) => {
    const schema = made.get(shape) ?? make(shape);
    made.set(shape, schema);
    return schema;
  };
}

const argumentsOf = schemaOf((input) => z.strictObject(input));
const answersOf = schemaOf((output) => z.looseObject({ ...output, omitted: unlisted(sentenceOut()) }));

/** The schema of a tool's arguments, which refuses unknown names. */
export const inputSchema = (tool: Tool): z.ZodObject => argumentsOf(tool.input);

/** The schema of a tool's answers: loose, since they may have more than is listed. Undefined for a picture. */
export const outputSchema = (tool: Tool): z.ZodObject | undefined => ('output' in tool ? answerSchema(tool) : undefined);

/** With what is left out of an answer that is cut. */
export const answerSchema = ({ output }: Pick<ToolBase, 'output'>): z.ZodObject => answersOf(output);

/** Ids as the journal makes them. */
export const changeIdArgument = z.string().min(1).max(60);
