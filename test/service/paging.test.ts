import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListQuery, RecordPage } from '../../src/service/list.ts';
import { eachRecord, readAll } from '../../src/service/paging.ts';
import { failure, startService } from './harness.ts';

interface Item {
  readonly id: string;
}

interface Quirks {
  /** The largest page that the list returns, even if a larger one is requested. */
  readonly cap?: number;
  readonly totals?: 'both' | 'none' | 'pages' | 'results';
  readonly beyondEnd?: 'empty' | 'last';
}

/** A list in memory that pages as the service does, changed by `before` each answer. */
function listOf(
  items: Item[],
  before: (items: Item[], request: number) => void = () => {},
  { cap = 100, totals = 'both', beyondEnd = 'empty' }: Quirks = {},
) {
  let requests = 0;
  const list = async ({ page = 1, size = 50 }: ListQuery): Promise<RecordPage<Item>> => {
    before(items, requests);
    requests += 1;
    const length = Math.min(size, cap);
    const totalPages = Math.ceil(items.length / length);
    const number = beyondEnd === 'last' ? Math.min(page, Math.max(totalPages, 1)) : page;
    const shown = items.slice((number - 1) * length, number * length);
    const pager = {
      page: number,
      totalPages: totals === 'both' || totals === 'pages' ? totalPages : undefined,
      totalResults: totals === 'both' || totals === 'results' ? items.length : undefined,
    };
    return { pager, items: shown, identities: shown.map((item) => item.id), skipped: 0, problems: [] };
  };
  return { list, size: 100, requests: () => requests };
}

const numbered = (count: number, prefix = 'old'): Item[] => Array.from({ length: count }, (_, index) => ({ id: `${prefix}-${index}` }));
const idsOf = (items: readonly Item[]) => items.map((item) => item.id);

describe('a list that does not change', () => {
  test.each([0, 1, 50, 99, 100, 101, 199, 200, 201, 1_000, 2_000, 4_321])('of %i records is read once, in order', async (count) => {
    const reader = listOf(numbered(count));
    const whole = await readAll(eachRecord(reader));
    expect(idsOf(whole.items)).toEqual(idsOf(numbered(count)));
    expect(whole).toMatchObject({ complete: true, skipped: 0, totalResults: count });
    expect(reader.requests()).toBeLessThanOrEqual(Math.max(1, Math.ceil((count / 100) * 1.2) + 2));
  });

  test.each<Quirks>([
    { cap: 20 },
    { cap: 50, totals: 'none' },
    { cap: 1 },
    { cap: 3, totals: 'pages' },
    { totals: 'none' },
    { totals: 'pages' },
    { totals: 'results' },
    { beyondEnd: 'last' },
    { cap: 30, beyondEnd: 'last', totals: 'pages' },
  ])('is read completely from a service with %j', async (quirks) => {
    for (const count of [0, 1, 20, 100, 333]) {
      const whole = await readAll(eachRecord(listOf(numbered(count), undefined, quirks)));
      expect(idsOf(whole.items).sort()).toEqual(idsOf(numbered(count)).sort());
      expect(whole.complete).toBe(true);
    }
  });
});

describe('a list that changes while it is read', () => {
  const removal = fc.record({ remove: fc.array(fc.nat(3_000), { maxLength: 50 }) });
  const change = fc.oneof(removal, fc.record({ add: fc.nat(120), atFront: fc.boolean() }));

  test('yields no record twice, and a result that is marked complete misses none', async () => {
    const quirks = fc.record({ cap: fc.constantFrom(100, 100, 40, 7), beyondEnd: fc.constantFrom('empty', 'last') });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2_000 }), fc.array(change, { maxLength: 40 }), quirks, async (count, changes, quirk) => {
        const removed = new Set<string>();
        const reader = listOf(
          numbered(count),
          (items, request) => {
            const now = request === 0 ? undefined : changes[request - 1];
            if (now === undefined) return;
            if ('remove' in now) for (const index of now.remove) for (const gone of items.splice(index, 1)) removed.add(gone.id);
            if ('add' in now) items.splice(now.atFront ? 0 : items.length, 0, ...numbered(now.add, `new-${request}`));
          },
          quirk,
        );
        const whole = await readAll(eachRecord(reader));
        const ids = idsOf(whole.items);
        expect(new Set(ids).size).toBe(ids.length);
        const got = new Set(ids);
        const missed = idsOf(numbered(count)).filter((id) => !removed.has(id) && !got.has(id));
        if (whole.complete) expect(missed).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['is complete once the list stops changing', 15, true],
    ['is not complete if the list never stops changing', 1_000, false],
  ])('over the network: the result %s', async (_what, changes, complete) => {
    const { demo, client } = await startService({ channels: 1_000 });
    const [...before] = demo.world.channels.keys();
    const oldest = () => [...demo.world.channels.values()].toSorted((a, b) => (a.created < b.created ? -1 : 1))[0]?.id ?? '';
    demo.behaviour.onRequest = ({ number }) => {
      if (number <= changes) demo.world.channels.delete(oldest());
    };
    const pages: number[] = [];
    const whole = await client.channels.all({ onPage: (page) => pages.push(page) });
    const stayed = before.filter((id) => demo.world.channels.has(id));
    const got = idsOf(whole.items);
    expect(whole.complete).toBe(complete);
    expect(new Set(got).size).toBe(got.length);
    if (complete) expect(stayed.filter((id) => !got.includes(id))).toEqual([]);
    expect(pages.length).toBe(demo.requests.length);
  });
});

