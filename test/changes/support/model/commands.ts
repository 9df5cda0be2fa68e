/** What can happen in a random history: calls of the assistant, answers of the person, edits elsewhere, faults, restarts. */
import fc from 'fast-check';
import type { Fault } from '../../../harness/faults.ts';

export const CHANNELS = 4;
export const VIDEOS = 9;
export const PROJECTS = 3;

/** How the person is asked, and what the service leaves open. */
export interface Setting {
  readonly asking: 'token' | 'push' | 'retry';
  readonly clears: boolean;
  readonly shows: boolean;
  readonly emptyCounts: boolean;
  readonly missing: number;
  readonly nulls: number;
  readonly numericIds: boolean;
  readonly templates: 'accept' | 'reject' | 'ignore';
  readonly ignores: readonly string[];
  readonly createAnswer: 'record' | 'id-only' | 'empty';
  /** Whether the server writes every channel once in the beginning, and so knows what they hold. */
  readonly isIntroduced: boolean;
  /** What each channel holds at first: videos and projects, by number. */
  readonly contents: readonly (readonly [readonly number[], readonly number[]])[];
}

/** Whether the statement of a person is true. */
export type Word = 'true' | 'wrong';

/** The requested change of one channel; videos, projects and templates by number. */
export interface Want {
  readonly channel: number;
  readonly name?: string;
  readonly description?: string;
  readonly template?: number;
  readonly privateLink?: boolean;
  readonly set?: readonly number[];
  readonly add?: readonly number[];
  readonly remove?: readonly number[];
  readonly first?: readonly number[];
  readonly projects?: readonly number[];
  /** What the person states that the channel holds now: correctly or wrongly. */
  readonly states?: Word;
  /** Whether the videos to remove or to put first can be ones that the channel does not hold. */
  readonly isWild?: boolean;
}

/** An edit by somebody else, in the dashboard. */
export interface Edit {
  readonly channel: number;
  readonly name?: string;
  readonly videos?: readonly number[];
  readonly projects?: readonly number[];
  readonly template?: number;
}

/** What the person does; `hold` leaves a token for later, `tamper` sends it with other arguments. */
export type Then = 'agree' | 'decline' | 'cancel' | 'untick' | 'hold' | 'tamper';

export type Command =
  | { readonly kind: 'update'; readonly wants: readonly Want[]; readonly answer: Then; readonly thinking: Edit | null }
  | { readonly kind: 'state'; readonly channel: number; readonly word: Word; readonly answer: Then; readonly thinking: Edit | null }
  | { readonly kind: 'create'; readonly name: string; readonly videos: readonly number[]; readonly answer: Then }
  | { readonly kind: 'undo'; readonly which: number; readonly answer: Then; readonly thinking: Edit | null }
  /** A change that the service interrupts, then perhaps an edit elsewhere or a statement, and its resumption. */
  | {
      readonly kind: 'carryOn';
      readonly wants: readonly Want[];
      readonly skip: number;
      readonly fault: Fault;
      readonly between: Edit | null;
      readonly stated: { readonly channel: number; readonly word: Word } | null;
      readonly answer: Then;
      readonly thinking: Edit | null;
    }
  | { readonly kind: 'resume'; readonly which: number; readonly answer: Then; readonly thinking: Edit | null }
  | { readonly kind: 'redeem'; readonly which: readonly number[]; readonly spoilt: boolean }
  | { readonly kind: 'edit'; readonly edit: Edit }
  | {
      readonly kind: 'meanwhile';
      readonly on: 'request' | 'processed';
      readonly method: string;
      readonly skip: number;
      readonly edit: Edit;
    }
  | { readonly kind: 'strike'; readonly method: string; readonly skip: number; readonly times: number; readonly fault: Fault }
  | { readonly kind: 'stale'; readonly reads: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'look'; readonly channel: number };

const channel = fc.nat(CHANNELS - 1);
const videos = fc.uniqueArray(fc.nat(VIDEOS - 1), { maxLength: 5 });
const projects = fc.uniqueArray(fc.nat(PROJECTS - 1), { maxLength: 2 });
// Few names, so that two people choose the same one now and then.
const name = fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Channel 0', 'Channel 1');
const template = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 1, 2, 99);

/** A record that lacks the optional members that were not drawn. */
function some<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: readonly (keyof T)[]): fc.Arbitrary<T> {
  return fc.record(model, { requiredKeys: [...required] }) as fc.Arbitrary<T>; // what `requiredKeys` means, said with optional members
}

