import { createHash } from 'node:crypto';
import { isObject } from './is-object.ts';

/** JSON with the keys of every object sorted, so that equal values give equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : inner,
  );
}

/** SHA-256 of the stable JSON of the values, in hexadecimal. */
export function digestOf(...values: readonly unknown[]): string {
  return createHash('sha256').update(stableJson(values)).digest('hex');
}
