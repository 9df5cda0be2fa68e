import { hash } from 'node:crypto';
import { throwProblems } from '../errors/field-problems.ts';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { DAY_MS } from '../platform/time-units.ts';
import type { CollectedEmail, EmailReading } from '../service/resources/emails.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

export const EMAIL_GROUPS = ['video', 'channel', 'day', 'month', 'emailDomain'] as const;
export type EmailGroup = (typeof EMAIL_GROUPS)[number];

/** A filter of collected emails. Times are milliseconds since the epoch: from inclusive, to exclusive. */
export interface EmailFilter {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly videoKey?: string | undefined;
  readonly channelKey?: string | undefined;
  /** In lower case. */
  readonly emailDomain?: string | undefined;
}

export interface EmailCount {
  /** `null` if the record does not have it. */
  readonly key: string | null;
  readonly records: number;
  readonly people: number;
}

/** A domain with fewer people could be a person's own, so these are counted together, and not at all where one is asked for. */
export const MIN_PEOPLE = 5;
/** Not a domain, since it has no dot. */
export const OTHERS = 'others';
const MAX_GROUPS = 100_000;
/** Hashes held, some 100 bytes each: one a person, and in a grouped count one more for each of a person's groups. */
const MAX_HASHES = 2_000_000;
/** 72 bits: two of a million people have the same hash with a chance of one in nine billion. */
const HASH_LENGTH = 12;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the date that a text begins with exists: `Date.parse` turns February 30 into a day of March. */
function isDay(text: string): boolean {
  const day = text.slice(0, 10);
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** The span of two arguments: a date is that whole UTC day. Throws `invalid_arguments`. */
export function emailSpan(from: string | undefined, to: string | undefined): Pick<EmailFilter, 'fromMs' | 'toMs'> {
  const problems: FieldProblem[] = [];
  const timeOf = (field: Sentence, text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const ms = Date.parse(DATE.test(text) ? `${text}T00:00:00Z` : /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : '');
    if (!Number.isNaN(ms) && isDay(text)) return ms;
    problems.push({ field, problem: sentence`expected a date (2026-03-01) or a time with its offset (2026-03-01T12:00:00Z).` });
    return undefined;
  };
  const fromMs = timeOf(sentence`from`, from);
  const endMs = timeOf(sentence`to`, to);
  const toMs = endMs !== undefined && DATE.test(to ?? '') ? endMs + DAY_MS : endMs;
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs)
    problems.push({ field: sentence`to`, problem: sentence`is not after from.` });
  throwProblems(problems);
  return { fromMs, toMs };
}

/** How many entries of the list could not be judged. */
export interface SkippedEmails {
  /** Entries that are not records. */
  unreadable: number;
  /** Records without a time, where the filter has one. */
  undated: number;
  /** Records that name no channel, where the filter has one. */
  withoutChannel?: number;
}

