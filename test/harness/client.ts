/**
 * One interface for all kinds of client, so that one test can run with each: `describe.each(CLIENT_KINDS)('%s', …)`.
 * Structured content has been validated with the tool's output schema. Protocol errors reject with a numeric `code`.
 */
import * as z from 'zod';

export const CLIENT_KINDS = ['v1 client', 'v2 client, legacy', 'v2 client, modern', 'raw lines', 'raw lines, modern'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];
/** One client of each era of the protocol: for what may depend on the era, and not on the client’s library. */
export const ERAS = ['v2 client, legacy', 'v2 client, modern'] as const satisfies readonly ClientKind[];

/**
 * How a form is answered. The user chooses to apply or to do nothing; or the client declines or cancels at once without
 * drawing the form, never answers, or fails; or the client declares no forms.
 */
export type FormConduct = 'none' | 'accept' | 'nothing' | 'decline' | 'cancel' | 'silent' | 'throws';
/** A test's own answer, for example one that changes the account first. */
export type FormHandler = (form: ShownForm) => Promise<FormResult> | FormResult;

export interface ShownForm {
  readonly message: string;
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}
export type FormResult = { action: 'accept'; content: Record<string, boolean | string> } | { action: 'decline' | 'cancel' };

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Aborting it makes the client cancel the call. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export type Values = Readonly<Record<string, unknown>>;

const ContentSchema = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));
const ToolResultSchema = z.looseObject({
  content: ContentSchema,
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

export interface ToolReply {
  readonly content: z.output<typeof ContentSchema>;
  /** All text blocks, joined by line breaks. */
  readonly text: string;
  /** `structuredContent`; undefined where there was none. */
  readonly data: Values | undefined;
  readonly isError: boolean;
}

export function toolReplyFrom(result: unknown): ToolReply {
  const { content, structuredContent, isError } = ToolResultSchema.parse(result);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n');
  return { content, text, data: structuredContent, isError: isError === true };
}

export interface TestClient {
  readonly kind: ClientKind;
  /** Every form that was shown to the user. */
  readonly forms: readonly ShownForm[];
  readonly instructions: string | undefined;
  callTool(name: string, args?: Values, options?: CallOptions): Promise<ToolReply>;
  listTools(): Promise<readonly Values[]>;
  listResources(): Promise<readonly Values[]>;
  listResourceTemplates(): Promise<readonly Values[]>;
  listPrompts(): Promise<readonly Values[]>;
  /** The text of a resource. */
  readResource(uri: string, options?: CallOptions): Promise<string>;
  /** The text of a prompt's one message. */
  getPrompt(name: string, args?: Readonly<Record<string, string>>): Promise<string>;
  complete(of: { readonly prompt: string } | { readonly template: string }, argument: string, typed: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const RecordsSchema = z.array(z.record(z.string(), z.unknown()));

/** The list of records in a field of a reply or a listing. */
export function recordsIn(data: Values | undefined, name: string): readonly Values[] {
  return RecordsSchema.parse(data?.[name]);
}

export const readResultSchema = z.looseObject({ contents: z.array(z.looseObject({ uri: z.string(), text: z.string() })).length(1) });
export const promptResultSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.literal('user'), content: z.looseObject({ text: z.string() }) })).length(1),
});
export const completionSchema = z.looseObject({ completion: z.looseObject({ values: z.array(z.string()) }) });

/** The user's answer to a form. */
async function answerForm(conduct: FormConduct | FormHandler, form: ShownForm): Promise<FormResult> {
  if (typeof conduct === 'function') return conduct(form);
  switch (conduct) {
    case 'accept':
      return APPLY;
    case 'nothing':
      return { action: 'accept', content: { decision: 'nothing' } };
    case 'decline':
    case 'cancel':
      return { action: conduct };
    case 'silent':
      return new Promise(() => {});
    default:
      throw new Error('This client fails to show forms.');
  }
}

/** The answer of a user who agrees. */
export const APPLY = { action: 'accept', content: { decision: 'apply' } } as const;

/** An answer that a user took some time for; a client that draws no form refuses it sooner. */
export const afterThinking =
  (answer: FormResult): FormHandler =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    return answer;
  };

/** Keeps each form that is shown, and answers it. */
export function formAnswers(conduct: FormConduct | FormHandler) {
  const forms: ShownForm[] = [];
  const answer = (params: unknown): Promise<FormResult> => {
    const form = shownForm(params);
    forms.push(form);
    return answerForm(conduct, form);
  };
  return { forms, answer };
}

/** A form from the parameters of a request. */
function shownForm(params: unknown): ShownForm {
  return z.looseObject({ message: z.string(), requestedSchema: z.record(z.string(), z.unknown()) }).parse(params);
}
