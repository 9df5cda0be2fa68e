import type { ChangeView } from '../../contract.ts';
import { type Titles, titlesOf } from '../parts/titles.ts';
import { number } from '../parts/words.ts';

/** What shares a reason. */
export interface ReasonGroup<T> {
  readonly reason: string;
  readonly of: readonly T[];
}

/** Those with the same reason together, the most first. */
export function reasonsOf<T extends { readonly reason?: string }>(outcomes: readonly T[]): readonly ReasonGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const outcome of outcomes) {
    const { reason = '' } = outcome;
    groups.set(reason, [...(groups.get(reason) ?? []), outcome]);
  }
  return [...groups]
    .filter(([reason]) => reason !== '')
    .map(([reason, of]) => ({ reason, of }))
    .toSorted((one, other) => other.of.length - one.of.length);
}

const MAX_REASONS = 3;
const MAX_NAMED = 3;
/** Of videos, which are listed below. */
const MAX_TITLES = 2;

/** Why it was not done or is not known, once for all that share a reason: the records by name, videos by their first titles. */
export function whyOf({ status, bulk, records, counts, titles }: ChangeView): readonly string[] {
  const groups = bulk === undefined ? reasonsOf(records.filter(isToTell(status))) : reasonsOf(toldOfMany(status, bulk));
  const [only] = groups;
  const isOfAll = groups.length === 1 && (status === 'failed' || only?.of.length === (bulk?.total ?? counts?.total));
  const lines = groups.slice(0, MAX_REASONS).map(({ reason, of }) => (isOfAll ? reason : `${whichOf(of, titlesOf(titles))}: ${reason}`));
  const left = groups.slice(MAX_REASONS).reduce((sum, { of }) => sum + of.length, 0);
  return left === 0 ? lines : [...lines, `${number(left)} for other reasons, which are below.`];
}

/** Whether `whyOf` says of this record by name why it was not done. */
export function isReasonTold({ status, records }: Pick<ChangeView, 'status' | 'records'>, record: Told): boolean {
  const groups = reasonsOf(records.filter(isToTell(status))).slice(0, MAX_REASONS);
  return groups.some(({ of }) => of.slice(0, MAX_NAMED).includes(record));
}

type Told = ChangeView['records'][number];

/** Of one that was stopped, what was not sent needs no reason besides. */
const isToTell =
  (status: ChangeView['status']) =>
  ({ outcome, isLeftAlone }: Told): boolean =>
    ENDED.includes(status) &&
    isLeftAlone !== true &&
    (outcome === 'failed' || outcome === 'unknown' || (outcome === 'not_done' && status !== 'stopped'));

const ENDED: readonly ChangeView['status'][] = ['failed', 'partly_applied', 'stopped', 'interrupted'];

function toldOfMany(status: ChangeView['status'], { failed, unknown, failedCount, unknownCount }: NonNullable<ChangeView['bulk']>) {
  if (!ENDED.includes(status)) return [];
  if (status === 'failed' && unknownCount === 0) return failed;
  // Of a list that was cut, nobody could say how many share a reason.
  return failed.length + unknown.length < failedCount + unknownCount ? [] : [...failed, ...unknown];
}

function whichOf(of: readonly (Told | { readonly id: string })[], titles: Titles): string {
  const names = of.flatMap((one) =>
    'name' in one ? [`“${one.name}”${one.newName === undefined ? '' : `, new name “${one.newName}”`}`] : [],
  );
  if (names.length > 0) return firstOf(names, names.length, MAX_NAMED, '; ');
  const known = of.slice(0, MAX_TITLES).flatMap(({ id }) => titles.get(id) ?? []);
  return known.length === 0
    ? number(of.length)
    : firstOf(
        known.map((title) => `“${title}”`),
        of.length,
        MAX_TITLES,
        ', ',
      );
}

function firstOf(names: readonly string[], count: number, max: number, between: string): string {
  const first = names.slice(0, max);
  return count > first.length ? `${first.join(between)} and ${number(count - first.length)} more` : first.join(between);
}
