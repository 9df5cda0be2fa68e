/** A person's answer to a form, or why there is none. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  /** Some clients send what was typed before the form was declined. */
  | { readonly action: 'decline' | 'cancel'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'unanswered'; readonly reason: string };

/** A form with flat fields, which every client can show. */
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

/** How the client can show a form, by protocol era. */
export type FormSupport =
  | { readonly kind: 'none' }
  /** The form is sent while the call waits (2025-era clients). */
  | { readonly kind: 'push'; readonly ask: (form: FormRequest, timeoutMs: number) => Promise<FormAnswer> }
  /** The call ends with the form and is repeated with its answer and state (2026-era clients). */
  | { readonly kind: 'retry'; readonly answer: FormAnswer | undefined; readonly state: string | undefined };

/** The form for every change: the preview, a checkbox and a note to the assistant. */
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
