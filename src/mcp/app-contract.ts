import type { FormRequest, FormSupport } from '../changes/confirm/form.ts';
import type { SanitizedAnswer } from './answer/sanitize-answer.ts';

/**
 * What the protocol shell (`server.ts`) and the app (`app.ts`, which runs when a call first needs it) say to each other:
 * plain data and functions.
 */

/** One call of a client, reduced to what the app may know. */
export interface Call {
  readonly forms: FormSupport;
  readonly signal: AbortSignal;
  /** Tells the client how far a call is; never fails. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string };

export interface ToolReply {
  readonly kind: 'reply';
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: SanitizedAnswer<Readonly<Record<string, unknown>>>;
  readonly isError?: true;
}

/** The call ends here, to come again with a person's answer. */
export interface FormReply {
  readonly kind: 'form';
  readonly form: FormRequest;
  readonly state: string;
}

export type ResourceContent = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  /** Base64. */
  | { readonly blob: string }
);

/** What the shell hands on; everything that is not protocol. */
export interface App {
  callTool(name: string, args: unknown, call: Call): Promise<ToolReply | FormReply | undefined>;
  readResource(uri: string, call: Call): Promise<ResourceContent | MissingResource | undefined>;
  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<{ readonly text: string } | undefined>;
  /** Values that fit what was typed so far, for an argument of a prompt or a resource template. */
  complete(of: { readonly prompt: string } | { readonly template: string }, argument: string, typed: string, call: Call): Promise<string[]>;
  close(): Promise<void>;
}

/** Everything that the shell lists, made ahead from the same definitions that the app runs. */
export interface Listing {
  readonly tools: readonly ListedTool[];
  /** The names of those that change the account; read-only mode leaves them out. */
  readonly changes: readonly string[];
  readonly prompts: readonly ListedPrompt[];
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: readonly ListedTemplate[];
}

/** That a resource is not there, in a sentence. */
export interface MissingResource {
  readonly missing: string;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ListedTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}
