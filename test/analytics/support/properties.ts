/** Properties of the answer to any question, for every kind of storage. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DemoView } from '../../../src/demo/records.ts';
import type { TestClient } from '../../harness/client.ts';
import type { DemoService } from '../../harness/service.ts';
import { type AnalyticsAnswer, ask, byDimensions, reachOf } from './ask.ts';
import { expectedAnswer } from './oracle.ts';
import { randomQuestions } from './questions.ts';

/** Defaults; a manual run can set more. */
export const VIEWS = Number(process.env.ANALYTICS_TEST_VIEWS ?? 2_500);
export const RUNS = Number(process.env.ANALYTICS_TEST_RUNS ?? 25);

/** Behaviour that makes a service hard to read. */
export const AWKWARD = {
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

const sorted = <T>(entries: Iterable<readonly [string, T]>) => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Asserts that random questions get the answer of a plain reduction over the records, and all clients the same answer. */
export async function answersAreRight(clients: readonly TestClient[], demo: DemoService, runs: number): Promise<void> {
  const records = [...demo.world.views.each()] as DemoView[]; // nothing was added by hand
  await fc.assert(
    fc.asyncProperty(randomQuestions(demo), async ({ args, oracle }) => {
      const answers: AnalyticsAnswer[] = [];
      for (const client of clients) {
        const answer = await ask(client, args);
        const expected = expectedAnswer(records, oracle, reachOf(answer.coverage), answer.before && reachOf(answer.before));
        expect(answer.totals).toEqual(expected.totals);
        expect(sorted(byDimensions(answer, oracle.groupBy))).toEqual(sorted(expected.rows));
        expect(answer.coverage.complete).toBe(true);
        answers.push(answer);
      }
      for (const answer of answers.slice(1)) expect(withoutTimes(answer)).toEqual(withoutTimes(answers[0]));
    }),
    { numRuns: runs },
  );
}

/** An answer without the parts that differ by client: the time of reading and the id of the report. */
function withoutTimes(answer: AnalyticsAnswer | undefined): unknown {
  const { columns, rows, totals, coverage } = answer ?? {};
  return { columns, rows, totals, records: coverage?.records, complete: coverage?.complete };
}
