/** The guard in isolation: what it enforces even if everything around it fails. */
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createUnseenForms } from '../../../src/changes/asking/unseen-forms.ts';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import type { ChangeRequest } from '../../../src/changes/life/change-request.ts';
import { createGuard, type GuardOptions } from '../../../src/changes/life/guard.ts';
import { createJobs } from '../../../src/changes/life/jobs.ts';
import type { BulkRun, ChangePlan, ItemPlan, ItemRun, PlannedItem } from '../../../src/changes/plan/plan.ts';
import { createDecidedRequests } from '../../../src/changes/proposals/decided-requests.ts';
import { tokenRoute } from '../../../src/changes/proposals/routes/token.ts';
import { secondPersonRule } from '../../../src/config/second-person.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { freshHome } from '../../harness/start.ts';
import { NO_PAGE } from '../support/confirm.ts';
import { NO_COPY, NO_MOVE } from '../support/intents.ts';
import { inMemory } from '../support/proposals.ts';

const CLIENT = { name: 'a client', version: '1.0.0' };

function planOf(
  apply: ItemPlan['apply'],
  seen: PlannedItem['seen'] = null,
  kind: 'update_channels' | 'export_emails' = 'update_channels',
): ItemPlan {
  return {
    kind,
    facts: {},
    preview: {
      summary: sentence`Do it`,
      notices: [],
      onFailure: sentence``,
      undo: { possible: 'no', how: sentence`Not at all.` },
    },
    items: [{ id: 'one', label: sentence`One`, seen, before: {}, after: { name: 'Other' } }],
    apply,
  };
}

/** A guard, and a function that requests the same plan each time; `runs` has an entry for each time that it was carried out. */
function guarded(options: Partial<GuardOptions> = {}) {
  const runs: ItemRun[] = [];
  const plan = planOf(async (run) => void runs.push(run));
  const journal = createJournal(join(freshHome(), 'changes'));
  const { guard } = createGuard({
    accountId: 'this account',
    agent: undefined,
    decided: createDecidedRequests({ folder: join(freshHome(), 'decided') }),
    mode: 'token',
    readOnly: false,
    secondPerson: secondPersonRule('never'),
    journal,
    jobs: createJobs(() => {}),
    unseenForms: createUnseenForms(join(freshHome(), 'unseen-forms')),
    ...inMemory(),
    page: NO_PAGE,
    assertCanBeNoted: async () => undefined,
    ...options,
  });
  const ask = (request: Partial<ChangeRequest> = {}) => {
    const { signal } = new AbortController();
    return guard({
      tool: 'a_tool',
      effect: 'change',
      args: { a: 1 },
      client: 'test-client',
      token: undefined,
      planner: async () => plan,
      forms: { kind: 'none' },
      signal,
      progress: () => {},
      answerBy: Date.now() + 10_000,
      readWithin: (read) => read(signal),
      ...request,
    });
  };
  return { ask, runs };
}

async function tokenOf(asked: ReturnType<ReturnType<typeof guarded>['ask']>): Promise<string> {
  const reply = await asked;
  return reply.kind === 'token' ? reply.token : '';
}

test('a token is valid only for its account, tool and arguments, even if the plan is the same', async () => {
  const asking = inMemory();
  const { ask, runs } = guarded(asking);
  const other = guarded({ ...asking, accountId: 'another account' });
  const wrong = [
    (token: string) => other.ask({ token }),
    (token: string) => ask({ token, tool: 'another_tool' }),
    (token: string) => ask({ token, args: { a: 2 } }),
  ];
  for (const attempt of wrong) {
    await expect(attempt(await tokenOf(ask()))).rejects.toThrow('for another request');
    expect([...runs, ...other.runs]).toEqual([]);
  }
  expect(await ask({ token: await tokenOf(ask()) })).toMatchObject({ kind: 'started' });
  expect(runs).toHaveLength(1);
});

