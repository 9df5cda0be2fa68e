import { createHash } from 'node:crypto';

/** Values that are random for each run. The first group of a pattern is the value. */
const RANDOM: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['change', /\b(chg-[0-9a-z]{6,}-[0-9a-z]{4})\b/g],
  ['token', /\b(t\d{18})\b/g],
  ['report', /(?:reports\/|report(?:Id)?["'`]?\s*[:=]\s*["'`“]?)([A-Za-z0-9_-]{12})(?![A-Za-z0-9_-])/g],
  ['file', /-([0-9a-f]{16})(?=\.(?:csv|jsonl?|txt)\b)/g],
  ['account', /accounts[/\\]+([0-9a-f]{16,64})\b/g],
  ['version', /\bversion: "?(\d+\.\d+\.\d+)/g],
];

/** An open quotation mark and a closing one that occur in no account. */
const mark = (name: string, number: number): string => `⟦${name} ${number}⟧`;
const MARK = /⟦[a-z]+(?: \d+)?⟧/g;

const MAX_KEPT = 12_000;

/** A long text by its beginning and a digest of all of it: recordings stay small, and a difference is still seen. */
export function shortened(text: string): string {
  if (text.length <= MAX_KEPT) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, MAX_KEPT / 4)}\n⟦… ${text.length} characters in all, digest ${digest}⟧`;
}

export function isShortened(text: string): boolean {
  return /\n⟦… \d+ characters in all, digest [0-9a-f]{16}⟧$/.test(text);
}

export interface Canonical {
  /** The text with marks in place of random values, numbered as they first occur. */
  fromReal(text: string): string;
  /** The text with this run's values in place of marks; throws where this run has no such value yet. */
  toReal(text: string): string;
  /** The same, with those marks left as they are that this run has no value for. */
  toRealWhereKnown(text: string): string;
  /** The text with a mark in place of each time near the account's present, since those depend on the pace of a run. */
  withoutTimes(text: string): string;
}

export interface Surroundings {
  /** Folders and addresses of this run, by the name of their mark. */
  readonly places: Readonly<Record<string, string>>;
  /** The account's present at the start, in milliseconds since 1970. */
  readonly now: number;
}

/** Takes out of texts what differs from run to run, so that recordings compare on every machine. */
export function createCanonical({ places, now }: Surroundings): Canonical {
  const marks = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  const add = (value: string, marked: string): void => {
    marks.set(value, marked);
    values.set(marked, value);
  };
  for (const [name, value] of Object.entries(places)) add(value, `⟦${name}⟧`);

  const register = (text: string): void => {
    for (const [name, pattern] of RANDOM) {
      for (const [, value = ''] of text.matchAll(pattern)) {
        if (marks.has(value)) continue;
        const number = (counts.get(name) ?? 0) + 1;
        counts.set(name, number);
        add(value, mark(name, number));
      }
    }
  };
  return {
    fromReal(text) {
      register(text);
      let marked = text;
      // The longest first, since one place may be in another.
      for (const value of [...marks.keys()].sort((a, b) => b.length - a.length)) marked = marked.replaceAll(value, marks.get(value) ?? '');
      return marked;
    },
    toRealWhereKnown: (text) => text.replace(MARK, (marked) => values.get(marked) ?? marked),
    withoutTimes: (text) => withoutTimes(text, now),
    toReal: (text) =>
      text.replace(MARK, (marked) => {
        const value = values.get(marked);
        if (value === undefined) throw new Error(`No answer of this run has shown what the recording calls ${marked}.`);
        return value;
      }),
  };
}

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g;
const PACE_MS = 6 * 3_600_000;

function withoutTimes(text: string, now: number): string {
  return text.replace(TIME, (written) => {
    const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written.replace(' ', 'T')}Z`);
    return time >= now - 60_000 && time < now + PACE_MS ? '⟦time⟧' : written;
  });
}

/** A JSON value with every text in it replaced. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, replace)]));
}
