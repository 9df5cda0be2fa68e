import * as z from 'zod';
import type { Values } from '../../platform/is-object.ts';
import type { Sentence } from '../../text/sentence.ts';

// The schema that a tool declares of its answer says what is printed as it is: a field that is no sentence there, whatever it
// is called, is quoted and bounded.

/** How a sentence is shown. */
interface Shown {
  /** What stands before it in the text of an answer. */
  readonly mark: string;
  readonly maxLength: number;
}

/** A sentence may list many names. */
const MAX_SENTENCE = 8_000;

/** The lines of a field that its schema makes itself, from its value and its neighbours; undefined where it leaves that to others. */
type ToLines = (value: unknown, neighbours: Values) => readonly string[] | undefined;

/** What a schema declares beside its type. */
interface Marks {
  readonly sentence?: Shown;
  readonly isListed?: true;
  readonly isUnlisted?: true;
  readonly isTextOnly?: true;
  readonly toLines?: ToLines;
}

const marksOf = new WeakMap<object, Marks>();

function marked<S extends object>(schema: S, marks: Marks): S {
  marksOf.set(schema, { ...marksOf.get(schema), ...marks });
  return schema;
}

/** A sentence of this program, in an answer. A plain string does not compile there. */
export function sentenceOut({ mark = '', maxLength = MAX_SENTENCE }: Partial<Shown> = {}): z.ZodType<Sentence, Sentence> {
  const schema = marked(z.string(), { sentence: { mark, maxLength } });
  // To a client it is a string; the brand is for the code that answers.
  return schema as unknown as z.ZodType<Sentence, Sentence>;
}

/** A field of an answer that `tools/list` leaves out, as it does sentences: what is listed takes room in every user's context. */
export const unlisted = <S extends z.ZodType>(schema: S): z.ZodOptional<S> => marked(schema.optional(), { isUnlisted: true });

/** A field of the text of an answer alone: its structured content has the same as data. */
export const textOnly = <S extends z.ZodType>(schema: S): z.ZodOptional<S> =>
  marked(schema.optional(), { ...marksOf.get(schema), isUnlisted: true, isTextOnly: true });

/** The structured content of an answer: without what is of its text alone. */
export const structuredPart = <Answer extends Values>(schema: Schema, answer: Answer): Answer =>
  // Only optional fields are left out.
  Object.fromEntries(Object.entries(answer).filter(([field]) => !isTextOnly(schemaIn(schema, field)))) as Answer;

const isTextOnly = (schema: Schema): boolean => schema !== undefined && marksOf.get(schema)?.isTextOnly === true;

/** The same schema, whose values `toLines` shows. */
export const renderedBy = <S extends z.ZodType>(schema: S, toLines: ToLines): S => marked(schema, { toLines });

export function rendererOf(schema: Schema): ToLines | undefined {
  const inner = innerOf(schema);
  return inner && marksOf.get(inner.schema)?.toLines;
}

/** A field of a record in an answer that `tools/list` names; it names no others. */
export const listed = <S extends z.ZodType>(schema: S): S => marked(schema, { isListed: true });

export const isListed = (schema: object): boolean => marksOf.get(schema)?.isListed === true;

export const isUnlisted = (schema: object): boolean => marksOf.get(schema)?.isUnlisted === true;

type Schema = z.core.$ZodType | undefined;

/** Of a sentence, how it is shown; undefined for any other value. */
export const sentenceOf = (schema: Schema): Shown | undefined => {
  const inner = innerOf(schema);
  return inner && marksOf.get(inner.schema)?.sentence;
};

/** Whether a field is a sentence or a list of them. */
export const isOfSentences = (schema: Schema): boolean => sentenceOf(schema) !== undefined || sentenceOf(entrySchema(schema)) !== undefined;

/** The schema of a field, or of the entries of a list; undefined for what the schema does not declare. */
export function schemaIn(schema: Schema, field: string): Schema {
  const shape = innerOf(schema)?.shape;
  return shape !== undefined && Object.hasOwn(shape, field) ? shape[field] : undefined;
}

export const entrySchema = (schema: Schema): Schema => innerOf(schema)?.element;

/** A schema without what makes it optional, and what it declares of its fields or entries. */
interface Inner {
  readonly schema: z.core.$ZodType;
  readonly shape: Readonly<Record<string, z.core.$ZodType>> | undefined;
  readonly element: Schema;
}

/** Kept, since it is asked for with each value of each answer. */
const inners = new WeakMap<object, Inner>();

function innerOf(schema: Schema): Inner | undefined {
  if (schema === undefined) return undefined;
  const known = inners.get(schema);
  if (known !== undefined) return known;
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? innerOf(schema.unwrap()) : declared(schema);
  if (inner !== undefined) inners.set(schema, inner);
  return inner;
}

const declared = (schema: z.core.$ZodType): Inner => ({
  schema,
  shape: schema instanceof z.ZodObject ? schema.shape : undefined,
  element: schema instanceof z.ZodArray ? schema.element : undefined,
});

/** What is answered by a schema. */
export type AnswerTo<S extends z.ZodType> = ReadonlyDeep<z.input<S>>;
type ReadonlyDeep<T> = T extends readonly (infer E)[]
  ? readonly ReadonlyDeep<E>[]
  : T extends Sentence | string | number | boolean
    ? T
    : T extends object
      ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
      : T;
