import type { ClientIdentity, DecisionField, FormStyle } from './form-clients.ts';

/** A person's answer to a form, or why there is none. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  /** Some clients send what was typed before the form was declined. */
  | { readonly action: 'decline' | 'cancel'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'unanswered'; readonly reason: string };

type Field = { readonly title: string; readonly description?: string } & (
  | { readonly type: 'boolean' | 'string' }
  | { readonly type: 'string'; readonly oneOf: readonly { readonly const: string; readonly title: string }[] }
);

/** A form with flat fields, which every client can show. */
export interface FormRequest {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Field>>;
    readonly required: readonly string[];
  };
}

/** How the client can show a form, by protocol era. */
export type FormSupport =
  | { readonly kind: 'none' }
  /** The form is sent while the call waits (2025-era clients). */
  | {
      readonly kind: 'push';
      readonly client: ClientIdentity;
      readonly ask: (form: FormRequest, timeoutMs: number) => Promise<FormAnswer>;
    }
  /** The call ends with the form and is repeated with its answer and state (2026-era clients). */
  | {
      readonly kind: 'retry';
      readonly client: ClientIdentity;
      readonly answer: FormAnswer | undefined;
      readonly state: string | undefined;
    };

/** Whether a call brings the answer to a form, or claims to. */
export const isFormAnswer = (forms: FormSupport): boolean => forms.kind === 'retry' && forms.state !== undefined;

/** The form for every change: its text, the decision and, in most clients, a note to the assistant. `title` says what is done. */
export function confirmationForm(message: string, title: string, { field, hasNote }: FormStyle): FormRequest {
  const choices = [
    // Some clients choose the first.
    { const: 'nothing', title: 'Change nothing' },
    { const: 'apply', title },
  ];
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: field === 'box' ? { type: 'boolean', title } : { type: 'string', title: 'Decision', oneOf: choices },
        ...(hasNote ? { note: { type: 'string', title: 'Note for the assistant' } } : {}),
      },
      required: ['decision'],
    },
  };
}

/** Whether the person chose to apply. Anything that is not exactly that is a refusal. */
export const isApproval = (answer: FormAnswer, field: DecisionField): boolean =>
  answer.action === 'accept' && answer.content.decision === (field === 'box' ? true : 'apply');

/** Whether the person sent the form back without one of its choices, which is neither a yes nor a no. A box that isn’t ticked need not be sent. */
export function isWithoutChoice(answer: FormAnswer, field: DecisionField): boolean {
  if (answer.action !== 'accept') return false;
  const { decision } = answer.content;
  return field === 'box' ? decision !== undefined && typeof decision !== 'boolean' : decision !== 'apply' && decision !== 'nothing';
}
