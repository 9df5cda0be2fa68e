/** A service that does not respond. The timeouts of the product are half a minute; here the same parts have shorter ones. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '../../../src/account/account.ts';
import { planCopy } from '../../../src/changes/bulk/plan-copy.ts';
import { planMove } from '../../../src/changes/bulk/plan-move.ts';
import { createUnseenForms } from '../../../src/changes/confirm/unseen-forms.ts';
import { createWaitingChanges } from '../../../src/changes/confirm/waiting-changes.ts';
import { createGuard } from '../../../src/changes/guard.ts';
import { createJobs } from '../../../src/changes/jobs.ts';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import type { ChangePlanner } from '../../../src/changes/plan.ts';
import type { FileDeps } from '../../../src/changes/plan-deps.ts';
import { createClient } from '../../../src/service/client.ts';
import { createHttp } from '../../../src/service/http.ts';
import { atEnd } from '../../harness/cleanup.ts';
import type { Fault } from '../../harness/faults.ts';
import { freshHome } from '../../harness/start.ts';
import { NO_PAGE } from '../support/confirm.ts';
import { type Account, COPY, copiedIds, doubled, idsIn, MOVE, manyVideos, PASSING, requestsOf, sorted } from './harness.ts';

const HANGS: readonly Fault[] = [
  { kind: 'hang' },
  { kind: 'hang', processed: true },
  { kind: 'hang-body' },
  { kind: 'delay', ms: 900, processFirst: true },
];

/** Carries out a change with short timeouts; returns its record in the journal, and a function that lists the ids with an outcome. */
async function carryOut({ demo }: Account, plan: (deps: FileDeps) => ChangePlanner) {
  const timeouts = { connectMs: 1_000, headersMs: 300, bodyMs: 300, totalMs: 1_000 };
  const http = createHttp({ baseUrl: demo.baseUrl, statsUrl: demo.statsUrl, apiKey: demo.apiKey, timeouts, retry: { baseMs: 20 } });
  atEnd(() => http.close());
  const client = createClient(http);
  const journal = createJournal(join(freshHome(), 'changes'));
  const jobs = createJobs(() => {});
  const unseenForms = createUnseenForms(join(freshHome(), 'unseen-forms'));
  const { guard } = createGuard({
    ...{ accountId: 'a', mode: 'never', readOnly: false, journal, jobs, unseenForms },
    ...{ waiting: createWaitingChanges(), page: NO_PAGE },
  });
  const { signal } = new AbortController();
  const reply = await guard({
    tool: 'any',
    effect: 'change',
    args: {},
    token: undefined,
    planner: plan({ client, account: createAccount(client), journal, catalogue: async () => undefined, filesDirs: [] }),
    forms: { kind: 'none' },
    signal,
    progress: () => {},
    answerBy: Date.now() + 100_000,
    readWithin: (read) => read(signal),
  });
  const changeId = reply.kind === 'started' ? reply.changeId : '';
  const record = await journal.read(changeId);
  const ids = await journal.readIds(changeId);
  const told = (outcome: string) => ids.filter((_, at) => record?.bulk?.statusAt(at) === outcome);
  return { record, told };
}

test('moves whose response is missing or incomplete time out and are retried, and each outcome is exact', async () => {
  const account = await manyVideos(6_000, 25);
  account.demo.faults.random({ match: MOVE, rate: 0.04, seed: 13, faults: [...HANGS, ...PASSING] });
  const { told } = await carryOut(account, (deps) => planMove({ targetProject: account.archive, videoIds: account.ids }, deps));
  const good = account.ids.filter((id) => !account.poisoned.has(id));
  expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(good));
  expect(sorted(told('failed'))).toEqual(sorted(account.poisoned));
  expect(told('done')).toEqual(good);
});

test('a copy whose response is missing or incomplete is in doubt, and is not retried', async () => {
  const account = await manyVideos(3_001);
  const [source = '', ...targets] = account.ids;
  account.demo.world.videos.get(source)?.ctas.push({ id: 'cta-1', text: 'Go', url: 'https://www.example.com/' });
  account.demo.faults.random({ match: COPY, rate: 0.25, seed: 2, faults: HANGS });
  const { told } = await carryOut(account, (deps) => planCopy({ sourceVideoId: source, targetVideoIds: targets }, deps));
  expect(doubled(account.demo)).toEqual([]);
  const sent = requestsOf(account.demo, COPY).flatMap(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
  expect(new Set(sent).size).toBe(sent.length);
  const has = new Set(copiedIds(account.demo));
  const inDoubt = new Set(told('unknown'));
  expect(inDoubt.size).toBeGreaterThan(0);
  expect(told('done')).toEqual(targets.filter((id) => has.has(id) && !inDoubt.has(id)));
});

test('a service that never responds again ends the move, and the rest is not sent', async () => {
  const account = await manyVideos(40_000);
  account.demo.faults.always({ skip: 10, do: { kind: 'hang' } });
  const { record, told } = await carryOut(account, (deps) => planMove({ targetProject: account.archive, videoIds: account.ids }, deps));
  expect(record?.status).toBe('partly_applied');
  const moved = new Set(idsIn(account.demo, account.archive));
  const [done, unknown] = [told('done'), new Set(told('unknown'))];
  expect(done.length).toBeGreaterThan(0);
  expect(done.filter((id) => !moved.has(id))).toEqual([]);
  // Moved ids that are not known as moved were answered after the timeout.
  expect([...moved].filter((id) => !unknown.has(id))).toHaveLength(done.length);
  expect(told('failed')).toEqual([]);
  // Eight are in flight, and five more may have begun when the sixth in a row was given up.
  expect(told('not_done').length).toBeGreaterThanOrEqual(40_000 - 10_000 - 13_000);
});
