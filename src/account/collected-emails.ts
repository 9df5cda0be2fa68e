import { createHash } from 'node:crypto';
import { invalidArguments } from '../errors.ts';
import type { CollectedEmail } from '../service/emails.ts';

export const EMAIL_GROUPS = ['video', 'channel', 'day', 'month', 'emailDomain'] as const;
export type EmailGroup = (typeof EMAIL_GROUPS)[number];

/** Which of the collected emails are meant. */
export interface EmailFilter {
  /** Milliseconds since the epoch; from included, to not. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly videoKey?: string | undefined;
  readonly channelKey?: string | undefined;
}

export interface EmailCount {
  /** `null` where the record doesn't tell. */
  readonly key: string | null;
  readonly records: number;
  readonly people: number;
}

/** A domain with fewer people than this could be a person's own. */
const FEWEST_PEOPLE = 5;
const OTHERS = 'others';

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The span of two arguments: a date stands for that whole UTC day, a time for itself. Throws `invalid_arguments`. */
export function emailSpan(from: string | undefined, to: string | undefined): Pick<EmailFilter, 'fromMs' | 'toMs'> {
  const problems = [];
  const fromMs = from === undefined ? undefined : timeOf(from);
  const toMs = to === undefined ? undefined : timeOf(to);
  const expected = 'expected a date (2026-03-01) or a time with its offset (2026-03-01T12:00:00Z).';
  if (from !== undefined && fromMs === undefined) problems.push({ field: 'from', problem: expected });
  if (to !== undefined && toMs === undefined) problems.push({ field: 'to', problem: expected });
  const end = to !== undefined && toMs !== undefined && DATE.test(to) ? toMs + DAY_MS : toMs;
  if (fromMs !== undefined && end !== undefined && end <= fromMs) problems.push({ field: 'to', problem: 'is not after from.' });
  if (problems.length > 0) throw invalidArguments(problems);
  return { fromMs, toMs: end };
}

function timeOf(text: string): number | undefined {
  const time = DATE.test(text) ? `${text}T00:00:00Z` : /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : '';
  const ms = Date.parse(time);
  // Date.parse moves February 30 into March.
  const isReal = !Number.isNaN(ms) && (!DATE.test(text) || new Date(ms).toISOString().startsWith(text));
  return isReal ? ms : undefined;
}

export function isMeant(record: CollectedEmail, { fromMs, toMs, videoKey, channelKey }: EmailFilter): boolean {
  if (videoKey !== undefined && record.videoKey !== videoKey) return false;
  if (channelKey !== undefined && record.channelKey !== channelKey) return false;
  if (fromMs === undefined && toMs === undefined) return true;
  const created = Date.parse(record.created ?? '');
  return !Number.isNaN(created) && created >= (fromMs ?? Number.NEGATIVE_INFINITY) && created < (toMs ?? Number.POSITIVE_INFINITY);
}

/** Counts records and people without keeping a name or address: of a person only a hash is held, and only while counting. */
export function createEmailCounter(groupBy: EmailGroup | undefined) {
  const all = { records: 0, people: new Set<string>() };
  const groups = new Map<string | null, { records: number; people: Set<string> }>();

  return {
    add(record: CollectedEmail): void {
      const person = personOf(record);
      all.records += 1;
      all.people.add(person);
      if (groupBy === undefined) return;
      const key = keyOf(record, groupBy);
      const group = groups.get(key) ?? { records: 0, people: new Set<string>() };
      group.records += 1;
      group.people.add(person);
      groups.set(key, group);
    },
    total: (): Omit<EmailCount, 'key'> => ({ records: all.records, people: all.people.size }),
    /** Days and months in their order, everything else by how many. */
    groups(): EmailCount[] {
      const few = groupBy === 'emailDomain' ? [...groups].filter(([, { people }]) => people.size < FEWEST_PEOPLE) : [];
      const kept = [...groups]
        .filter((entry) => !few.includes(entry))
        .map(([key, { records, people }]) => ({ key, records, people: people.size }));
      const byTime = groupBy === 'day' || groupBy === 'month';
      kept.sort((a, b) =>
        byTime ? String(a.key).localeCompare(String(b.key)) : b.records - a.records || String(a.key).localeCompare(String(b.key)),
      );
      if (few.length === 0) return kept;
      const people = new Set(few.flatMap(([, group]) => [...group.people]));
      return [...kept, { key: OTHERS, records: few.reduce((sum, [, group]) => sum + group.records, 0), people: people.size }];
    },
  };
}

function personOf({ email, mobileNumber, fullName }: CollectedEmail): string {
  const person = email?.trim().toLowerCase() ?? mobileNumber ?? fullName ?? '';
  return createHash('sha256').update(person).digest('base64').slice(0, 16);
}

function keyOf({ videoKey, channelKey, created, email }: CollectedEmail, groupBy: EmailGroup): string | null {
  const at = Date.parse(created ?? '');
  const day = Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
  switch (groupBy) {
    case 'video':
      return videoKey ?? null;
    case 'channel':
      return channelKey ?? null;
    case 'day':
      return day;
    case 'month':
      return day?.slice(0, 7) ?? null;
    case 'emailDomain':
      return /@([^@\s]+)$/.exec(email?.trim().toLowerCase() ?? '')?.[1] ?? null;
  }
}
