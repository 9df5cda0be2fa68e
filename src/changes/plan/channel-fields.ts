import * as z from 'zod';
import { CONTENTS, type ListName } from '../../account/contents.ts';
import { type Defined, definedFields } from '../../platform/defined-fields.ts';
import {
  type ChannelUpdate,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  type NewChannel,
} from '../../service/resources/channels.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { isSameList } from './list-difference.ts';

/** What can be done to a part of a list. */
const EDIT_VERBS = ['remove', 'add', 'first', 'last'] as const;
export type EditVerb = (typeof EDIT_VERBS)[number];

export interface FieldRow {
  readonly kind: 'text' | 'list' | 'flag';
  /**
   * `plain`: the service shows it, and an update that leaves it out keeps it. `contents`: what the channel holds; no documented
   * response shows it, and an update that leaves it out may clear it. `hidden`: never shown, so it can’t be checked or set back.
   */
  readonly role: 'plain' | 'contents' | 'hidden';
  /** The field in words; of a list one of its entries. */
  readonly word: Sentence;
  /** Where it isn’t the word with an s. */
  readonly plural?: Sentence;
  /** Above its value. */
  readonly heading: string;
  /** Of a hidden field: what can’t be read. */
  readonly state?: Sentence;
  /** The argument that sets it. */
  readonly argument: string;
  /** Of contents: the argument by which a person states what the channel holds. */
  readonly statedBy?: string;
  /** Of contents: the arguments that change a part of the list, by what they do. */
  readonly edits?: { readonly [Verb in EditVerb]: string };
  /** The kind of rule by which a standing approval can cover a change of it, or what is never covered, in words. */
  readonly standing: 'text' | 'videos' | Sentence;
  /** The part of a change that it is undone with. */
  readonly undoPart?: string;
  /** Of a text: its limit in characters, and whether its argument tells it. */
  readonly maxLength?: number;
  readonly isLimitTold?: true;
  /** Of a text: an empty one clears it. */
  readonly canBeEmpty?: true;
  /** Of a text: it may have several lines. */
  readonly hasLines?: true;
  /** Its argument gives a key or a name, for which the key is sent. */
  readonly isReference?: true;
  /** Its entries are videos, which may have titles, and which files may list. */
  readonly hasTitles?: true;
  /** A new channel can be created with it. */
  readonly isCreatable?: true;
}

/** Its entries are counted by its word, and an s. */
type ListRow = { readonly kind: 'list'; readonly role: 'contents'; readonly statedBy: string; readonly plural?: never };

/** One row for each field of a channel that can be set, in the order in which changes are shown. */
export const CHANNEL_FIELDS = {
  name: {
    kind: 'text',
    role: 'plain',
    word: sentence`name`,
    heading: 'Name',
    argument: 'name',
    standing: 'text',
    undoPart: 'name',
    maxLength: MAX_CHANNEL_NAME_LENGTH,
    isLimitTold: true,
    isCreatable: true,
  },
  description: {
    kind: 'text',
    role: 'plain',
    word: sentence`description`,
    heading: 'Description',
    argument: 'description',
    standing: 'text',
    undoPart: 'description',
    maxLength: MAX_CHANNEL_DESCRIPTION_LENGTH,
    canBeEmpty: true,
    hasLines: true,
    isCreatable: true,
  },
  templateKey: {
    kind: 'text',
    role: 'plain',
    word: sentence`template`,
    heading: 'Template',
    argument: 'template',
    standing: sentence`a template`,
    undoPart: 'template',
    canBeEmpty: true,
    isReference: true,
    isCreatable: true,
  },
  privateLinkEnabled: {
    kind: 'flag',
    role: 'hidden',
    word: sentence`private link`,
    heading: 'Private link',
    state: sentence`private-link access`,
    argument: 'privateLinkEnabled',
    standing: sentence`a private link`,
  },
  videoKeys: {
    kind: 'list',
    role: 'contents',
    word: sentence`video`,
    heading: 'Videos',
    argument: 'setVideoKeys',
    statedBy: 'currentVideoKeys',
    edits: { add: 'addVideoKeys', remove: 'removeVideoKeys', first: 'firstVideoKeys', last: 'lastVideoKeys' },
    standing: 'videos',
    undoPart: 'contents',
    hasTitles: true,
    isCreatable: true,
  },
  projectKeys: {
    kind: 'list',
    role: 'contents',
    word: sentence`project`,
    heading: 'Projects',
    argument: 'setProjectKeys',
    statedBy: 'currentProjectKeys',
    standing: sentence`the projects of a channel`,
    undoPart: 'contents',
  },
} as const satisfies {
  readonly [Field in keyof ChannelUpdate]-?: FieldRow &
    (Field extends ListName
      ? ListRow
      : { readonly kind: Exclude<FieldRow['kind'], 'list'>; readonly role: Exclude<FieldRow['role'], 'contents'> }) &
    (Field extends keyof NewChannel ? { readonly isCreatable: true } : { readonly isCreatable?: never });
};

type Table = typeof CHANNEL_FIELDS;
export type ChannelField = keyof Table;
type FieldsWith<Row> = { [Field in ChannelField]: Table[Field] extends Row ? Field : never }[ChannelField];

// The table has these keys.
export const FIELDS = Object.keys(CHANNEL_FIELDS) as ChannelField[];

/** The fields whose rows have these values. */
function fieldsWith<const Row extends Partial<FieldRow>>(wanted: Row): readonly FieldsWith<Row>[] {
  const has = (row: FieldRow): boolean => Object.entries(wanted).every(([column, value]) => row[column as keyof FieldRow] === value);
  return FIELDS.filter((field): field is FieldsWith<Row> => has(CHANNEL_FIELDS[field]));
}

