import type { NotedFile } from '../../files/noted-files.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { FormRequest, FormSupport } from '../asking/form.ts';
import type { Asked, Party } from '../plan/asked-and-decided.ts';
import type { ConfirmedBy } from '../plan/confirmed-by.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { Receipt } from '../plan/receipt.ts';
import type { BeginApproved, Proposal } from './proposal.ts';
import type { Route } from './routes/route.ts';

export interface ConfirmRequest {
  readonly tool: string;
  /** What the tool may do: a release gives data out and changes nothing in the account. What is planned is told by its kind. */
  readonly effect: 'change' | 'release';
  readonly args: unknown;
  /** Who asks, where this server serves several people. */
  readonly by?: Party | undefined;
  /** As the client calls itself. */
  readonly client: string;
  /** Of the preview that the user agreed to. */
  readonly token: string | undefined;
  /** For how long the caller waits once it is being carried out, if shorter. */
  readonly waitMs?: number;
  readonly forms: FormSupport;
  readonly signal: AbortSignal;
  /** Whether the client ended when the signal was aborted, and gave nothing up. */
  readonly hasLeft?: () => boolean;
  /** When the call must be answered, in milliseconds since the epoch. The time that a person takes over a form is added. */
  readonly answerBy: number;
}

/** A request with what a person is asked about. */
export interface Question extends ConfirmRequest {
  readonly changeId: string;
  readonly plan: ShownPlan;
  readonly asked: Asked;
  readonly requestDigest: string;
  /** Of what it would do, where a person can decline it. */
  readonly action?: string | undefined;
  /** What its plan read. */
  readonly files?: readonly NotedFile[] | undefined;
  readonly routes: readonly Route[];
  /** For the approval page, where it may be confirmed when no call waits any more. */
  readonly begin: BeginApproved;
}

export interface Confirmation {
  readonly how: ConfirmedBy;
  readonly asked: Asked;
  /** Who agreed, where that is known. */
  readonly by?: Party | undefined;
  /** Of what was allowed in advance. */
  readonly receipt?: Receipt;
  /** When that was decided: ISO 8601. */
  readonly at?: string;
  readonly changeId: string;
  readonly plan: ShownPlan;
  /** How long a person took while this call waited; then the account has to be read again. */
  readonly personMs?: number;
  readonly note?: string;
}

/** The reply to a request that is not confirmed, or not yet. */
export type Unconfirmed =
  | { readonly kind: 'form'; readonly form: FormRequest; readonly state: string }
  /** `why`: why no form and no page is shown, where that was tried; else empty. */
  | {
      readonly kind: 'token';
      readonly changeId: string;
      readonly plan: ShownPlan;
      readonly token: string;
      readonly why: Sentence;
      /** Whether an earlier preview waits for the user's answer as well. */
      readonly isFurther: boolean;
    }
  /** The approval page shows it. `isLoaded`: a browser has loaded the page. */
  | { readonly kind: 'waiting'; readonly change: Proposal; readonly isLoaded: boolean }
  /** It is kept until a person decides. `isNew`: it did not wait before this call. */
  | { readonly kind: 'kept'; readonly change: Proposal; readonly isNew: boolean }
  | { readonly kind: 'declined'; readonly plan: ShownPlan; readonly reason: Sentence }
  /** A person approved it, and whoever carries it out has not begun yet. */
  | { readonly kind: 'approved'; readonly change: Proposal }
  | { readonly kind: 'nothing-to-do'; readonly plan: ShownPlan };

export type Decision =
  | { readonly confirmed: Confirmation }
  /** It was confirmed on the approval page, which carries it out; `isOther`: not this one, but another that does the same. */
  | { readonly started: { readonly changeId: string; readonly note: string; readonly isOther?: true } }
  | { readonly reply: Unconfirmed };

/** Refuses a request of which nothing was sent. Empty sentences are left out. */
export const declined = (plan: ShownPlan, ...sentences: readonly Sentence[]): Decision => ({
  reply: { kind: 'declined', plan, reason: joined(sentences.filter((text) => text !== '')) },
});

export const NOTHING_SENT = sentence`Nothing was sent.`;

export const inTheirWords = (note: string): Sentence =>
  note === '' ? sentence`` : sentence`In their words: ${inQuotes(note, note.length)}.`;
