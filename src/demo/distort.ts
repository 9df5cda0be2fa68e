import type { Behaviour, DistortedKind } from './behaviour.ts';
import { numericId } from './content/identifiers.ts';
import { mix, seedFrom } from './random.ts';

/** A record as the behaviour sends it: with extra, missing or null fields, or a numeric id. */
export function distort(kind: DistortedKind, record: object, behaviour: Behaviour): object {
  const { extraFields, nullFields, missingFields } = behaviour;
  const hasNumericId = behaviour.numericIds && (kind === 'channels' || kind === 'projects');
  const isDistorted = (extraFields || nullFields > 0 || missingFields > 0) && behaviour.distorts.has(kind);
  if (!hasNumericId && !isDistorted) return record;
  const sent: Record<string, unknown> = isDistorted ? withGaps(record, behaviour) : { ...record };
  if (hasNumericId && typeof sent.id === 'string') sent.id = numericId(sent.id);
  if (isDistorted && extraFields) Object.assign(sent, { links: { self: '/x' }, tenant: 7, _etag: 'W/"1"', tags: [] });
  return sent;
}

/** The record without its missing fields; the same fields of a record are missing or null each time. */
function withGaps(record: object, { missingFields, nullFields }: Behaviour): Record<string, unknown> {
  // Every record sent is a plain object; which of these fields it has doesn't matter.
  const { id, key, email, page } = record as Record<string, unknown>;
  const seed = seedFrom(1, String(id ?? key ?? email ?? page));
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const draw = name === 'id' || name === 'key' ? Number.POSITIVE_INFINITY : (mix(seed, seedFrom(2, name)) % 10_000) / 10_000;
    if (draw < missingFields) return [];
    return [[name, draw < missingFields + nullFields ? null : value]];
  });
  return Object.fromEntries(entries);
}

/** The record with this id or, where ids are sent as numbers, this number. */
export function findById<T extends { id: string }>(records: ReadonlyMap<string, T>, id: string, behaviour: Behaviour): T | undefined {
  const found = records.get(id);
  if (found !== undefined || !behaviour.numericIds) return found;
  return [...records.values()].find((record) => String(numericId(record.id)) === id);
}
