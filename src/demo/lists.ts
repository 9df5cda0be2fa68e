import type { Behaviour, DistortedKind } from './behaviour.ts';
import type { Call } from './call.ts';
import { distort } from './distort.ts';
import { ok, type Reply, refusal } from './requests.ts';

interface Sort {
  field: string;
  descending: boolean;
}

const DEFAULT_SIZE = 50;

/** One page of a list with its pager (the API document, sections Pager and List channels). */
export function listReply<T extends object>(call: Call, name: DistortedKind, records: readonly T[], show: (record: T) => object): Reply {
  const { behaviour } = call;
  const { query } = call.request;
  const page = wholeNumber(query.page, 1);
  const size = wholeNumber(query.size, DEFAULT_SIZE);
  const planType = wholeNumber(query.planType, Number.NaN);
  if (page === undefined || size === undefined || planType === undefined) return refusal(400, 'page, size and planType must be integers.');
  if (size > behaviour.maxPageSize && behaviour.oversizedPage === 'reject')
    return refusal(400, `size must be at most ${behaviour.maxPageSize}.`);
  const { sort: asked = '' } = query;
  const known = parseSort(asked, records[0]);
  if (known === undefined && asked !== '' && behaviour.unknownSort === 'reject') return refusal(400, 'Unknown sort field.');
  const sort = known ?? parseSort(behaviour.defaultSort, records[0]);
  const wanted = Number.isNaN(planType) ? records : records.filter((record) => typeOf(record) === planType);
  const pageSize = Math.min(Math.max(size, 1), behaviour.maxPageSize);
  const totalPages = wanted.length === 0 ? behaviour.pagesWhenEmpty : Math.ceil(wanted.length / pageSize);
  const at = Math.max(page, 1);
  if (at > totalPages && at > 1 && behaviour.pageBeyondEnd === 'not-found') return refusal(404, 'There is no such page.');
  const shown = at > totalPages && behaviour.pageBeyondEnd === 'last' ? Math.max(totalPages, 1) : at;
  const slice = sorted(wanted, sort).slice((shown - 1) * pageSize, shown * pageSize);
  const echo = known !== undefined && behaviour.sortEcho === 'sent' ? asked : sortText(sort);
  const pager = { page: shown, totalPages, totalResults: wanted.length, sort: echo };
  return ok({ pager: distort('pager', pager, behaviour), [name]: slice.map((record) => distort(name, show(record), behaviour)) });
}

/** A whole number from a query; the default when absent or empty, undefined when it is none. */
export function wholeNumber(text: string | undefined, otherwise: number): number | undefined {
  if (text === undefined || text === '') return otherwise;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Sends a bare array of records. */
export function bareList(kind: DistortedKind, records: readonly object[], behaviour: Behaviour): Reply {
  return ok(records.map((record) => distort(kind, record, behaviour)));
}

function typeOf(record: object): unknown {
  if ('planType' in record) return record.planType;
  return 'type' in record ? record.type : undefined;
}

function parseSort(text: string, sample: object | undefined): Sort | undefined {
  const parts = /^(-?)([A-Za-z]+)(?::(-?1))?$/.exec(text);
  const name = parts?.[2]?.toLowerCase();
  if (parts === null || name === undefined) return undefined;
  const field = Object.keys(sample ?? { created: 0, name: 0 }).find((key) => key.toLowerCase() === name);
  if (field === undefined) return undefined;
  return { field, descending: (parts[1] === '-') !== (parts[3] === '-1') };
}

function sortText(sort: Sort | undefined): string {
  return sort === undefined ? '' : `${sort.field}:${sort.descending ? -1 : 1}`;
}

function sorted<T extends object>(records: readonly T[], sort: Sort | undefined): readonly T[] {
  if (sort === undefined) return records;
  const sign = sort.descending ? -1 : 1;
  const keyed = records.map((record) => ({ record, key: sortKey(record, sort.field) }));
  return keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map((entry) => entry.record);
}

function sortKey(record: object, field: string): string | number {
  const value: unknown = Reflect.get(record, field);
  return typeof value === 'number' ? value : String(value).toLowerCase();
}
