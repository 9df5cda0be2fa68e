/** How a person answered a form, or why there is no answer. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  /** Some clients send what was typed before it was declined. */
  | { readonly action: 'decline' | 'cancel'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'unanswered'; readonly reason: string };

/** A form for a person: flat fields, as every client can draw them. */
export interface FormRequest {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Readonly<
      Record<string, { readonly type: 'boolean' | 'string'; readonly title: string; readonly description?: string }>
    >;
    readonly required: readonly string[];
  };
}

/** How this client's person can be asked, by protocol era. */
export type FormSupport =
  | { readonly kind: 'none' }
  /** The form is sent while the call waits (2025-era clients). */
  | { readonly kind: 'push'; readonly ask: (form: FormRequest, timeoutMs: number) => Promise<FormAnswer> }
  /** The call ends with the form, and comes again with the answer and the state (2026-era clients). */
  | { readonly kind: 'retry'; readonly answer: FormAnswer | undefined; readonly state: string | undefined };

/** The one form there is: what will be done, a box to tick, and room for words to the assistant. */
export function confirmationForm(message: string): FormRequest {
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: { type: 'boolean', title: 'Yes, do this', description: 'Leave it unticked to change nothing.' },
        note: { type: 'string', title: 'Note for the assistant' },
      },
      required: ['confirm'],
    },
  };
}
