import * as z from 'zod';
import { isObject } from '../../platform/is-object.ts';
import { requestJson } from '../../platform/request-json.ts';

/** Rounds of parsing: a list that came as text may hold entries that came as text. */
const MAX_ROUNDS = 3;
/** Of one round. A list with more of them is another one than is asked for. */
const MAX_CORRECTED = 10_000;
const MAX_WRONG = 1_000;
/** A longer text is no number. */
const MAX_DIGITS = 15;

/** Optional arguments in which an empty text is a value. */
const EMPTY_IS_A_VALUE = new WeakSet<z.ZodType>();

/** Marks an optional argument, as it stands in its object, in which an empty text is a value: it clears what is there. */
export function emptyIsAValue<S extends z.ZodType>(schema: S): S {
  EMPTY_IS_A_VALUE.add(schema);
  return schema;
}

/** Lists that never have as many entries as are told to be wrong. */
const SHORT_LISTS = new WeakSet<z.ZodType>();

/** Marks a list of which no more than the first thousand entries are looked at, since it is too long then anyway. */
export function shortList<S extends z.ZodType>(schema: S): S {
  SHORT_LISTS.add(schema);
  return schema;
}

/**
 * Parses a call's arguments. Many clients send a list or an object as JSON text, a number or a boolean in quotes or a text
 * without, `null` or an empty text for an absent argument, or one value instead of a list; each is converted if only one
 * value can be meant. `bareItems` allows a text instead of a list of one, which is safe for questions alone.
 */
export function coerceArguments<S extends z.ZodType>(schema: S, given: unknown, bareItems: boolean): z.ZodSafeParseResult<z.output<S>> {
  let args = given;
  for (let round = 1; ; round += 1) {
    args = tidied(schema, args);
    const parsed = schema.safeParse(args, { reportInput: true });
    if (parsed.success || round === MAX_ROUNDS || parsed.error.issues.length > MAX_CORRECTED) return parsed;
    const corrections = parsed.error.issues.flatMap((issue) => {
      const value = issue.path.length === 0 ? undefined : convert(issue, issue.input, bareItems);
      return value === undefined ? [] : [{ path: issue.path, value }];
    });
    if (corrections.length === 0) return parsed;
    const own = new Set<unknown>();
    for (const { path, value } of corrections) args = withValue(args, path, value, own);
  }
}

/** Without the optional arguments that are empty texts, in entries of lists too; the numbers in lists of texts, which may be long, as texts. */
function tidied(schema: unknown, given: unknown): unknown {
  if (schema instanceof z.ZodOptional) return tidied(schema.unwrap(), given);
  if (schema instanceof z.ZodArray && Array.isArray(given)) {
    if (schema.element instanceof z.ZodObject) return given.map((entry) => tidied(schema.element, entry));
    // To tell what is wrong of each of very many takes time: of a few words there are no more, and what is no text need not be told of all.
    if (schema.element instanceof z.ZodEnum) return given.length > MAX_WRONG ? [...new Set<unknown>(given)].slice(0, MAX_WRONG) : given;
    if (SHORT_LISTS.has(schema)) return given.slice(0, MAX_WRONG);
    if (!(schema.element instanceof z.ZodString)) return given;
    const texts: unknown[] = [];
    let wrong = 0;
    for (const entry of given as readonly unknown[]) {
      if (texts.push(Number.isSafeInteger(entry) ? String(entry) : entry) && typeof texts.at(-1) !== 'string') wrong += 1;
      if (wrong > MAX_WRONG) break;
    }
    return texts;
  }
  if (!(schema instanceof z.ZodObject) || !isObject(given)) return given;
  const kept = Object.entries(given).flatMap(([name, value]) => {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return isEmptyText(value) && isOptional(field) ? [] : [[name, tidied(field, value)] as const];
  });
  return Object.fromEntries(kept);
}

const isEmptyText = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
const isOptional = (field: unknown): boolean => field instanceof z.ZodOptional && !EMPTY_IS_A_VALUE.has(field);

/** The value of an argument that is to be removed. */
const ABSENT = Symbol('absent');

/** The only value that a wrong input can mean; undefined if there is none. */
function convert(issue: z.core.$ZodIssue, input: unknown, bareItems: boolean): unknown {
  if (input === null) return ABSENT;
  if (issue.code === 'invalid_union') {
    const values = issue.errors.flat().map((inner) => convert(inner, input, bareItems));
    return values.find((value) => value !== undefined);
  }
  const text = typeof input === 'string' ? input : undefined;
  if (issue.code === 'invalid_value') return issue.values.find((value) => String(value).toLowerCase() === text?.toLowerCase());
  if (issue.code !== 'invalid_type') return undefined;
  switch (issue.expected) {
    case 'array':
      return toArray(input, bareItems);
    case 'object':
      return [parseJson(input)].find(isObject);
    case 'number':
    case 'int':
      return text !== undefined && text.length <= MAX_DIGITS && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case 'string':
      return Number.isSafeInteger(input) ? String(input) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return undefined;
  }
}

function toArray(input: unknown, bareItems: boolean): readonly unknown[] | undefined {
  const value = isObject(input) ? input : parseJson(input);
  if (Array.isArray(value)) return value;
  if (isObject(value)) return [value];
  return bareItems && typeof input === 'string' && input !== '' ? [input] : undefined;
}

/** The list or object in a JSON text, which may hold no more than a request. */
function parseJson(text: unknown): unknown {
  return typeof text === 'string' && /^\s*[[{]/.test(text) ? requestJson(text) : undefined;
}

/** A tree with another value at a path; only what leads there is copied, unless it is a copy already, of `own`. An entry of a list is not removed: the others would move. */
function withValue(tree: unknown, [step, ...rest]: readonly PropertyKey[], value: unknown, own: Set<unknown>): unknown {
  if (step === undefined) return value;
  // The path is that of an issue, which zod found in the tree.
  const copy = (own.has(tree) ? tree : Array.isArray(tree) ? [...tree] : { ...(tree as Tree) }) as Tree;
  own.add(copy);
  if (value !== ABSENT || rest.length > 0) copy[step] = withValue(copy[step], rest, value, own);
  else if (!Array.isArray(copy)) delete copy[step];
  return copy;
}

type Tree = Record<PropertyKey, unknown>;
