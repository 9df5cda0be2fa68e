import type * as z from 'zod';

/** Rounds of parsing: a list that came as text may hold entries that came as text. */
const MAX_ROUNDS = 3;
/** Longer texts are no numbers, and lists that came as text are bounded by the message itself. */
const MAX_DIGITS = 15;

/**
 * A call's arguments as its schema has them. Many clients send a list or an object as its JSON text, a number or a
 * switch in quotes or a text without, `null` for what is left out, or one value where a list is wanted; each is taken as
 * what it can only mean. `bareItems`: whether a bare text may stand for a list of one, which is for questions alone.
 */
export function coerceArguments<S extends z.ZodType>(schema: S, given: unknown, bareItems: boolean): z.ZodSafeParseResult<z.output<S>> {
  let args = given;
  for (let round = 1; ; round += 1) {
    const parsed = schema.safeParse(args, { reportInput: true });
    if (parsed.success || round === MAX_ROUNDS) return parsed;
    const meant = parsed.error.issues.map((issue) => ({ path: issue.path, value: meantBy(issue, issue.input, bareItems) }));
    const plain = meant.filter(({ path, value }) => value !== undefined && path.length > 0);
    if (plain.length === 0) return parsed;
    // What was given is left as it is.
    args = structuredClone(args);
    for (const { path, value } of plain) put(args, path, value);
  }
}

/** Stands for an argument that is to be left out. */
const LEFT_OUT = Symbol('left out');

/** What a wrong value can only mean; undefined where that isn't plain. */
function meantBy(issue: z.core.$ZodIssue, input: unknown, bareItems: boolean): unknown {
  if (input === null) return LEFT_OUT;
  if (issue.code === 'invalid_union') return firstOf(issue.errors.flat(), (inner) => meantBy(inner, input, bareItems));
  if (issue.code === 'invalid_value') return oneOf(issue.values, input);
  if (issue.code !== 'invalid_type') return undefined;
  switch (issue.expected) {
    case 'array':
      return list(input, bareItems);
    case 'object':
      return isObject(json(input)) ? json(input) : undefined;
    case 'number':
    case 'int':
      return typeof input === 'string' && input.length <= MAX_DIGITS && /^-?\d+(\.\d+)?$/.test(input) ? Number(input) : undefined;
    case 'string':
      return Number.isSafeInteger(input) ? String(input) : undefined;
    case 'boolean':
      return input === 'true' ? true : input === 'false' ? false : undefined;
    default:
      return undefined;
  }
}

function list(input: unknown, bareItems: boolean): readonly unknown[] | undefined {
  if (isObject(input)) return [input];
  const value = json(input);
  if (Array.isArray(value)) return value;
  if (isObject(value)) return [value];
  return bareItems && typeof input === 'string' && input !== '' ? [input] : undefined;
}

/** The one of some values that a text is in another case, or in quotes. */
function oneOf(values: readonly unknown[], input: unknown): unknown {
  if (typeof input !== 'string') return undefined;
  return values.find((value) => String(value).toLowerCase() === input.toLowerCase());
}

/** What a text is the JSON of, where that is a list or an object. */
function json(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function firstOf<T>(candidates: readonly T[], act: (candidate: T) => unknown): unknown {
  for (const candidate of candidates) {
    const found = act(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Puts a value into its place in a tree. An entry of a list is never left out: the others would change places. */
function put(tree: unknown, path: readonly PropertyKey[], value: unknown): void {
  const last = path.at(-1);
  const parent = path.slice(0, -1).reduce((node, step) => (node as Tree)[step], tree);
  if (last === undefined || !isTree(parent)) return;
  if (value !== LEFT_OUT) parent[last] = value;
  else if (!Array.isArray(parent)) delete parent[last];
}

/** As the paths of a schema's issues lead through it. */
type Tree = Record<PropertyKey, unknown>;
const isTree = (node: unknown): node is Tree => typeof node === 'object' && node !== null;
