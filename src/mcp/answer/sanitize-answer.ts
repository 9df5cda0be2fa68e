import { cleanText } from '../../service/sanitize-text.ts';

declare const brand: unique symbol;

/**
 * Values in which every text is inert. `inert` alone makes them, and structured content and resources take nothing else:
 * a new answer, or a new field of one, can't reach a client untreated.
 */
export type SanitizedAnswer<T> = T & { readonly [brand]: true };

/** Longest text, by the field it stands in. Whose text it is makes no difference: all of it is cleaned. */
const MAX_LENGTH: Readonly<Record<string, number>> = { name: 120, description: 300, label: 160, text: 100_000 };
const DEFAULT_LENGTH = 400;
/** Fields that hold this program's sentences, which may name many things. */
const SENTENCES: ReadonlySet<string> = new Set(
  'summary warnings lines onFailure how note hint reason message problem problems more omitted leftOut'.split(' '),
);
const SENTENCES_LENGTH = 8_000;
const MAX_DEPTH = 12;

/**
 * An answer in which every text is inert: one line, bounded, without control, invisible or direction-changing
 * characters. Done once, to every answer of every tool and resource. Names of fields are ours save those of records
 * that a stranger could extend, so they are cleaned too.
 */
export function sanitizeAnswer<T>(value: T): SanitizedAnswer<T> {
  // The shape stays; only texts are replaced by texts. The one place where the brand is given.
  return clean(value, '', 0) as SanitizedAnswer<T>;
}

/** Every value of every answer comes by here, so it makes nothing but the copy. */
function clean(value: unknown, field: string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, MAX_LENGTH[field] ?? (SENTENCES.has(field) ? SENTENCES_LENGTH : DEFAULT_LENGTH));
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((entry) => clean(entry, field, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) put(copy, cleanText(key, 80), clean((value as Record<string, unknown>)[key], key, depth + 1));
  return copy;
}

/** As a field like any other, also where its name would set the prototype. */
function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  else record[name] = value;
}
