/** Chance is no cause: of times that were drawn alike nothing stands out, and what was changed in the same noise does. */
import { describe, expect, test } from 'vitest';
import type { DemoView } from '../../../src/demo/records.ts';
import { recordsIn, type TestClient } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-01-05');
/** Two weeks each; each but the first is compared with the one before it. */
const PERIODS = 12;
const DAYS = 14;
const DEVICES = ['mobile', 'desktop', 'tv'];

type Draw = <T>(of: readonly T[]) => T;

/** Numbers from 0 to 1 that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const numbered = (count: number, name: string): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);
const [CITIES, SITES, VIDEOS] = [numbered(30, 'c'), numbered(8, 's'), numbered(30, 'v')];

/** The views of somebody on one day: one in ten watches much, a view in ten is long, and half name no viewer. */
function session(day: number, random: () => number): Partial<DemoView>[] {
  const int = (below: number): number => Math.floor(random() * below);
  const draw: Draw = (of) => of[int(of.length)] ?? of[0] ?? Object.assign(Object.create(null));
  const same: Partial<DemoView> = {
    viewerId: random() < 0.5 ? '' : `viewer-${int(1_500)}`,
    device: { family: '', model: '', type: draw(DEVICES), brand: draw(['A', 'B', 'C']) },
    geo: { ip: '', region: '', country: draw(['DE', 'FR', 'US', 'BR', 'IN']), city: draw(CITIES), continent: draw(['EU', 'NA']) },
    browser: { family: draw(['Chrome', 'Safari', 'Edge']), major: 1, minor: 0 },
    embed: { url: '', domain: `${draw(SITES)}.example`, type: 1 },
  };
  return Array.from({ length: random() < 0.1 ? 20 + int(30) : 1 + int(4) }, () => ({
    ...same,
    date: new Date(FIRST + day * DAY_MS + int(DAY_MS)).toISOString().replace('Z', '+00:00'),
    videoKey: draw(VIDEOS),
    watchTime: int(random() < 0.1 ? 3_000 : 200),
    started: true,
  }));
}

/** A client of an account that has these times; of the last, `change` may make something else. */
async function clientOf(seed: number, change: (view: Partial<DemoView>) => Partial<DemoView>[]): Promise<TestClient> {
  const random = randomFrom(seed);
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  for (let day = 0; day < PERIODS * DAYS; day += 1) {
    const views = Array.from({ length: 30 + Math.floor(random() * 15) }, () => session(day, random)).flat();
    demo.world.addViews(day < (PERIODS - 1) * DAYS ? views : views.flatMap(change));
  }
  return (await start({ demo })).client;
}

const dayText = (day: number): string => new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10);

async function explained(client: TestClient, metric: string, period: number) {
  const span = { from: dayText(period * DAYS), to: dayText(period * DAYS + DAYS - 1) };
  const { data, text, isError } = await client.callTool('explain_change', { ...span, metric });
  if (isError) throw new Error(text);
  return { rows: recordsIn(data, 'rows'), mix: data?.mix, breaks: data?.breaks };
}

const isMobile = ({ device }: Partial<DemoView>): boolean => device?.type === 'mobile';

describe.each([3, 4])('seed %i', (seed) => {
  test('chance is told as a cause of a change of any metric in none of ten times', async () => {
    const client = await clientOf(seed, (view) => [isMobile(view) ? { ...view, watchTime: Number(view.watchTime) * 5 } : view]);
    const breaks: unknown[] = [];
    for (const metric of ['views', 'watch_time', 'avg_watch_time', 'watch_time_per_viewer']) {
      const told: unknown[] = [];
      for (let period = 1; period < PERIODS - 1; period += 1) {
        const { rows, mix, breaks: broken } = await explained(client, metric, period);
        if (broken !== undefined) breaks.push({ metric, period, broken });
        if (rows.length > 0 || mix !== undefined) told.push({ metric, period, rows, mix });
      }
      expect(told).toEqual([]);
    }
    // Of four metrics in ten times each, at most one in twenty.
    expect(breaks.length, JSON.stringify(breaks)).toBeLessThanOrEqual(2);
    // What did change, in the same noise.
    for (const metric of ['avg_watch_time', 'watch_time_per_viewer'])
      expect((await explained(client, metric, PERIODS - 1)).rows[0]).toMatchObject({ dimension: 'device_type', value: 'mobile' });
  });
});

test('a device that is not used any more is found, though half of the views name no viewer', async () => {
  const client = await clientOf(3, (view) => (isMobile(view) ? [] : [view]));
  expect((await explained(client, 'views', PERIODS - 1)).rows[0]).toMatchObject({ dimension: 'device_type', value: 'mobile', now: 0 });
});
