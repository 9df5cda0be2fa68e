import { createHash } from 'node:crypto';
import { isObject } from './is-object.ts';

/** JSON with the keys of every object sorted, so that equal values give equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** A list of texts alone stays as it is: one may have a million. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return sorted(value.toJSON());
  if (Array.isArray(value)) return value.every((entry) => typeof entry === 'string') ? value : value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** SHA-256 of the stable JSON of the values, in hexadecimal. */
export function digestOf(...values: readonly unknown[]): string {
  return createHash('sha256').update(stableJson(values)).digest('hex');
}