export const TEXTS = fieldsWith({ kind: 'text' });
export const FLAG_FIELDS = fieldsWith({ kind: 'flag' });
/** The fields that the service shows, and that an update may leave out. */
export const PLAIN_FIELDS = fieldsWith({ role: 'plain' });
export const HIDDEN_FIELDS = fieldsWith({ role: 'hidden' });
/** Those that a rule of a standing approval can name. */
export const RULED_TEXTS = fieldsWith({ standing: 'text' });
export const CREATABLE = fieldsWith({ isCreatable: true });

export const rowOf = (field: ChannelField): FieldRow => CHANNEL_FIELDS[field];
/** Undefined of a field that only other records have. */
export const rowNamed = (name: string): FieldRow | undefined => FIELDS.flatMap((field) => (field === name ? rowOf(field) : []))[0];

export type CreatableField = (typeof CREATABLE)[number];
export type PlainField = (typeof PLAIN_FIELDS)[number];
export type TextField = (typeof TEXTS)[number];
/** The arguments by which the whole lists are set, and those by which a person states them. */
export type SettingArgument = Table[ListName]['argument'];
export type StatingArgument = Table[ListName]['statedBy'];
/** A list that a file may give. */
export type FileList = FieldsWith<{ readonly hasTitles: true }>;
export type FileArgument = Table[FileList]['argument' | 'statedBy'] | FileList;
export type EditArgument = Extract<Table[ListName], { readonly edits: object }>['edits'][EditVerb];

/** The arguments that change a part of a list, in the order in which they are carried out. */
export function editsOf(list: ListName): readonly { readonly verb: EditVerb; readonly argument: EditArgument }[] {
  const row = CHANNEL_FIELDS[list];
  return 'edits' in row ? EDIT_VERBS.map((verb) => ({ verb, argument: row.edits[verb] })) : [];
}

/** What an entry of a list is. */
export type ListWord = Table[ListName]['word'];
export const LIST_WORDS: readonly ListWord[] = CONTENTS.map((list) => CHANNEL_FIELDS[list].word);

const VALUES = {
  text: z.string(),
  // Without a copy of each list, whose keys may be many thousands.
  list: z.custom<readonly string[]>((value) => Array.isArray(value) && value.every((key) => typeof key === 'string')),
  flag: z.boolean(),
};
type ValueSchema<Field extends ChannelField> = (typeof VALUES)[Table[Field]['kind']];
type ValueOf<Field extends ChannelField> = z.output<ValueSchema<Field>>;

/** The schema of each field, for what is kept of it. */
export const CHANNEL_SHAPE = Object.fromEntries(FIELDS.map((field) => [field, VALUES[rowOf(field).kind].optional()])) as {
  [Field in ChannelField]: z.ZodOptional<ValueSchema<Field>>; // by its row
};

/** Fields of a channel: as the service shows them, or as they are sent. */
export type ChannelValues = { readonly [Field in ChannelField]?: ValueOf<Field> | undefined };

/** What a caller asks for, by argument; contents have arguments of their own. */
export type FieldArguments<Asked extends ChannelField = ChannelField> = {
  readonly [Field in Exclude<Asked, ListName> as Table[Field]['argument']]?: ValueOf<Field> | undefined;
};

/** Those of the fields that have a value. */
export function pickFields<Field extends ChannelField>(values: Pick<ChannelValues, Field>, fields: readonly Field[]) {
  const picked: { -readonly [One in Field]?: ChannelValues[One] } = {};
  for (const field of fields) if (values[field] !== undefined) picked[field] = values[field];
  // Only fields whose type allows undefined are left out.
  return picked as Defined<Pick<ChannelValues, Field>>;
}

/** What arguments set, by field. */
export function valuesIn(asked: FieldArguments): ChannelValues {
  const given = new Map<string, unknown>(Object.entries(asked));
  const fields = FIELDS.filter((field) => rowOf(field).role !== 'contents');
  // The types of the arguments follow from the fields.
  return definedFields(Object.fromEntries(fields.map((field) => [field, given.get(rowOf(field).argument)]))) as ChannelValues;
}

type Value = ValueOf<ChannelField> | undefined;

export const isKeys = (value: Value): value is readonly string[] => Array.isArray(value);

export const isSameValue = (one: Value, other: Value): boolean => (isKeys(one) && isKeys(other) ? isSameList(one, other) : one === other);

export type UndoPart = Extract<Table[ChannelField], { readonly undoPart: string }>['undoPart'];

function undoPartOf(field: ChannelField): UndoPart | undefined {
  const row = CHANNEL_FIELDS[field];
  return 'undoPart' in row ? row.undoPart : undefined;
}

/** The parts of a change of channels that can be undone alone. */
export const UNDO_PARTS: readonly UndoPart[] = [...new Set(FIELDS.flatMap((field) => undoPartOf(field) ?? []))];

export const fieldsUndoneWith = (parts: readonly UndoPart[]): readonly ChannelField[] =>
  FIELDS.filter((field) => parts.some((part) => part === undoPartOf(field)));

export const pluralOf = ({ word, plural = sentence`${word}s` }: Pick<FieldRow, 'word' | 'plural'>): Sentence => plural;

/** `videos and projects` */
export const wordsFor = (fields: readonly ChannelField[]): Sentence =>
  joined(
    fields.map((field) => pluralOf(rowOf(field))),
    ' and ',
  );
