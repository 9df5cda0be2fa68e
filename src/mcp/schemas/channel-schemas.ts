import * as z from 'zod';
import { byList, type ListName } from '../../account/contents.ts';
import { CHANNEL_STATUS, nameOf, PLAN_TYPES } from '../../account/plan-types.ts';
import type { ListArguments } from '../../changes/kinds/channels/channel-change.ts';
import {
  CHANNEL_FIELDS,
  type ChannelField,
  CREATABLE,
  type CreatableField,
  type EditArgument,
  FIELDS,
  type FieldArguments,
  type FieldRow,
  PLAIN_FIELDS,
  type PlainField,
  pickFields,
  rowOf,
  type SettingArgument,
  type StatingArgument,
} from '../../changes/plan/channel-fields.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { listed, sentenceOut } from '../answer/answer-schema.ts';
import { emptyIsAValue } from '../call/coerce-arguments.ts';
import { briefText, dayOf, fileArgument, filled, keysArgument, named, number, text, textOf } from './shapes.ts';

// What the tools take and tell of a channel follows from the table of its fields: a new row is an argument of each tool that can set
// it and, where the service shows it, a field of the answers.

type Given = FieldArguments & ListArguments<SettingArgument | StatingArgument | EditArgument>;

/** What a model reads of an argument whose name does not tell it. */
const SAYS = new Map<string, string>(
  Object.entries({
    template: 'Template key or exact name; "" for the default',
    privateLinkEnabled: 'Turns private-link access on or off; its state can’t be read or undone',
    addVideoKeys: 'To the end; those already there stay where they are',
    firstVideoKeys: 'Moved to the front, in the order given; not added',
    lastVideoKeys: 'Likewise to the end',
    setProjectKeys: 'All its projects: ids, keys or exact names',
    currentVideoKeys:
      'What it holds now, whole and in order, as the user says; needed where contentsKnown is false, even for a rename, but not for setVideoKeys',
    currentProjectKeys: '[] if none; if left out, projects may be lost, and undo is partial',
  } satisfies { readonly [Argument in keyof Given]?: string }),
);

function said<S extends z.ZodType>(argument: string, schema: S): S {
  const words = SAYS.get(argument);
  return words === undefined ? schema : schema.describe(words);
}

function textSchema({ isReference, maxLength, isLimitTold }: FieldRow) {
  if (isReference === true) return textOf(0, 200);
  // The limit is for the model to read: what counts as a character is for the planner, as the API document doesn’t say.
  return isLimitTold === true ? z.string().meta({ maxLength }) : z.string();
}

/** The argument of a text or a flag. */
function valueArgument(row: FieldRow): z.ZodType {
  if (row.kind === 'flag') return said(row.argument, z.boolean().optional());
  const schema = said(row.argument, textSchema(row).optional());
  return row.canBeEmpty === true ? emptyIsAValue(schema) : schema;
}

type Argument = readonly [name: string, schema: z.ZodType];

/** The arguments of a list, itself or in a file. */
const listArguments = (argument: string, { hasTitles }: FieldRow): readonly Argument[] => [
  [argument, said(argument, keysArgument)],
  ...(hasTitles === true ? [[`${argument}File`, fileArgument] as const] : []),
];

function settingArguments(row: FieldRow): readonly Argument[] {
  if (row.kind !== 'list') return [[row.argument, valueArgument(row)]];
  const edits = Object.values(row.edits ?? {}).map((argument) => [argument, said(argument, keysArgument)] as const);
  return [...listArguments(row.argument, row), ...edits];
}

const statingArguments = (row: FieldRow): readonly Argument[] => (row.statedBy === undefined ? [] : listArguments(row.statedBy, row));

type Shape<Values> = { readonly [Name in keyof Values]-?: z.ZodType<Values[Name]> };

const ROWS = FIELDS.map(rowOf);
const isContents = (field: ChannelField): field is ListName => rowOf(field).kind === 'list';

/** The arguments that change a channel, and those by which a person states what it holds. */
export const channelArguments = Object.fromEntries([...ROWS.flatMap(settingArguments), ...ROWS.flatMap(statingArguments)]) as Shape<Given>; // by the rows

type NewValue = Exclude<CreatableField, ListName | 'name'>;

/** The arguments of a new channel. */
export const newChannelArguments = {
  name: textSchema(CHANNEL_FIELDS.name),
  ...(Object.fromEntries(CREATABLE.filter(isContents).flatMap((list) => listArguments(list, rowOf(list)))) as Shape<
    ListArguments<CreatableField & ListName> // by the rows
  >),
  ...(Object.fromEntries(
    CREATABLE.filter((field) => field !== 'name' && !isContents(field)).flatMap((field) => settingArguments(rowOf(field))),
  ) as Shape<FieldArguments<NewValue>>), // by the rows
};

/** The lists of `state_contents`. */
export const contentsArguments = byList(() => keysArgument);

const SHOWN = { text: () => z.string().optional(), flag: () => z.boolean().optional() };
type Shown<Field extends PlainField> = ReturnType<(typeof SHOWN)[(typeof CHANNEL_FIELDS)[Field]['kind']]>;
const { name, description, ...shown } = Object.fromEntries(PLAIN_FIELDS.map((field) => [field, SHOWN[CHANNEL_FIELDS[field].kind]()])) as {
  readonly [Field in PlainField]: Shown<Field>; // by the rows
};

/** A channel in answers. */
export const ChannelOut = z.looseObject({
  id: listed(z.string()),
  key: text,
  name: listed(name),
  description,
  version: number,
  planType: named,
  ...shown,
  templateName: text,
  templateNote: sentenceOut().optional(),
  contentsKnown: z.boolean().optional(),
  status: named,
  created: text,
  updated: text,
});

export function channelOut(channel: Channel) {
  const { id, key, version, planType, status, created, updated } = channel;
  const { name, description, ...more } = pickFields(channel, PLAIN_FIELDS);
  const names = { planType: nameOf(PLAN_TYPES, planType), status: nameOf(CHANNEL_STATUS, status) };
  return filled({ id, key, name, description, version, ...names, ...more, created, updated });
}

const MAX_WHOLE = 25;

/** A channel in a list of `rows`, in the order of `sort`: few are shown with whole descriptions and times, and else in brief. */
export function listedChannelOut(channel: Channel, rows: number, sort = '') {
  const { id, key, planType, created, updated } = channel;
  const { name, description, ...more } = pickFields(channel, PLAIN_FIELDS);
  const named = { planType: nameOf(PLAN_TYPES, planType), ...more };
  if (rows <= MAX_WHOLE) return filled({ id, key, name, ...named, created, updated, description });
  const days = { created: /created/i.test(sort) ? dayOf(created) : undefined, updated: dayOf(updated) };
  return filled({ id, key, name, ...named, ...days, description: briefText(description) });
}
