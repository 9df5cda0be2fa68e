import { type Sentence, sentence } from '../text/sentence.ts';

/** What each kind of change is. `resume-change.ts`, `look-again.ts`, `undo.ts`, `undoable.ts` and the others that act by a column have a case for each of its words. */

export interface KindRow {
  /** One of its records. */
  readonly record: 'channel' | 'project' | 'video' | 'list of emails';
  /** What becomes of each record, in the past tense; without it, an answer has the summary. Of many ids, `BULK` has it. */
  readonly done?: Sentence;
  /** The same of each of many ids, where that is not the word of `BULK`. */
  readonly doneOfMany?: Sentence;
  /** What is said once all of it is done, where that is more than `done`; `label` is that of its first record. */
  readonly allDone?: (total: number, label: Sentence) => Sentence;
  /** What a person does by agreeing; `records` is their number and name. */
  readonly action: (records: string) => string;
  /** As what it is undone, or why it can’t be. `either`: by what it did itself. */
  readonly undo: 'channels' | 'moves' | 'either' | { readonly no: Sentence };
  /** How the rest of one that stopped is planned; a change of many ids is always carried on by its ids. */
  readonly resume: 'channels' | 'creation' | 'ids' | 'no';
  /** Whether `retryFailed` sends again what the service refused of it, or why not and what to do. */
  readonly retry: 'possible' | { readonly no: Sentence; readonly hint: Sentence };
  /** Where what is not known of it is looked for. */
  readonly lookAgain: 'channels' | 'new-records' | 'no';
  /** What the journal keeps of it besides its records; `journal/facts.ts` has the schemas. */
  readonly facts: 'answers' | 'creation' | 'undo' | 'move' | 'copy';
  /** What of it a standing approval can cover, or why nothing of it. */
  readonly standing: 'records' | 'undo' | 'move' | 'copy' | { readonly never: Sentence };
  /** What it does to channels that exist. */
  readonly channels: 'updates' | 'states' | 'no';
  /** What it makes is new: its records have no id before. */
  readonly isNew: boolean;
  /** It changes nothing in the account. */
  readonly isLocal: boolean;
  /** No two of the kind begin at once, since what both make would be there twice; each record that exists has a lock of its own. */
  readonly beginsAlone: boolean;
  /** What it gives out goes into the answer of the call that asked, so it can’t wait for longer than that. */
  readonly isForItsCall?: true;
  /** What it does to each of many ids. */
  readonly bulk?: keyof typeof BULK;
}

/** What is done to each of many ids. */
export const BULK = {
  /** What may have been carried out is sent again, and so halved until the failing ids are found. */
  move: { done: 'moved', isRepeatable: true, howToSee: () => sentence`` },
  copy: {
    done: 'copied',
    /** What may have been carried out is not sent again. */
    isRepeatable: false,
    /** How a person finds out what became of videos whose request was not answered. */
    howToSee: (videos: number) =>
      sentence` To find out, open ${videos === 1 ? 'the video' : 'one of its videos'} in the dashboard and look at its CTAs.`,
  },
} as const;

/** What can be done about so many of which nobody knows what became of them, by where that is looked for. */
export const NEXT_OF_UNKNOWN: Readonly<Record<KindRow['lookAgain'], (count: number) => readonly Sentence[]>> = {
  channels: (count) => [
    sentence`resume_change looks first at the ${count} not known, and sends only what is certainly not done or unchanged.`,
  ],
  'new-records': () => [sentence`What may have been created is not sent again by itself: look as its reason says.`],
  no: () => [],
};

const UPDATE = {
  record: 'channel',
  undo: 'channels',
  resume: 'channels',
  retry: 'possible',
  lookAgain: 'channels',
  channels: 'updates',
  isNew: false,
  isLocal: false,
  beginsAlone: false,
} satisfies Partial<KindRow>;
const CREATION = {
  done: sentence`created`,
  retry: {
    no: sentence`What the service refused to create has to be corrected, and asked for anew.`,
    hint: sentence`See get_change for why it was refused. Without retryFailed, resume_change creates what was not sent.`,
  },
  lookAgain: 'new-records',
  facts: 'creation',
  channels: 'no',
  isNew: true,
  isLocal: false,
  beginsAlone: true,
} satisfies Partial<KindRow>;
const BY_IDS = { resume: 'ids', lookAgain: 'no', channels: 'no', isNew: false, isLocal: false } satisfies Partial<KindRow>;
const LOCAL = {
  resume: 'no',
  retry: { no: sentence`Nothing of it is sent to the service.`, hint: sentence`Call the same tool anew.` },
  lookAgain: 'no',
  facts: 'answers',
  isNew: false,
  isLocal: true,
  beginsAlone: false,
} satisfies Partial<KindRow>;

const EMAILS = {
  ...LOCAL,
  record: 'list of emails',
  channels: 'no',
  undo: { no: sentence`Nothing in the account changes; what is given out can’t be taken back.` },
  standing: { never: sentence`No standing approval covers personal data.` },
} satisfies Partial<KindRow>;