describe('a service that pages in an undocumented way', () => {
  const page = (identities: string[], pager: RecordPage<Item>['pager']): RecordPage<Item> => {
    const items = identities.map((id) => ({ id }));
    return { pager, items, identities, skipped: 0, problems: [] };
  };

  test.each([
    ['returns its first page for every page', async () => page(['a', 'b'], { page: 1, totalPages: 5_000_000, totalResults: 10_000_000 })],
    ['announces more pages and returns no records', async () => page([], { page: 1, totalPages: 1e15, totalResults: 1e15 })],
    [
      'returns fewer records than it announces',
      async ({ page: at = 1 }: ListQuery) => page(at === 1 ? ['a', 'b', 'c'] : [], { page: at, totalPages: 2, totalResults: 4 }),
    ],
  ])('%s: the reading ends, and the result is not complete', async (_what, list) => {
    let requests = 0;
    const counted = (query: ListQuery) => {
      requests += 1;
      return list(query);
    };
    const whole = await readAll(eachRecord<Item, ListQuery>({ list: counted, size: 100 }));
    expect(whole.complete).toBe(false);
    expect(requests).toBeLessThan(100);
    expect(new Set(idsOf(whole.items)).size).toBe(whole.items.length);
  });

  test('numbers pages from zero in its responses: all records are read', async () => {
    const { list } = listOf(numbered(250));
    const shifted = async (query: ListQuery) => {
      const answer = await list(query);
      return { ...answer, pager: { ...answer.pager, page: (query.page ?? 1) - 1 } };
    };
    const whole = await readAll(eachRecord({ list: shifted, size: 100 }));
    expect(idsOf(whole.items).sort()).toEqual(idsOf(numbered(250)).sort());
  });

  test.each([
    { maxPageSize: 60, oversizedPage: 'reject' },
    { maxPageSize: 30, oversizedPage: 'clamp' },
    { pageBeyondEnd: 'not-found' },
    { pageBeyondEnd: 'last' },
    { pagesWhenEmpty: 1 },
    { unknownSort: 'reject', sortEcho: 'normalised' },
    { nullFields: 0.4, missingFields: 0.4 },
  ] as const)('with %j: no remaining record is missed while channels are deleted', async (behaviour) => {
    const { demo, client } = await startService({ channels: 450 });
    Object.assign(demo.behaviour, behaviour);
    const removable = [...demo.world.channels.keys()].reverse();
    demo.behaviour.onRequest = () => {
      for (const id of removable.splice(0, 40)) demo.world.channels.delete(id);
    };
    const got = new Set(idsOf((await client.channels.all()).items));
    expect([...demo.world.channels.keys()].filter((id) => !got.has(id))).toEqual([]);
    const projects = await client.projects.all();
    expect(projects.items.length).toBe(demo.world.projects.size);
  });
});

test('a list is not read further once the signal is aborted', async () => {
  const { demo, client } = await startService({ channels: 500 });
  const abort = new AbortController();
  const error = await failure(client.channels.all({ signal: abort.signal, onPage: (page) => page > 1 && abort.abort() }));
  expect(error.code).toBe('cancelled');
  expect(demo.requests).toHaveLength(2);
});

test('filters and another sort are passed on', async () => {
  const { demo, client } = await startService();
  await client.channels.all({ query: { planType: 2, sort: 'name:1' } });
  expect(demo.requests[0]?.query).toEqual({ planType: '2', sort: 'name:1', page: '1', size: '100' });
  await client.projects.all();
  expect(demo.requests[1]?.query).toEqual({ sort: 'Created:1', page: '1', size: '100' });
});
