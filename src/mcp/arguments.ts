import type * as z from 'zod';
import { type FieldProblem, invalidArguments } from '../errors.ts';
import { mistyped, nearest } from '../nearest.ts';
import { cleanText } from '../service/foreign-text.ts';
import { inputSchema, type Tool } from './define-tool.ts';
import { parsePlainly } from './plain-values.ts';

/** A call's arguments, checked. Throws `invalid_arguments` that names every wrong field, what was expected and the nearest right name. */
export function parseArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const schema = inputSchema(tool);
  const parsed = parsePlainly(schema, args ?? {}, tool.effect === 'read');
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) => problemsOf(issue, schema));
  throw invalidArguments(fields);
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodObject): FieldProblem[] {
  const at = pathOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        field: pathOf([...issue.path, key]),
        problem: `there is no such argument.${suggestion(key, knownKeys(schema, issue.path))}`,
      }));
    case 'invalid_value': {
      const values = issue.values.map(String);
      const near = typeof issue.input === 'string' ? mistyped(issue.input, values) : undefined;
      return [{ field: at, problem: `expected one of ${values.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}` }];
    }
    case 'invalid_type':
      return [
        { field: at, problem: issue.input === undefined ? `is missing; expected ${issue.expected}.` : `${lowerFirst(issue.message)}.` },
      ];
    default:
      return [{ field: at, problem: `${lowerFirst(issue.message).replace(/\.$/, '')}.` }];
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

function suggestion(written: string, known: readonly string[]): string {
  const [best] = nearest(written, known, 1);
  if (best !== undefined) return ` Did you mean ${best}?`;
  return known.length === 0 ? '' : ` There are: ${known.slice(0, 20).join(', ')}.`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${cleanText(String(step), 60)}`)).join('');
  return text.replace(/^\./, '') || 'arguments';
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