/** What does something to channels that exist says what, since by that it is seen that others wrote to them. */
type OfChannels =
  | { readonly record: 'channel'; readonly isNew: false; readonly channels: 'updates' | 'states' }
  | { readonly record: 'channel'; readonly isNew: true }
  | { readonly record: Exclude<KindRow['record'], 'channel'> };

type HasBulk = Required<Pick<KindRow, 'bulk'>>;
/** What changes many ids says what it does to each. */
type OfIds = (HasBulk & { readonly resume: 'ids' }) | { readonly resume: Exclude<KindRow['resume'], 'ids'> };

const ROWS = {
  update_channels: {
    ...UPDATE,
    done: sentence`changed`,
    action: (channels) => `Change ${channels}`,
    facts: 'answers',
    standing: 'records',
  },
  undo_change: {
    ...UPDATE,
    undo: 'either',
    done: sentence`set back`,
    doneOfMany: sentence`moved back`,
    action: () => 'Undo it',
    facts: 'undo',
    standing: 'undo',
    bulk: 'move',
  },
  create_channels: {
    ...CREATION,
    record: 'channel',
    action: (channels) => `Create ${channels}`,
    undo: {
      no: sentence`A channel can’t be deleted through this API, so this can’t be undone. It can be renamed, and what it holds replaced.`,
    },
    resume: 'creation',
    standing: { never: sentence`No standing approval covers a new channel.` },
  },
  create_project: {
    ...CREATION,
    record: 'project',
    action: () => 'Create the project',
    undo: { no: sentence`A project can’t be deleted through this API, so this can’t be undone.` },
    resume: 'no',
    standing: { never: sentence`No standing approval covers a new project.` },
  },
  move_videos: {
    ...BY_IDS,
    record: 'video',
    action: (videos) => `Move ${videos}`,
    undo: 'moves',
    retry: 'possible',
    facts: 'move',
    standing: 'move',
    beginsAlone: false,
    bulk: 'move',
  },
  copy_cta: {
    ...BY_IDS,
    record: 'video',
    action: (videos) => `Copy to ${videos}`,
    retry: {
      no: sentence`A copy is not known to be harmless when it is sent twice. What of this one is in doubt is never sent again by itself.`,
      hint: sentence`Look at the CTAs of those that failed or are in doubt in the dashboard, then name those without them in a new copy_cta; its notDoneFile, given as targetVideoIdsFile, stands for those that failed.`,
    },
    undo: { no: sentence`Copied CTAs can’t be taken away again through this API, so this can’t be undone.` },
    facts: 'copy',
    standing: 'copy',
    beginsAlone: true,
    bulk: 'copy',
  },
  state_contents: {
    ...LOCAL,
    record: 'channel',
    allDone: (total, label) =>
      sentence`What ${total === 1 ? sentence`${label} holds` : sentence`${total} channels hold`} was recorded, as stated. Nothing in the account was changed.`,
    action: () => 'Record it',
    undo: { no: sentence`Nothing in the account changes. A statement ends when somebody else changes the channel, or with another one.` },
    standing: { never: sentence`No standing approval covers a statement of what channels hold.` },
    channels: 'states',
  },
  export_emails: { ...EMAILS, action: () => 'Write the file' },
  show_emails: { ...EMAILS, action: () => 'Show them to the assistant', isForItsCall: true },
} satisfies Record<string, KindRow & OfChannels & OfIds>;

export type ChangeKind = keyof typeof ROWS;
/** Those whose row has this. */
export type KindWith<Column> = { [Kind in ChangeKind]: (typeof ROWS)[Kind] extends Column ? Kind : never }[ChangeKind];
/** Those that can change many ids. */
export type BulkKind = KindWith<HasBulk>;
export const KINDS: Readonly<Record<ChangeKind, KindRow> & Record<BulkKind, HasBulk>> = ROWS;
export const CHANGE_KINDS = Object.keys(KINDS) as readonly ChangeKind[]; // its keys
export type FactsName<Kind extends ChangeKind> = (typeof ROWS)[Kind]['facts'];

/** As what a standing approval covers some of a change. */
export type Coverable = Exclude<KindRow['standing'], object>;

/** How a change is undone. */
export type UndoWay = Exclude<KindRow['undo'], 'either' | object>;

/** Of a change that has a list of ids, or none. */
export function undoWayOf(kind: ChangeKind, hasIds: boolean): UndoWay | { readonly no: Sentence } {
  const { undo } = KINDS[kind];
  if (undo !== 'either') return undo;
  return hasIds ? 'moves' : 'channels';
}

export const kindsWith = (isWanted: (row: KindRow) => boolean): readonly ChangeKind[] =>
  CHANGE_KINDS.filter((kind) => isWanted(KINDS[kind]));

/** Those that do something to channels that exist. */
export const OF_CHANNELS = kindsWith(({ channels }) => channels !== 'no');
export const MOVES = kindsWith(({ bulk }) => bulk === 'move');
export const COPIES = kindsWith(({ bulk }) => bulk === 'copy');
export const BULK_KINDS = kindsWith(({ bulk }) => bulk !== undefined) as readonly BulkKind[]; // by what defines them
export const UNDOS = kindsWith(({ facts }) => facts === 'undo');
