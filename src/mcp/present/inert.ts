import { cleanText } from '../../service/foreign-text.ts';

/** Longest text of a stranger that is handed on, by the field it stands in; the rest are short by nature. */
const MAX_LENGTH: Readonly<Record<string, number>> = { name: 120, description: 300, label: 160, message: 1_000, text: 100_000 };
const DEFAULT_LENGTH = 400;
const MAX_DEPTH = 12;

/** Fields whose text is this program's own, line breaks and all, with strangers' words quoted in it already. */
const OWN_TEXT: ReadonlySet<string> = new Set(['summary', 'warnings', 'lines', 'onFailure', 'how', 'note', 'hint', 'reason']);
/** Where records of the service begin: nothing below is our own, whatever a field is called. */
const RECORDS: ReadonlySet<string> = new Set([
  'channel',
  'channels',
  'project',
  'projects',
  'plans',
  'templates',
  'before',
  'after',
  'views',
]);

/**
 * An answer in which every text is inert: one line, bounded, without control, invisible or direction-changing
 * characters. Done once, to every answer of every tool and resource. Names of fields are ours save those of records
 * that a stranger could extend, so they are cleaned too.
 */
export function inert<T>(value: T): T {
  // The shape stays; only texts are replaced by texts.
  return clean(value, { field: '', depth: 0, foreign: false }) as T;
}

interface Place {
  readonly field: string;
  readonly depth: number;
  /** Within a record of the service. */
  readonly foreign: boolean;
}

function clean(value: unknown, { field, depth, foreign }: Place): unknown {
  if (typeof value === 'string') return !foreign && OWN_TEXT.has(field) ? value : cleanText(value, MAX_LENGTH[field] ?? DEFAULT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  const inner = (name: string): Place => ({ field: name, depth: depth + 1, foreign: foreign || RECORDS.has(name) });
  if (Array.isArray(value)) return value.map((entry) => clean(entry, { ...inner(field), foreign }));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [cleanText(key, 80), clean(entry, inner(key))]));
}
