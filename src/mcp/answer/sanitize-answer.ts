import type * as z from 'zod';
import { cleanText } from '../../text/sanitize-text.ts';
import { type AnswerTo, entrySchema, schemaIn, sentenceOf } from './answer-schema.ts';

declare const brand: unique symbol;

/** An answer that `sanitizeAnswer` made. Structured content and resources accept no other, so nothing is sent unsanitized. */
export type SanitizedAnswer<T> = T & { readonly [brand]: true };

/** Texts that are kept shorter than others. */
const MAX_LENGTH: Readonly<Record<string, number>> = { name: 120, description: 300, label: 160 };
export const DEFAULT_LENGTH = 400;
const MAX_DEPTH = 12;

/**
 * Makes every text of an answer safe to show: one line, bounded, without control, invisible or direction-changing
 * characters. Fields that are undefined are left out. Field names are sanitized too, because records may have unknown ones.
 */
export function sanitizeAnswer<S extends z.ZodType>(schema: S, value: AnswerTo<S>): SanitizedAnswer<z.input<S>> {
  // The same shape with other texts; nothing else gives the brand.
  return sanitize(value, schema, '', 0) as SanitizedAnswer<z.input<S>>;
}

function sanitize(value: unknown, schema: z.core.$ZodType | undefined, field: string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, sentenceOf(schema)?.maxLength ?? MAX_LENGTH[field] ?? DEFAULT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const entryOf = entrySchema(schema);
    return value.map((entry) => sanitize(entry, entryOf, field, depth + 1));
  }
  const shown: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const name = cleanText(key, 80);
    // A name that only reads as a declared one after it was cleaned would be taken for it.
    if (name === key || schemaIn(schema, name) === undefined) shown.push([name, sanitize(inner, schemaIn(schema, key), key, depth + 1)]);
  }
  return Object.fromEntries(shown);
}
