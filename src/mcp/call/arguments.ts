import * as z from 'zod';
import { invalidArguments, withName } from '../../errors/field-problems.ts';
import type { FieldProblem } from '../../errors.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { mistyped, nearest } from '../../text/nearest.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { zodProblem } from '../../text/zod-problem.ts';
import { inputSchema, type Tool } from '../define-tool.ts';
import { notThere } from '../listing/not-there.ts';
import { coerceArguments } from './coerce-arguments.ts';

/** Checks a call's arguments. Throws `invalid_arguments` with every wrong field, what was expected, and similar names. */
export function parseArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const schema = inputSchema(tool);
  const parsed = coerceArguments(schema, args ?? {}, tool.effect === 'read');
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const problems = issues.slice(0, MAX_TOLD).flatMap((issue) => withName(nameAt(args, issue.path), problemsOf(issue, schema)));
  throw invalidArguments([...problems, ...moreOf(issues, sentence`arguments`, sentence`has more problems like these.`)]);
}

/** The channel that an entry of a list of changes names, or is to be called; else empty. */
function nameAt(args: unknown, [list, index]: readonly PropertyKey[]): string {
  if (typeof list !== 'string' || typeof index !== 'number') return '';
  const entries = fieldsIn(args)[list];
  const { channel, name } = fieldsIn(Array.isArray(entries) ? entries[index] : undefined);
  const found = channel ?? name;
  return typeof found === 'string' ? cleanText(found, MAX_NAME) : '';
}

const MAX_NAME = 120;
/** Of a text in which words that there are may be meant. */
const MAX_WORDS = 1_000;
/** Of one call: hundreds of thousands could be sent, and each takes time. */
const MAX_TOLD = 100;

/** What stands for those of a list that are not told one by one. */
const moreOf = (all: readonly unknown[], field: Sentence, problem: Sentence): FieldProblem[] =>
  all.length > MAX_TOLD ? [{ field, problem, count: all.length - MAX_TOLD }] : [];

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodObject): FieldProblem[] {
  const field = argumentPath(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const told = issue.keys.slice(0, MAX_TOLD);
      const problems = unknownNames(told, fieldsAt(schema, issue.path));
      const unknown = told.map((key, index) => ({
        field: argumentPath([...issue.path, key]),
        problem: problems[index] ?? sentence`there is no such argument.`,
      }));
      return [...unknown, ...moreOf(issue.keys, field, sentence`has more names that are no arguments.`)];
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      return [
        {
          field,
          problem: sentence`expected one of ${wordList(values)}.${suggestion(issue.input, values)}`,
        },
      ];
    }
    case 'invalid_type':
      return [
        {
          field,
          problem: issue.input === undefined ? sentence`is missing; expected ${word(issue.expected)}.` : sentence`${zodProblem(issue)}.`,
        },
      ];
    case 'custom':
    case 'invalid_union':
      // A schema of ours says it, in a whole sentence.
      return [{ field, problem: zodProblem(issue) }];
    default:
      return [{ field, problem: sentence`${zodProblem(issue)}.` }];
  }
}

/** The field names of the object at a path of a schema. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const [step, ...rest] = path;
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return step === undefined ? Object.keys(schema.shape) : fieldsAt(schema.shape[String(step)], rest);
}

/** The problem of each unknown name, with the names like it, or what there is instead. The last one without either lists all known names. */
function unknownNames(unknown: readonly string[], known: readonly string[]): Sentence[] {
  const advice = unknown.map((name) => {
    const similar = nearest(name, known, MAX_SIMILAR);
    return similar.length > 0 ? sentence`Did you mean ${wordList(similar, ' or ')}?` : notThere(name);
  });
  const last = known.length === 0 ? -1 : advice.lastIndexOf(undefined);
  return advice.map((found, index) => {
    const all = index === last ? sentence` There are: ${wordList(known.slice(0, 20))}.` : '';
    return sentence`there is no such argument.${found === undefined ? all : sentence` ${found}`}`;
  });
}

/** All verbs of a list are similar to its bare name, and none of them is more likely. */
const MAX_SIMILAR = 5;

/** For a mistyped value, several values in one text, or one that the data does not have. */
function suggestion(input: unknown, values: readonly string[]): Sentence {
  if (typeof input !== 'string' || input.length > MAX_WORDS) return sentence``;
  const parts = input.split(',').map((part) => part.trim());
  if (parts.length > 1 && parts.every((part) => values.includes(part)))
    return sentence` Several are a list: [${joined(
      parts.map((part) => inQuotes(part)),
      ', ',
    )}].`;
  const near = mistyped(input, values);
  const advice = near === undefined ? notThere(input) : sentence`Did you mean ${word(near)}?`;
  return advice === undefined ? sentence`` : sentence` ${advice}`;
}

/** Where an argument stands: `changes[2].name`. */
export function argumentPath([first, ...rest]: readonly PropertyKey[]): Sentence {
  if (first === undefined) return sentence`arguments`;
  const step = (one: PropertyKey) => word(String(one), 60);
  return rest.reduce<Sentence>(
    (path, one) => (typeof one === 'number' ? sentence`${path}[${one}]` : sentence`${path}.${step(one)}`),
    step(first),
  );
}