const lists = {
  set: videos,
  add: videos,
  remove: videos,
  first: videos,
  projects,
};
/** One verb or two, seldom more, so that most calls are valid. */
const verbs: fc.Arbitrary<Partial<Want>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ set: videos }) },
  { weight: 2, arbitrary: fc.record({ first: videos }) },
  { weight: 2, arbitrary: fc.record({ add: videos, first: videos }, { requiredKeys: ['add'] }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.uniqueArray(fc.nat(VIDEOS - 1), { minLength: 1, maxLength: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ projects }) },
  { weight: 1, arbitrary: fc.record({ set: videos, projects }) },
  { weight: 1, arbitrary: fc.record(lists, { requiredKeys: ['first'] }) },
);
const fields = some<Pick<Want, 'name' | 'description' | 'template' | 'privateLink'>>(
  { name, description: fc.constantFrom('', 'One', 'Two'), template, privateLink: fc.boolean() },
  [],
);
const word = fc.constantFrom<Word>('true', 'true', 'true', 'wrong');
const states = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.record({ states: word }) });
const want: fc.Arbitrary<Want> = fc
  .tuple(channel, fields, verbs, states, fc.nat(5))
  .map(([at, some, others, stated, luck]) => ({ channel: at, ...some, ...others, ...stated, isWild: luck === 0 }));
const wants = fc.uniqueArray(want, { minLength: 1, maxLength: 3, selector: (one) => one.channel });

const edit = some<Edit>({ channel, name, videos, projects, template }, ['channel']);
const thinking = fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: edit });
const answer = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Then>('agree') },
  { weight: 2, arbitrary: fc.constantFrom<Then>('decline', 'cancel', 'untick', 'hold', 'tamper') },
);

const faults: readonly Fault[] = [
  ...[500, 502, 503, 429].flatMap((code) => [true, false].map((processed): Fault => ({ kind: 'status', code, processed }))),
  ...[400, 401, 403, 404].map((code): Fault => ({ kind: 'status', code })),
  { kind: 'status', code: 400, body: { message: 'Invalid videoKeys were provided.', invalidVideoKeys: ['x'] } },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'truncate' },
  { kind: 'redirect', location: 'https://elsewhere.example/' },
  { kind: 'drip', bytes: 64, ms: 0 },
  { kind: 'delay', ms: 2 },
  { kind: 'delay', ms: 2, processFirst: true },
  ...(['html', 'not-json', 'half-json', 'wrong-shape', 'null', 'empty'] as const).flatMap((shape) =>
    [true, false].map((processed): Fault => ({ kind: 'garbage', shape, processed })),
  ),
];

/** Faults after which nothing was done, or the outcome is not known. */
const breaks: readonly Fault[] = [
  ...[401, 429, 500].map((code): Fault => ({ kind: 'status', code, processed: false })),
  { kind: 'status', code: 500, processed: true },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
];

const method = fc.constantFrom('GET', 'PUT', 'PUT', 'POST');

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('update' as const), wants, answer, thinking }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('state' as const), channel, word, answer, thinking }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), name, videos, answer }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('undo' as const), which: fc.nat(3), answer, thinking }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('carryOn' as const),
      wants,
      skip: fc.nat(2),
      fault: fc.constantFrom(...breaks),
      between: fc.option(edit, { nil: null, freq: 2 }),
      stated: fc.option(fc.record({ channel, word }), { nil: null, freq: 2 }),
      answer,
      thinking,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const), which: fc.nat(1), answer, thinking }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      which: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
      spoilt: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), edit }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('meanwhile' as const),
      on: fc.constantFrom('request' as const, 'processed' as const),
      method,
      skip: fc.nat(4),
      edit,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('strike' as const),
      method,
      skip: fc.nat(3),
      times: fc.constantFrom(1, 1, 2, 4),
      fault: fc.constantFrom(...faults),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stale' as const), reads: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const), channel }) },
);

const share = fc.constantFrom(0, 0, 0, 0.3);

export const setting: fc.Arbitrary<Setting> = fc.record({
  asking: fc.constantFrom('token' as const, 'push' as const, 'retry' as const),
  clears: fc.boolean(),
  shows: fc.boolean(),
  emptyCounts: fc.boolean(),
  missing: share,
  nulls: share,
  numericIds: fc.constantFrom(false, false, true),
  templates: fc.constantFrom('accept' as const, 'reject' as const, 'ignore' as const),
  ignores: fc.constantFrom([], [], [], ['name'], ['description', 'templateKey']),
  createAnswer: fc.constantFrom('record' as const, 'record' as const, 'id-only' as const, 'empty' as const),
  isIntroduced: fc.boolean(),
  contents: fc.array(fc.tuple(videos, projects), { minLength: CHANNELS, maxLength: CHANNELS }),
});

/** The first command of a history in which the server knows what the channels hold. */
export function introduction({ contents }: Setting): Command {
  const wants = contents.map(([set, projects], at) => ({ channel: at, set: set.length + projects.length === 0 ? [0] : set, projects }));
  return { kind: 'update', wants, answer: 'agree', thinking: null };
}
