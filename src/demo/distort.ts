import type { Behaviour, DistortedKind } from './behaviour.ts';
import { numericId } from './content/identifiers.ts';
import { mix, seedFrom } from './random.ts';

/** A record as the behaviour wants it sent: with fields too many, missing, null, or a number for an id. */
export function distort(kind: DistortedKind, record: object, behaviour: Behaviour): object {
  const hasNumericId = behaviour.numericIds && (kind === 'channels' || kind === 'projects');
  const isDistorted = behaviour.extraFields || behaviour.nullFields > 0 || behaviour.missingFields > 0;
  if (!hasNumericId && !(isDistorted && behaviour.distorts.has(kind))) return record;
  const entries = behaviour.distorts.has(kind) ? thinned(record, behaviour) : Object.entries(record);
  const sent: Record<string, unknown> = Object.fromEntries(entries);
  if (hasNumericId && typeof sent.id === 'string') sent.id = numericId(sent.id);
  if (behaviour.extraFields && behaviour.distorts.has(kind))
    Object.assign(sent, { links: { self: '/x' }, tenant: 7, _etag: 'W/"1"', tags: [] });
  return sent;
}

function thinned(record: object, behaviour: Behaviour): [string, unknown][] {
  // Every record sent is a plain object; which of these fields it has doesn't matter.
  const { id, key, email, page } = record as Record<string, unknown>;
  const identity = seedFrom(1, String(id ?? key ?? email ?? page));
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'id' || name === 'key') return [[name, value]];
    const luck = (mix(identity, seedFrom(2, name)) % 10_000) / 10_000;
    if (luck < behaviour.missingFields) return [];
    return [[name, luck < behaviour.missingFields + behaviour.nullFields ? null : value]];
  });
}
