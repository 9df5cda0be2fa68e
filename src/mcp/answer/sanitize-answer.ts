import { cleanText } from '../../text/sanitize-text.ts';

declare const brand: unique symbol;

/** An answer that `sanitizeAnswer` made. Structured content and resources accept no other, so nothing is sent unsanitized. */
export type SanitizedAnswer<T> = T & { readonly [brand]: true };

/** Maximum length of a text, by field name. */
const MAX_LENGTH: Readonly<Record<string, number>> = { name: 120, description: 300, label: 160, text: 100_000 };
const DEFAULT_LENGTH = 400;
/** Fields with this program's own sentences, which may list many names. */
const SENTENCES: ReadonlySet<string> = new Set(
  (
    'summary warnings lines onFailure how note notes hint reason message problem problems more omitted leftOut idsLost remark label source accountPlan sameName templateNote ' +
    'outcome confirmed confirmation afterSource detail hidden nearest sorted skipped movedMeanwhile next fileRead files filters'
  ).split(' '),
);
export const isSentence = (field: string): boolean => SENTENCES.has(field);
const SENTENCES_LENGTH = 8_000;
const MAX_DEPTH = 12;

/**
 * Makes every text of an answer safe to show: one line, bounded, without control, invisible or direction-changing
 * characters. Fields that are undefined are left out. Field names are sanitized too, because records may have unknown ones.
 */
export function sanitizeAnswer<T>(value: T): SanitizedAnswer<T> {
  // The same shape with other texts; nothing else gives the brand.
  return sanitize(value, '', 0) as SanitizedAnswer<T>;
}

function sanitize(value: unknown, field: string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, MAX_LENGTH[field] ?? (SENTENCES.has(field) ? SENTENCES_LENGTH : DEFAULT_LENGTH));
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((entry) => sanitize(entry, field, depth + 1));
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [cleanText(key, 80), sanitize(inner, key, depth + 1)]));
}
