import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../../../src/demo/behaviour.ts';
import type { DemoView } from '../../../src/demo/records.ts';
import { CLIENT_KINDS, type ClientKind } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { ask, byDimensions } from '../support/ask.ts';
import { expectedAnswer } from '../support/oracle.ts';
import { NOW, randomQuestions } from '../support/questions.ts';

/** As many as a run on purpose wants. */
const VIEWS = Number(process.env.ANALYTICS_TEST_VIEWS ?? 2_500);
const RUNS = Number(process.env.ANALYTICS_TEST_RUNS ?? 25);

const sorted = <T>(entries: Iterable<readonly [string, T]>) => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** What a service may be like that is no easy one to read. */
const AWKWARD = {
  statsMaxSize: 137,
  repeatedViewsPerPage: 5,
  malformedViewEvery: 11,
  movingTotal: true,
  viewDateOffsets: [0, 330, -210, 765, -600],
  viewDateFractionDigits: 7,
  statsTimezoneOffsetMinutes: -480,
  toInclusive: true,
  hitsMeans: 'total',
} as const;

async function holds(kind: ClientKind, behaviour: Partial<Behaviour>, runs: number): Promise<void> {
  const demo = await startService({ views: VIEWS, seed: 5, now: NOW });
  Object.assign(demo.behaviour, behaviour);
  const records = [...demo.world.views.each()] as DemoView[]; // nothing was added by hand
  const { client } = await start({ client: kind, demo });
  await fc.assert(
    fc.asyncProperty(randomQuestions(demo), async ({ args, oracle }) => {
      const answer = await ask(client, args);
      const expected = expectedAnswer(records, oracle);
      expect(answer.totals).toEqual(expected.totals);
      expect(sorted(byDimensions(answer, oracle.groupBy))).toEqual(sorted(expected.rows));
      expect(answer.coverage.missing ?? '').not.toContain('not read');
    }),
    { numRuns: runs },
  );
}

describe.each(CLIENT_KINDS.filter((kind) => kind.startsWith('v2')))('%s', (kind) => {
  test('any question is answered as a plain reduction over the records answers it', { timeout: 900_000 }, () => holds(kind, {}, RUNS));

  test('it is so before a service that is hard to read', { timeout: 900_000 }, () => holds(kind, AWKWARD, Math.ceil(RUNS / 4)));
});
