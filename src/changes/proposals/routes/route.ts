import type { ConfirmRoute } from '../../../config/confirm-routes.ts';
import type { Sentence } from '../../../text/sentence.ts';
import type { ApprovalPage } from '../../asking/approval-page.ts';
import type { FormSupport } from '../../asking/form.ts';
import type { UnseenForm } from '../../asking/unseen-forms.ts';

/** What there is on a connection and a machine to ask a person with. */
export interface Ways {
  readonly forms: {
    /** Whether the client declares them. */
    readonly areDeclared: boolean;
    /** What it did with one that nobody saw, where that is remembered. */
    readonly unseen?: UnseenForm | undefined;
  };
  readonly page: Pick<ApprovalPage, 'unavailable' | 'isMissed'>;
}

interface RouteWords {
  /** How a change is confirmed, for people. */
  readonly how: Sentence;
  /** What it needs, and what is said where that is there, and where it is not. */
  readonly needs?: { readonly what: string; readonly with?: Sentence; readonly without: Sentence };
  /** What to set where it is the only way that counts, and is not there. */
  readonly ifMissing?: Sentence;
  /** What an assistant has to know. Where several ways are tried, each sentence stands on its own. */
  readonly instructions: string;
}

/** Where a proposal is kept: as long as its process runs, or for all processes with its folder. */
export type StoreName = 'memory' | 'disk';

/** How what it asks about waits for the answer. */
export type Waits = WaitsAtAll & (WaitsForLater | WaitsForCall);

interface WaitsAtAll {
  /** Where it waits, the best first: on disk it outlives the process that asks. */
  readonly stores: readonly StoreName[];
  readonly lifetimeMs: number;
  /** In words: “ten minutes”. */
  readonly lifetime: Sentence;
  /** How many wait, and what happens if one more is to. */
  readonly max: number;
  readonly ifFull: 'drop-oldest' | 'refuse';
  /** A person can decline it, and does not only leave it. */
  readonly canDecline: boolean;
  /** It is shown, and decided on, on the approval page. */
  readonly isOnPage: boolean;
  /** The assistant shows it, and brings the answer with a call: an agent without a person could do so too. */
  readonly isByAssistant: boolean;
  /** Why an assistant can’t withdraw it. */
  readonly isTheirs?: { readonly message: Sentence; readonly hint: Sentence };
}

/** Whoever asked is done with their call, and a person looks when they like. */
interface WaitsForLater {
  readonly isForLater: true;
  readonly onDisk: OnDisk;
}

/** The call, or the process that took it, asks. */
interface WaitsForCall {
  readonly isForLater: false;
  /** Where it may wait on disk: that process may be gone. */
  readonly onDisk?: OnDisk;
  /** What an assistant is told while it waits: where the user is asked, and what has to be done. */
  readonly told: (asked: AskedNow) => Waiting;
}

interface AskedNow {
  readonly changeId: Sentence;
  /** When it is over: `lapses in 9 minutes`. */
  readonly lapses: Sentence;
  /** Somebody may see it. */
  readonly isLoaded: boolean;
  /** Who of several people asked for it, on the page themselves. */
  readonly by?: Sentence | undefined;
}

/** Of what waits on disk, for another process: why nobody is asked now, or where they are; and where a person decides, without a full stop. */
type OnDisk = (changeId: Sentence, isAsked?: boolean) => { readonly why: Sentence; readonly where: Sentence };

interface Waiting {
  readonly where: Sentence;
  readonly next?: Sentence;
}

/**
 * A way to confirm a change. It is data, also for the start of the server and the browser; how each asks is in `ask.ts`, which loads more.
 */
export interface Route {
  readonly name: ConfirmRoute;
  readonly words: RouteWords;
  /** Whether it is there; else why not: what it needs is `without`, or more than that in a sentence. */
  works(ways: Ways): true | Sentence;
  /** Whether it was tried, and nobody saw it: where another way is left, it is not tried again. */
  hasFailed(ways: Ways): boolean;
  /** Absent where nobody is asked. */
  readonly waits?: Waits;
  /** Whether the plan is made again after the answer: a million ids would take 100 MB while a person reads. */
  plansAgain(forms: FormSupport): boolean;
}
