import type { Behaviour, DistortedKind } from './behaviour.ts';
import type { DemoCall } from './call.ts';
import { distort } from './distort.ts';
import { failure, ok, type Reply } from './requests.ts';

interface Sort {
  field: string;
  descending: boolean;
}

const DEFAULT_SIZE = 50;
const DEFAULT_SORT = 'created:-1';

/** One page of a list with its pager (the API document, sections Pager and List channels). */
export function listReply<T extends object>(
  { behaviour, request: { query } }: DemoCall,
  name: DistortedKind,
  records: readonly T[],
  show: (record: T) => object,
): Reply {
  const asked = wholeNumber(query.page, 1);
  const size = wholeNumber(query.size, DEFAULT_SIZE);
  const planType = wholeNumber(query.planType, Number.NaN);
  if (asked === undefined || size === undefined || planType === undefined) return failure(400, 'page, size and planType must be integers.');
  const maxSize = behaviour.maxPageSize;
  if (size > maxSize && behaviour.oversizedPage === 'reject') return failure(400, `size must be at most ${maxSize}.`);
  const { sort: askedSort = '' } = query;
  const known = parseSort(askedSort, records[0]);
  if (known === undefined && askedSort !== '' && behaviour.unknownSort === 'reject') return failure(400, 'Unknown sort field.');
  const sort = known ?? parseSort(DEFAULT_SORT, records[0]);

  const wanted = Number.isNaN(planType) ? records : records.filter((record) => typeOf(record) === planType);
  const pageSize = Math.min(Math.max(size, 1), maxSize);
  const totalPages = wanted.length === 0 ? behaviour.pagesWhenEmpty : Math.ceil(wanted.length / pageSize);
  let page = Math.max(asked, 1);
  if (page > totalPages && page > 1 && behaviour.pageBeyondEnd === 'not-found') return failure(404, 'There is no such page.');
  if (page > totalPages && behaviour.pageBeyondEnd === 'last') page = Math.max(totalPages, 1);
  const slice = sorted(wanted, sort).slice((page - 1) * pageSize, page * pageSize);

  const applied = sort === undefined ? '' : `${sort.field}:${sort.descending ? -1 : 1}`;
  const echo = known !== undefined && behaviour.sortEcho === 'sent' ? askedSort : applied;
  const pager = { page, totalPages, totalResults: wanted.length, sort: echo };
  return ok({ pager: distort('pager', pager, behaviour), [name]: slice.map((record) => distort(name, show(record), behaviour)) });
}

/** An integer of a query; the default when absent or empty, undefined when it is not an integer. */
export function wholeNumber(text: string | undefined, otherwise: number): number | undefined {
  if (text === undefined || text === '') return otherwise;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function bareList(kind: DistortedKind, records: readonly object[], behaviour: Behaviour): Reply {
  return ok(records.map((record) => distort(kind, record, behaviour)));
}

function typeOf(record: object): unknown {
  return 'planType' in record ? record.planType : Reflect.get(record, 'type');
}

/** `field:1`, `field:-1`, `field` or `-field`, in any case; undefined when the records have no such field. */
function parseSort(text: string, sample: object = { created: 0, name: 0 }): Sort | undefined {
  const [, minus, name = '', direction] = /^(-?)([A-Za-z]+)(?::(-?1))?$/.exec(text) ?? [];
  const field = Object.keys(sample).find((key) => key.toLowerCase() === name.toLowerCase());
  return field === undefined ? undefined : { field, descending: (minus === '-') !== (direction === '-1') };
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
