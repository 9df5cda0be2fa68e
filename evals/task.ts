import type { DemoRequest } from '../src/demo/requests.ts';
import type { WorldOptions } from '../src/demo/world.ts';
import type { DemoService } from '../test/harness/demo.ts';
import type { AccountState } from './judge/state.ts';

/** What a person was shown before they agree: the preview of a change, or a form. */
export interface Shown {
  readonly text: string;
  /** The assistant's words, where it asked about a preview: people read these, and may not see the preview itself. */
  readonly asked?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly tool: string;
}

/** The account of a task while it is arranged, before the assistant starts. */
export interface Stage {
  readonly demo: DemoService;
  readonly world: DemoService['world'];
  /** Writes a file into the user's folder; `written` is when it says that it was (ISO, default now). */
  writeFile(name: string, content: string, written?: string): void;
  /** Calls a tool of the server before the assistant does, and confirms it; for tasks that begin in the middle. */
  before(tool: string, args: Readonly<Record<string, unknown>>): void;
  /** The same in the assistant's own session, as it makes its first call: for a change that still runs then. Not with the wrapper. */
  begin(tool: string, args: Readonly<Record<string, unknown>>): void;
  /** Acts after the calls of `before` so far. */
  afterwards(act: () => void): void;
  /** Runs once, before the service carries out the first request that `matches`: for edits from outside. */
  onFirst(matches: (request: DemoRequest) => boolean, act: () => void): void;
  /** Runs once, after the first preview of a change was answered and before the user replies. */
  onPreview(act: () => void): void;
  /** Runs between the answer to the wish of this number (1 is the first) and the next wish: for what others do meanwhile. */
  afterWish(number: number, act: () => void): void;
}

/** A text that a final answer has to have, or a number, found in any of its usual spellings. */
export type Wanted = RegExp | number;

/** What is wanted once a wish is answered. */
export interface Outcome {
  /** An answer that is right, for the test that proves the judge. */
  readonly example: string;
  /** Answers that are wrong, where the end state alone does not tell. */
  readonly wrong?: readonly string[];
  /** Changes the state of the account at the start into the one wanted then. Nothing else may differ. */
  readonly end?: (account: AccountState) => void;
  /** Other ends that are right too, each from the start. */
  readonly otherEnds?: readonly ((account: AccountState) => void)[];
  /** For that test, ends that careless assistants leave, each from the start. */
  readonly wrongEnds?: readonly ((account: AccountState) => void)[];
  /** What the answer must say; each is one requirement, and a list is met by any of its members. */
  readonly says?: readonly (Wanted | readonly Wanted[])[];
  readonly saysNot?: readonly Wanted[];
}

/** What is wanted at the end, after the last wish. */
export interface Expected extends Outcome {
  /** What is wanted after each wish before the last one. */
  readonly earlier?: readonly Outcome[];
  /** For the test that proves the judge, what the calls of `before` did to the account. */
  readonly exampleStart?: (account: AccountState) => void;
  /** Files and calls that belong to the right answer. */
  readonly exampleEnding?: Partial<Pick<Ending, 'newFiles' | 'calls'>>;
  /** For that test, files and calls that make an otherwise right run wrong. */
  readonly wrongEndings?: readonly Partial<Pick<Ending, 'newFiles' | 'calls'>>[];
  /** States of channels that may be sent on the way, as `end`. */
  readonly onTheWay?: readonly ((account: AccountState) => void)[];
  /** Ids of videos that may be sent to be moved though they cannot move. */
  readonly mayFail?: readonly string[];
  /** The wanted number of mutating requests, where more would be wrong though the end is right. */
  readonly maxMutations?: number;
  /** Anything else that must hold; returns what does not. */
  readonly check?: (end: Ending) => readonly string[];
}

/** The account when the assistant had answered a wish, and that answer. */
export interface Answered {
  readonly account: AccountState;
  readonly answer: string;
}

/** A task at its end, as judges see it. */
export interface Ending {
  /** The answers to the wishes before the last one. */
  readonly answered: readonly Answered[];
  readonly start: AccountState;
  readonly account: AccountState;
  /** Every request that the service received since the assistant started. */
  readonly requests: readonly DemoRequest[];
  readonly finalAnswer: string;
  /** All that the assistant was given: answers of tools and replies of the user. */
  readonly seen: readonly string[];
  /** What the assistant called, in order. */
  readonly calls: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>>; readonly isError: boolean }[];
  /** Files that the assistant's calls wrote into the user's folder: name and content. */
  readonly newFiles: Readonly<Record<string, string>>;
}

export interface Wish {
  /** What the user says, in the words of a person. */
  readonly says: string | ((stage: Stage) => string);
  /** One paragraph of what the user knows, the reply to any question. */
  readonly knows: string | ((stage: Stage) => string);
}

export interface Task extends Wish {
  /** Also the folder of its recordings. */
  readonly id: string;
  /** What the user wants next, each said in reply to the answer to the one before. */
  readonly next?: readonly Wish[];
  /** Whether the user agrees to what they are shown; a text is what they object. Default yes. */
  readonly agrees?: boolean | ((shown: Shown) => true | string);
  /** Whether their words asked for it already, so that they need not be shown its preview. Default no. */
  readonly asksAhead?: (shown: Shown) => boolean;
  /** The made-up account. Its present is that of all others. */
  readonly account?: Partial<Omit<WorldOptions, 'now'>>;
  /** Settings of the server beside those of the account. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the user's video catalogue is set. */
  readonly catalogue?: boolean;
  /** Tools and arguments that the task needs, checked by the probe. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Reading calls that the probe makes. */
  readonly probes?: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  /** The task fails if the assistant is given a single value that belongs to a viewer. */
  readonly aboutPersonalData?: boolean;
  /** Arranges the account and says what is wanted at the end. */
  arrange(stage: Stage): Expected;
}
