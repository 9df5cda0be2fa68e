import { hash } from 'node:crypto';
import { invalidArguments, VideoHostingError } from '../errors.ts';
import type { CollectedEmail, EmailReading } from '../service/resources/emails.ts';

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
/** No domain: a domain has a dot. */
const OTHERS = 'others';
/** A list may hold more groups than anybody reads; so many are counted. */
const MAX_GROUPS = 100_000;
/** People that are told apart, as some 100 bytes each; in a grouped count again for each group. */
const MAX_PEOPLE = 1_000_000;

/** 72 bits: two of a million people share one with a chance of one in nine billion. */
const HASH_LENGTH = 12;

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

/** What a reading left out without being asked to. */
export interface LeftOut {
  /** Entries of the list that are not records. */
  unreadable: number;
  /** Records without a time, where a span of time was asked for. */
  undated: number;
}

/** The records that are meant, as they arrive; adds to `leftOut` what could not be judged. */
export async function* eachMeant(
  emails: AsyncGenerator<CollectedEmail, EmailReading>,
  filter: EmailFilter,
  leftOut: LeftOut = { unreadable: 0, undated: 0 },
): AsyncGenerator<CollectedEmail> {
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY, videoKey, channelKey } = filter;
  const isAnyTime = filter.fromMs === undefined && filter.toMs === undefined;
  try {
    for (;;) {
      const next = await emails.next();
      if (next.done) {
        leftOut.unreadable += next.value.skipped;
        return;
      }
      const record = next.value;
      if (videoKey !== undefined && record.videoKey !== videoKey) continue;
      if (channelKey !== undefined && record.channelKey !== channelKey) continue;
      const created = isAnyTime ? 0 : instantOf(record.created);
      if (created === undefined) leftOut.undated += 1;
      else if (isAnyTime || (created >= fromMs && created < toMs)) yield record;
    }
  } finally {
    await emails.return({ read: 0, skipped: 0 });
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The moment that a record tells; without an offset it is taken for UTC, wherever this machine is. */
function instantOf(created: string | undefined): number | undefined {
  const parts = INSTANT.exec(created?.trim() ?? '');
  const ms = parts === null ? Number.NaN : Date.parse(`${parts[0]}${parts[1] !== undefined && parts[4] === undefined ? 'Z' : ''}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Counts records and people without keeping a name or address: of a person only a hash is held, and only while counting.
 * Throws `response_too_large` where there are more people or groups than can be counted.
 */
export function createEmailCounter(groupBy: EmailGroup | undefined, maxPeople = MAX_PEOPLE) {
  const people = new Set<string>();
  const peopleOfGroups = new Set<string>();
  const groups = new Map<string | null, { readonly number: number; records: number; people: number }>();
  let records = 0;

  function groupOf(key: string | null) {
    const known = groups.get(key);
    if (known !== undefined) return known;
    if (groups.size >= MAX_GROUPS) throw tooMany('groups');
    const group = { number: groups.size, records: 0, people: 0 };
    groups.set(key, group);
    return group;
  }

  /** Whether somebody is new to a set. */
  function addTo(set: Set<string>, text: string): boolean {
    const hashed = hash('sha256', text, 'base64').slice(0, HASH_LENGTH);
    if (set.has(hashed)) return false;
    if (set.size >= maxPeople) throw tooMany('people');
    set.add(hashed);
    return true;
  }

  return {
    add(record: CollectedEmail): void {
      const person = personOf(record);
      records += 1;
      if (person !== undefined) addTo(people, person);
      if (groupBy === undefined) return;
      const group = groupOf(keyOf(record, groupBy));
      group.records += 1;
      if (person !== undefined && addTo(peopleOfGroups, `${group.number} ${person}`)) group.people += 1;
    },
    total: (): Omit<EmailCount, 'key'> => ({ records, people: people.size }),
    /** Days and months in their order, everything else by how many. */
    groups(): EmailCount[] {
      const all = [...groups].map(([key, group]) => ({ key, records: group.records, people: group.people }));
      const isFew = (group: EmailCount) => groupBy === 'emailDomain' && group.people < FEWEST_PEOPLE;
      const kept = all.filter((group) => !isFew(group));
      const byTime = groupBy === 'day' || groupBy === 'month';
      kept.sort((a, b) => (byTime ? 0 : b.records - a.records) || compare(a.key, b.key));
      const few = all.filter(isFew);
      if (few.length === 0) return kept;
      // A person is an address, and an address has one domain: nobody is in two of them.
      const sum = (field: 'records' | 'people') => few.reduce((total, group) => total + group[field], 0);
      return [...kept, { key: OTHERS, records: sum('records'), people: sum('people') }];
    },
  };
}

/** What is not known comes last. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

function tooMany(what: string): VideoHostingError {
  return new VideoHostingError('response_too_large', `The collected emails are of more ${what} than can be counted here.`, {
    hint: 'Ask for less: a shorter time, one video or one channel.',
  });
}

/** What a person is told apart by: the address, else the number, else the name. Undefined where a record tells none of them. */
function personOf({ email, mobileNumber, fullName }: CollectedEmail): string | undefined {
  const [person] = [email?.trim().toLowerCase(), mobileNumber?.trim(), fullName?.trim()].filter(Boolean);
  return person;
}

const DOMAIN = /@([\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*\.[\p{L}\p{N}\p{M}-]+)$/u;
/** The longest that the name system allows. */
const MAX_DOMAIN_LENGTH = 253;

function keyOf({ videoKey, channelKey, created, email }: CollectedEmail, groupBy: EmailGroup): string | null {
  switch (groupBy) {
    case 'video':
      return videoKey || null;
    case 'channel':
      return channelKey || null;
    case 'day':
    case 'month':
      return dayOf(created)?.slice(0, groupBy === 'month' ? 7 : 10) ?? null;
    case 'emailDomain':
      return domainOf(email?.trim().toLowerCase() ?? '');
  }
}

function dayOf(created: string | undefined): string | undefined {
  const at = instantOf(created);
  return at === undefined ? undefined : new Date(at).toISOString();
}

function domainOf(email: string): string | null {
  const domain = DOMAIN.exec(email)?.[1];
  return domain === undefined || domain.length > MAX_DOMAIN_LENGTH ? null : domain;
}