/** The records that match, as they arrive. Adds to `skipped` what could not be judged. */
export async function* eachMatching(
  emails: AsyncGenerator<CollectedEmail, EmailReading>,
  { fromMs, toMs, videoKey, channelKey, emailDomain }: EmailFilter,
  skipped: SkippedEmails = { unreadable: 0, undated: 0 },
): AsyncGenerator<CollectedEmail> {
  const isAnyTime = fromMs === undefined && toMs === undefined;
  try {
    for (;;) {
      const next = await emails.next();
      if (next.done) {
        skipped.unreadable += next.value.skipped;
        return;
      }
      const record = next.value;
      if (videoKey !== undefined && record.videoKey !== videoKey) continue;
      const isOther = channelKey !== undefined && record.channelKey !== channelKey;
      if (isOther && (record.channelKey ?? '') !== '') continue;
      if (emailDomain !== undefined && domainIn(record.email) !== emailDomain) continue;
      const created = isAnyTime ? 0 : createdMs(record);
      const isIn = isAnyTime || (created !== undefined && created >= (fromMs ?? -Infinity) && created < (toMs ?? Infinity));
      if (isOther) skipped.withoutChannel = (skipped.withoutChannel ?? 0) + (isIn ? 1 : 0);
      else if (created === undefined) skipped.undated += 1;
      else if (isIn) yield record;
    }
  } finally {
    await emails.return({ read: 0, skipped: 0 });
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The time of a record; without an offset it is UTC, whatever this machine's zone. */
function createdMs({ created = '' }: CollectedEmail): number | undefined {
  const [text, time, , , offset] = INSTANT.exec(created.trim()) ?? [];
  const ms = text === undefined ? Number.NaN : Date.parse(`${text}${time !== undefined && offset === undefined ? 'Z' : ''}`);
  return Number.isNaN(ms) || !isDay(created.trim()) ? undefined : ms;
}

/**
 * Counts records and people. Only a hash of a person is held, and only while counting. Groups of few people are counted
 * together where `hasSmall` is false. Throws `response_too_large` if there are too many people or groups.
 */
export function createEmailCounter(groupBy?: EmailGroup, hasSmall = groupBy !== 'emailDomain') {
  const people = new Set<string>();
  const groups = new Map<string | null, { records: number; readonly people: Set<string> }>();
  let records = 0;
  let hashes = 0;

  function addPerson(set: Set<string>, person: string): void {
    if (set.has(person)) return;
    if (hashes >= MAX_HASHES) throw tooMany(sentence`people`);
    set.add(person);
    hashes += 1;
  }

  return {
    add(record: CollectedEmail): void {
      const person = personOf(record);
      records += 1;
      if (person !== undefined) addPerson(people, person);
      if (groupBy === undefined) return;
      const key = groupKey(record, groupBy);
      const group = groups.get(key) ?? { records: 0, people: new Set() };
      if (groups.size >= MAX_GROUPS && !groups.has(key)) throw tooMany(sentence`groups`);
      groups.set(key, group);
      group.records += 1;
      if (person !== undefined) addPerson(group.people, person);
    },
    total: (): Omit<EmailCount, 'key'> => ({ records, people: people.size }),
    /** Days and months in order, others by the number of records. */
    groups(): EmailCount[] {
      const isSmall = (group: { readonly people: ReadonlySet<string> }) => !hasSmall && group.people.size < MIN_PEOPLE;
      const small = [...groups.values()].filter(isSmall);
      const isByTime = groupBy === 'day' || groupBy === 'month';
      const sorted = [...groups]
        .filter(([, group]) => !isSmall(group))
        .map(([key, group]) => ({ key, records: group.records, people: group.people.size }))
        .sort((a, b) => (isByTime ? 0 : b.records - a.records) || compareKeys(a.key, b.key));
      if (small.length === 0) return sorted;
      const together = new Set(small.flatMap((group) => [...group.people]));
      // Of one domain, the next larger ones hide how few these are: the total and the others would tell it.
      if (groupBy !== 'emailDomain')
        for (const next of [...sorted].sort((a, b) => a.people - b.people || b.records - a.records)) {
          if (together.size >= MIN_PEOPLE) break;
          sorted.splice(sorted.indexOf(next), 1);
          const group = groups.get(next.key);
          if (group === undefined) continue;
          small.push(group);
          for (const person of group.people) together.add(person);
        }
      return [...sorted, { key: OTHERS, records: small.reduce((sum, group) => sum + group.records, 0), people: together.size }];
    },
  };
}

/** `null` is last. */
function compareKeys(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

function tooMany(what: Sentence): VideoHostingError {
  return new VideoHostingError('response_too_large', sentence`The collected emails are of more ${what} than can be counted here.`, {
    hint: sentence`Ask for less: a shorter time, one video or one channel.`,
  });
}

/** A hash of the address, else the number, else the name; undefined if the record has none of them. */
function personOf({ email, mobileNumber, fullName }: CollectedEmail): string | undefined {
  const person = email?.trim().toLowerCase() || mobileNumber?.trim() || fullName?.trim();
  return person ? hash('sha256', person, 'base64').slice(0, HASH_LENGTH) : undefined;
}

const DOMAIN = /@([\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*\.[\p{L}\p{N}\p{M}-]+)$/u;
/** The longest that the name system allows. */
const MAX_DOMAIN_LENGTH = 253;

/** The domain of an address in lower case; `null` if it has none. */
export function domainIn(email = ''): string | null {
  const domain = DOMAIN.exec(email.trim().toLowerCase())?.[1] ?? '';
  return domain === '' || domain.length > MAX_DOMAIN_LENGTH ? null : domain;
}

function groupKey(record: CollectedEmail, groupBy: EmailGroup): string | null {
  const { videoKey, channelKey, email } = record;
  if (groupBy === 'video') return videoKey || null;
  if (groupBy === 'channel') return channelKey || null;
  if (groupBy === 'emailDomain') return domainIn(email);
  const ms = createdMs(record);
  return ms === undefined ? null : new Date(ms).toISOString().slice(0, groupBy === 'month' ? 7 : 10);
}
