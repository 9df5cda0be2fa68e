import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/server';
import type { FormAnswer, FormRequest, FormSupport } from '../changes/asking/form.ts';
import type { ClientIdentity } from '../changes/asking/form-clients.ts';
import type { SharedPage } from '../page/shared-page.ts';
import type { Person } from '../people/people.ts';
import type { SanitizedAnswer } from './answer/sanitize-answer.ts';

// The interface between the protocol server (`server.ts`) and the app (`app.ts`), which the first call loads.

/** A client's call, as far as the app has to know it. */
export interface Call {
  /** Who calls, where this server serves several people. */
  readonly person?: Person | undefined;
  /** As the client calls itself; empty where it doesn’t. */
  readonly client: string;
  readonly forms: FormSupport;
  /** Whether the client opens a link that a call leads to, where there are several people. */
  readonly links: LinkSupport;
  /** Whether the client says that it draws MCP Apps: the view of a tool, in the conversation. */
  readonly drawsViews: boolean;
  readonly signal: AbortSignal;
  /** Whether the client ended when the signal was aborted, and did not cancel the call. */
  readonly hasLeft: () => boolean;
  /** Reports progress to the client; never throws. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** How a client treats a link: it asks its user whether to open it, and repeats the call with their answer. */
export type LinkSupport =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'asks';
      readonly client: ClientIdentity;
      /** As its requests name it, which may tell how it was started. */
      readonly userAgent: string;
      readonly answer: FormAnswer | undefined;
      /** Of the call that led to the link, which this one repeats. */
      readonly state: string | undefined;
    };

/** Asks a client’s user whether to open an address. */
export interface LinkRequest {
  readonly mode: 'url';
  readonly url: string;
  readonly message: string;
  readonly elicitationId: string;
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

/** Asks the client to show a form, or to open a link, and to repeat the call with the answer. */
export interface FormReply {
  readonly kind: 'form';
  readonly form: FormRequest | LinkRequest;
  readonly state: string;
}

export type ResourceContent = {
  readonly uri: string;
  readonly mimeType: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
} & (
  | { readonly text: string }
  /** Base64. */
  | { readonly blob: string }
);

/** What a tool does. */
export type Effect = 'read' | 'control' | 'setup' | 'export' | 'change' | 'statement' | 'confirm';

/** Everything that is not protocol. */
export interface App {
  /** Opens the account; throws where that fails, or its folder can’t be written. */
  ready(): Promise<void>;
  /** The page for several people, of the account as it is kept now. Throws where it can’t be opened. */
  sharedPage(): Promise<SharedPage>;
  callTool(name: string, args: unknown, call: Call): Promise<ToolReply | FormReply>;
  readResource(uri: string, call: Call): Promise<ResourceContent | MissingResource | undefined>;
  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<string>;
  /** Completes an argument of a prompt or a resource template: the values that match what was typed. */
  complete(of: { readonly prompt: string } | { readonly template: string }, argument: string, typed: string, call: Call): Promise<string[]>;
  /** The server begins to end: calls that wait are answered with what is so now. */
  end(): void;
  close(): Promise<void>;
}

/** What the server lists, generated from the definitions that the app runs. */
export interface Listing {
  readonly tools: ListedTool[];
  /** What each tool does, by its name: read-only mode leaves out those that change the account, and roles allow some. */
  readonly effects: Readonly<Record<string, Effect>>;
  readonly prompts: With<Prompt, 'arguments'>[];
  readonly resources: Resource[];
  readonly resourceTemplates: ResourceTemplateType[];
}

/** With these fields, which the protocol does not require. */
type With<T, Name extends keyof T> = T & { readonly [N in Name]-?: NonNullable<T[N]> };
export type ListedTool = With<Tool, 'description' | 'annotations'>;

/** A resource that does not exist, with the reason in a sentence. */
export interface MissingResource {
  readonly missing: string;
}