test('a read-only server refuses a change and allows a release of data', async () => {
  const { ask, runs } = guarded({ readOnly: true, mode: 'never' });
  await expect(ask()).rejects.toMatchObject({ code: 'not_approved' });
  expect(runs).toEqual([]);
  // The kind of what is planned counts, whatever the tool says of itself.
  await expect(ask({ effect: 'release' })).rejects.toMatchObject({ code: 'not_approved' });
  expect(runs).toEqual([]);
  const release = planOf(async (run) => void runs.push(run), null, 'export_emails');
  expect(await ask({ effect: 'release', planner: async () => release })).toMatchObject({ kind: 'started' });
  expect(runs).toHaveLength(1);
});

test('a release gets a closed approval', async () => {
  const open: boolean[] = [];
  const { ask } = guarded({ mode: 'never' });
  const plannerOf = (kind: 'update_channels' | 'export_emails') => async () =>
    planOf(async ({ approval }) => void open.push(approval.isOpen), null, kind);
  await ask({ planner: plannerOf('update_channels') });
  await ask({ planner: plannerOf('export_emails') });
  expect(open).toEqual([true, false]);
});

test('a call that is cancelled during planning starts nothing', async () => {
  const { ask, runs } = guarded({ mode: 'never' });
  const giveUp = new AbortController();
  const asked = ask({
    signal: giveUp.signal,
    readWithin: async (read) => {
      const plan = await read(giveUp.signal);
      giveUp.abort();
      return plan;
    },
  });
  await expect(asked).rejects.toThrow();
  expect(runs).toEqual([]);
});

test('an approval is closed when its change ends, even if the change fails', async () => {
  const given: ItemRun['approval'][] = [];
  const { ask } = guarded({ mode: 'never' });
  const planner = (fails: boolean) => async () =>
    planOf(async ({ approval }) => {
      given.push(approval);
      if (fails) throw new Error('a defect');
    });
  for (const fails of [false, true]) await ask({ planner: planner(fails) });
  expect(given.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});

test('the time that a person takes to answer is added to the time budget of the second plan', async () => {
  const { ask, runs } = guarded({ mode: 'form' });
  const { signal } = new AbortController();
  const answerBy = Date.now() + 1_000;
  const until: number[] = [];
  const think = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { action: 'accept', content: { decision: 'apply' } } as const;
  };
  const readWithin: ChangeRequest['readWithin'] = (read, end) => {
    until.push(end);
    return read(signal);
  };
  await ask({ answerBy, readWithin, forms: { kind: 'push', client: CLIENT, ask: think } });
  expect(until[0]).toBe(answerBy);
  expect(until[1]).toBeGreaterThan(answerBy);
  expect(runs).toHaveLength(1);
});

test('the call waits for a small change, even if the person took five minutes to answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { ask } = guarded({ mode: 'form' });
    let isDone = false;
    const planner = async () =>
      planOf(async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        isDone = true;
      });
    const think = async () => {
      vi.setSystemTime(Date.now() + 5 * 60_000);
      return { action: 'accept', content: { decision: 'apply' } } as const;
    };
    expect(await ask({ planner, answerBy: Date.now() + 10_000, forms: { kind: 'push', client: CLIENT, ask: think } })).toMatchObject({
      kind: 'started',
    });
    expect(isDone).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('a change is not carried out if the record changes during the confirmation', async () => {
  let version = 1;
  const { ask } = guarded({ mode: 'ask' });
  const runs: ItemRun[] = [];
  const planner = async () => planOf(async (run) => void runs.push(run), { version, updated: null });
  const accept = async () => {
    version += 1;
    return { action: 'accept', content: { decision: 'apply' } } as const;
  };
  expect(await ask({ planner, forms: { kind: 'push', client: CLIENT, ask: accept } })).toMatchObject({
    kind: 'conflict',
    conflicts: ['One was changed meanwhile: what of it is not shown.'],
  });
  expect(runs).toEqual([]);
});

