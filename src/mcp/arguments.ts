import type * as z from 'zod';
import { type FieldProblem, invalidArguments } from '../errors.ts';
import { mistyped, nearest } from '../platform/nearest.ts';
import { cleanText } from '../service/sanitize-text.ts';
import { coerceArguments } from './coerce-arguments.ts';
import { inputSchema, type Tool } from './define-tool.ts';

/** A call's arguments, checked. Throws `invalid_arguments` that names every wrong field, what was expected and the nearest right name. */
export function parseArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const schema = inputSchema(tool);
  const parsed = coerceArguments(schema, args ?? {}, tool.effect === 'read');
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) => problemsOf(issue, schema));
  throw invalidArguments(fields);
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodObject): FieldProblem[] {
  const at = pathOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, knownKeys(schema, issue.path)).map(([key, problem]) => ({
        field: pathOf([...issue.path, key]),
        problem,
      }));
    case 'invalid_value': {
      const values = issue.values.map(String);
      return [{ field: at, problem: `expected one of ${values.join(', ')}.${meantValue(issue.input, values)}` }];
    }
    case 'invalid_type':
      return [
        { field: at, problem: issue.input === undefined ? `is missing; expected ${issue.expected}.` : `${lowerFirst(issue.message)}.` },
      ];
    default:
      return [{ field: at, problem: lowerFirst(issue.message).replace(/[^.?]$/, '$&.') }];
  }
}

/** The names that the object at a path may have, for an argument or an entry of a list. */
function knownKeys(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let node: unknown = schema;
  for (const step of path) {
    const inner = unwrap(node);
    node = typeof step === 'number' ? inner?.element : inner?.shape?.[String(step)];
  }
  return Object.keys(unwrap(node)?.shape ?? {});
}

interface Node {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
  readonly unwrap?: () => unknown;
}

function unwrap(node: unknown): Node | undefined {
  // zod's own classes: objects have a shape, lists an element, optional ones something inside.
  let current = node as Node | undefined;
  while (current !== undefined && current.shape === undefined && current.element === undefined && typeof current.unwrap === 'function')
    current = current.unwrap() as Node;
  return current;
}

/** Each with what was perhaps meant; where that isn't plain, all that there are, once. */
function unknownKeys(written: readonly string[], known: readonly string[]): (readonly [string, string])[] {
  const near = written.map((key) => nearest(key, known, MAX_NEAR));
  const last = near.findLastIndex(({ length }) => length === 0);
  return written.map((key, at) => {
    const meant = near[at] ?? [];
    const hint = meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : at === last && known.length > 0 ? allOf(known) : '';
    return [key, `there is no such argument.${hint}`];
  });
}

/** Several verbs of a list are near to its bare name: to name one of them would be advice. */
const MAX_NEAR = 4;
const allOf = (known: readonly string[]): string => ` There are: ${known.slice(0, 20).join(', ')}.`;

/** The value that was mistyped, or several that came as one text. */
function meantValue(input: unknown, values: readonly string[]): string {
  if (typeof input !== 'string') return '';
  const parts = input.split(',').map((part) => part.trim());
  if (parts.length > 1 && parts.every((part) => values.includes(part))) return ` Several are a list: ${JSON.stringify(parts)}.`;
  const near = mistyped(input, values);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${cleanText(String(step), 60)}`)).join('');
  return text.replace(/^\./, '') || 'arguments';
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
