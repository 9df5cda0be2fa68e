/** Random histories of calls, approvals, refusals, faults, edits elsewhere and restarts: no channel ever holds what nobody stated or approved. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { command, introduction, setting } from './support/model/commands.ts';
import { live, type Tally } from './support/model/run.ts';

const RUNS = Number(process.env.MODEL_RUNS ?? 100);
const SEED = Number(process.env.MODEL_SEED ?? 20_261_101);

afterEach(() => void vi.restoreAllMocks());

test(`what a person agreed to, and nothing else, in ${RUNS} random histories`, async () => {
  // The pauses between attempts at a read are drawn with it: here they are none.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const tally: Tally = { puts: 0, posts: 0, claims: 0, applied: 0, stated: 0, resumed: 0, statuses: {} };
  await fc.assert(
    fc.asyncProperty(setting, fc.array(command, { minLength: 4, maxLength: 14 }), (of, commands) =>
      live(of, of.isIntroduced ? [introduction(of), ...commands] : commands, tally),
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.MODEL_QUICK === '1', maxSkipsPerRun: 0 },
  );
  if (process.env.MODEL_TALLY === '1') process.stderr.write(`${JSON.stringify(tally)}\n`);
  // A model in which nothing happens would hold as well.
  expect(tally.applied).toBeGreaterThan(RUNS / 2);
  expect(tally.claims).toBeGreaterThan(RUNS);
  expect(tally.stated).toBeGreaterThan(RUNS / 10);
  expect(tally.resumed).toBeGreaterThan(RUNS / 50);
}, 3_600_000);