test('a plan waits as long as its form is open', async () => {
  const asking = inMemory();
  const { ask } = guarded({
    mode: 'form',
    ...asking,
    journal: { ...createJournal(join(freshHome(), 'changes')), newChangeId: async () => 'ch_1' },
  });
  const decline = async () => {
    expect((await asking.proposals.get('ch_1'))?.plan.kind).toBe('update_channels');
    return { action: 'decline' } as const;
  };
  expect(await ask({ forms: { kind: 'push', client: CLIENT, ask: decline } })).toMatchObject({ kind: 'declined' });
  // A form that is declined at once was seen by nobody.
  expect(await asking.proposals.get('ch_1')).toBeUndefined();
});

test('a token that comes too late starts nothing, and the answer says for how long it counted', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { ask, runs } = guarded();
    const [early, late] = [await tokenOf(ask()), await tokenOf(ask({ args: { a: 2 } }))];
    vi.setSystemTime(Date.now() + tokenRoute.waits.lifetimeMs - 1);
    expect(await ask({ token: early })).toMatchObject({ kind: 'started' });
    vi.setSystemTime(Date.now() + 1);
    await expect(ask({ args: { a: 2 }, token: late })).rejects.toThrow(`older than ${tokenRoute.waits.lifetime}`);
    expect(runs).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['McpError: MCP error -32001: Request timed out', 'unanswered'],
  ['request timeout', 'unanswered'],
  ['The user pressed Escape.', undefined],
])(
  'a call cancelled with “%s” while its form is open changes nothing, and only a timeout marks the form as unseen',
  async (reason, how) => {
    const unseenForms = createUnseenForms(join(freshHome(), 'unseen-forms'));
    const { ask, runs } = guarded({ mode: 'ask', unseenForms });
    const giveUp = new AbortController();
    const wait = async () => {
      giveUp.abort(reason);
      return { action: 'unanswered', reason } as const;
    };
    expect(await ask({ signal: giveUp.signal, forms: { kind: 'push', client: CLIENT, ask: wait } })).toMatchObject({ kind: 'declined' });
    expect(runs).toEqual([]);
    expect((await unseenForms.find(CLIENT))?.how).toBe(how);
  },
);

describe('the status of a change', () => {
  async function statusOf(plan: (stop: () => Promise<void>) => ChangePlan) {
    const [journal, jobs] = [createJournal(join(freshHome(), 'changes')), createJobs(() => {})];
    const { ask } = guarded({ mode: 'never', journal, jobs });
    const stop = async () => {
      // By then the job is registered.
      await new Promise((resolve) => setImmediate(resolve));
      await jobs.close(0);
    };
    await ask({ planner: async () => plan(stop) });
    const [record] = await journal.list(1);
    return record?.status;
  }

  test('is "stopped" only if an item was left to send', async () => {
    const refused = (stop: () => Promise<void>) =>
      planOf(async ({ record }) => {
        await record('one', { outcome: 'failed', reason: sentence`Refused.` });
        await stop();
      });
    expect(await statusOf(refused)).toBe('failed');
    expect(await statusOf((stop) => planOf(stop))).toBe('stopped');
  });

  test('is "failed" if nothing succeeded, and "partly_applied" if all of it may have', async () => {
    const { items: _, ...rest } = planOf(async () => {});
    const bulk =
      (unknown: number) =>
      async ({ record }: BulkRun) => {
        await record(0, unknown, 'unknown', sentence`Lost.`);
        await record(unknown, 4, 'not_done', sentence`Not sent.`);
      };
    const statusWith = (unknown: number) =>
      statusOf(() => ({ ...rest, kind: 'move_videos', facts: NO_MOVE, ids: ['a', 'b', 'c', 'd'], apply: bulk(unknown) }));
    expect([await statusWith(1), await statusWith(3), await statusWith(4)]).toEqual(['failed', 'failed', 'partly_applied']);
  });

  test('is "partly_applied", not "failed", if a request was under way when the change broke off', async () => {
    const { items: _, ...rest } = planOf(async () => {});
    const breaksOff = async ({ sending }: BulkRun) => {
      await sending(0, 2, true);
      throw new Error('a defect');
    };
    expect(await statusOf(() => ({ ...rest, kind: 'copy_cta', facts: NO_COPY, ids: ['a', 'b'], apply: breaksOff }))).toBe('partly_applied');
  });
});
