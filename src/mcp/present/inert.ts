import { cleanText } from '../../service/sanitize-text.ts';

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
  return clean(value, '', 0, false) as T;
}

/** `foreign`: within a record of the service. Every value of every answer comes by here, so it makes nothing but the copy. */
function clean(value: unknown, field: string, depth: number, foreign: boolean): unknown {
  if (typeof value === 'string') return !foreign && OWN_TEXT.has(field) ? value : cleanText(value, MAX_LENGTH[field] ?? DEFAULT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((entry) => clean(entry, field, depth + 1, foreign));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const entry = clean((value as Record<string, unknown>)[key], key, depth + 1, foreign || RECORDS.has(key));
    put(copy, cleanText(key, 80), entry);
  }
  return copy;
}

/** As a field like any other, also where its name would set the prototype. */
function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  else record[name] = value;
}
