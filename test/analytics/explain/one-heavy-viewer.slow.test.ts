/** One viewer who watches much, and alike in both times, hides nothing of what changed elsewhere. */
import { expect, test } from 'vitest';
import type { DemoView } from '../../../src/demo/records.ts';
import { recordsIn } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-06-01');
const COUNTRIES = ['DE', 'FR', 'US', 'GB'];

interface World {
  readonly viewers: number;
  /** Of one viewer in US, in each of the two times. */
  readonly heavy: { readonly views: number; readonly watchTime: number };
  /** Of ten viewers in DE, those that are gone in the second time. */
  readonly gone?: number;
  readonly isHalved?: boolean;
  /** Of a hundred viewers, those whose views name none. */
  readonly nameless?: number;
}

function viewsOf({ viewers, heavy, gone = 0, isHalved = false, nameless = 0 }: World): Partial<DemoView>[] {
  const view = (country: string, viewerId: string, watchTime: number, ms: number): Partial<DemoView> => ({
    ...{ viewerId, watchTime, started: true, ended: false, muted: false },
    geo: { ip: '', city: '', region: '', country, continent: 'EU' },
    date: new Date(FIRST + ms).toISOString().replace('Z', '+00:00'),
  });
  const viewer = (period: number, country: string, at: number) =>
    Array.from({ length: 5 }, (_, n) => {
      const divisor = isHalved && period === 1 && country === 'DE' ? 2 : 1;
      const watchTime = Math.floor((60 + ((at * 7 + n * 13) % 40)) / divisor);
      const day = period * 14 + ((at * 5 + n * 3) % 14);
      return view(country, at % 100 < nameless ? '' : `${country}-${at}`, watchTime, day * DAY_MS + at * 60_000);
    });
  return [0, 1].flatMap((period) => [
    ...COUNTRIES.flatMap((country) =>
      Array.from({ length: viewers }, (_, at) =>
        period === 1 && country === 'DE' && at % 10 < gone ? [] : viewer(period, country, at),
      ).flat(),
    ),
    ...Array.from({ length: heavy.views }, (_, n) => view('US', 'heavy', heavy.watchTime, (period * 14 + (n % 14)) * DAY_MS + n * 1_000)),
  ]);
}

test.each<[string, World]>([
  ['watch_time', { viewers: 1_200, heavy: { views: 1, watchTime: 86_400 }, gone: 5 }],
  ['watch_time', { viewers: 1_200, heavy: { views: 14, watchTime: 28_800 }, gone: 10 }],
  ['avg_watch_time', { viewers: 800, heavy: { views: 28, watchTime: 3_600 }, isHalved: true }],
  ['watch_time_per_viewer', { viewers: 800, heavy: { views: 1, watchTime: 86_400 }, isHalved: true }],
  ['views', { viewers: 300, heavy: { views: 200, watchTime: 600 }, gone: 5, nameless: 50 }],
])('the country that lost is found, of %s: %j', async (metric, world) => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  demo.world.addViews(viewsOf(world));
  const { client } = await start({ demo });
  const { data } = await client.callTool('explain_change', { from: '2026-06-15', to: '2026-06-28', metric });
  expect(recordsIn(data, 'rows')[0]).toMatchObject({ dimension: 'country', value: 'DE' });
});
