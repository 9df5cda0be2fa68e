import * as z from 'zod';
import { stableJson } from '../../platform/stable-json.ts';
import { CHANNEL_SHAPE } from './channel-fields.ts';

/** ISO 8601. */
export const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)));

const { name, ...ofChannel } = CHANNEL_SHAPE;

/** What the journal keeps of a record: of a channel, a project or a list of emails. A field that is absent is not part of the change. */
const FieldsSchema = z.object({
  name,
  /** Of a project. */
  region: z.string().optional(),
  planType: z.number().optional(),
  ...ofChannel,
  options: z.record(z.string(), z.unknown()).optional(),
  videoOptions: z.record(z.string(), z.unknown()).optional(),
  /** Of a list of emails: which, in words, and how many. */
  filter: z.string().optional(),
  records: z.number().optional(),
});
export const Fields = FieldsSchema.readonly();
export type Fields = z.output<typeof Fields>;

/** In the order in which they are told. */
const NAMES = FieldsSchema.keyof().options;
/** The fields that two records have with different values, or only one of them has. */
export const differingIn = (one: Fields, other: Fields): readonly (keyof Fields)[] =>
  NAMES.filter((name) => stableJson(one[name]) !== stableJson(other[name]));
/** The fields that a change changes. */
export const changedIn = ({ before, after }: { readonly before: Fields; readonly after: Fields }): readonly (keyof Fields)[] =>
  differingIn(before, after).filter((name) => after[name] !== undefined);

/** What was read back of a record. */
export const Result = z
  .object({
    /** Of a channel: what differs from what was sent. */
    ...CHANNEL_SHAPE,
    /** Of a new record. */
    id: z.string().optional(),
    key: z.string().optional(),
    /** Of a list of emails: the file, and how many are in it, of how many people; and how many could not be judged. */
    path: z.string().optional(),
    /** In place of its path, the name of a file that people download on the page. */
    download: z.string().optional(),
    records: z.number().optional(),
    people: z.number().optional(),
    /** How many cells of it have an apostrophe that keeps a spreadsheet from reading a formula. */
    apostrophes: z.number().optional(),
    unreadable: z.number().optional(),
    undated: z.number().optional(),
    /** How many name no channel, where those of one were asked for. */
    withoutChannel: z.number().optional(),
  })
  .readonly();
export type Result = z.output<typeof Result>;
