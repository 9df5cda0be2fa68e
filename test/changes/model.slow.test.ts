/** Random histories of calls, approvals, refusals, faults, edits by others and restarts: no channel ever holds what nobody stated or approved. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { command, introduction, setting } from './support/model/commands.ts';
import { live, type Tally } from './support/model/run.ts';

const RUNS = Number(process.env.MODEL_RUNS ?? 70);
const SEED = Number(process.env.MODEL_SEED ?? 20_261_101);

afterEach(() => void vi.restoreAllMocks());

test(`a channel holds only what a person stated or approved, in ${RUNS} random histories`, async () => {
  // The delays between retries of a read are random: this makes them zero.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const tally: Tally = { puts: 0, posts: 0, claims: 0, applied: 0, stated: 0, resumed: 0, statuses: {} };
  await fc.assert(
    fc.asyncProperty(setting, fc.array(command, { minLength: 4, maxLength: 14 }), (of, commands) =>
      live(of, of.isIntroduced ? [introduction(of), ...commands] : commands, tally),
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.MODEL_QUICK === '1', maxSkipsPerRun: 0 },
  );
  if (process.env.MODEL_TALLY === '1') process.stderr.write(`${JSON.stringify(tally)}\n`);
  // The property would also hold if nothing happened, so these counts have to be high enough.
  expect(tally.applied).toBeGreaterThan(RUNS / 2);
  expect(tally.claims).toBeGreaterThan(RUNS);
  expect(tally.stated).toBeGreaterThan(RUNS / 10);
  expect(tally.resumed).toBeGreaterThan(RUNS / 50);
}, 3_600_000);
