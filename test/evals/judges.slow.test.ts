/** Every task's judge passes the right ending, and fails each of several wrong endings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Judged, judge } from '../../evals/judge/judge.ts';
import { type AccountState, accountState } from '../../evals/judge/state.ts';
import { arrangeAccount } from '../../evals/play/account.ts';
import { root } from '../../evals/root.ts';
import type { Answered, Outcome } from '../../evals/task.ts';
import { TASKS } from '../../evals/tasks/index.ts';
import type { DemoRequest } from '../../src/demo/requests.ts';

/** Of an ending in which nothing was read, written or asked. */
const NOTHING = { requests: [], seen: [], calls: [], newFiles: {}, unagreed: [] };

test('there are at least thirty tasks, each with an id and a seed of its own', () => {
  expect(new Set(TASKS.map(({ id }) => id)).size).toBe(TASKS.length);
  expect(new Set(TASKS.map(({ account }) => account?.seed)).size).toBe(TASKS.length);
  expect(TASKS.length).toBeGreaterThanOrEqual(30);
});

test('the example in docs/evals.md is an existing task', () => {
  const [, example = ''] = /```typescript\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs', 'evals.md'), 'utf8')) ?? [];
  expect(example).toContain('arrange');
  expect(readFileSync(join(root, 'evals', 'tasks', 'channels.ts'), 'utf8')).toContain(example);
});

test.each(TASKS.map((task) => [task.id, task] as const))('%s: the right ending passes, and wrong ones fail', async (_id, task) => {
  const account = await arrangeAccount(task);
  try {
    const { expected, demo, earlier, wishes } = account;
    for (const step of earlier) if (typeof step === 'function') step();
    const start = accountState(demo.world);
    expected.exampleStart?.(start);
    const stateAfter = (change: Outcome['end']): AccountState => {
      const state = structuredClone(start);
      change?.(state);
      return state;
    };
    const end = stateAfter(expected.end);
    const outcomes = expected.earlier ?? [];
    expect(outcomes.length, 'outcomes of wishes before the last').toBe(wishes.length - 1);
    const answered: Answered[] = outcomes.map((outcome) => ({ account: stateAfter(outcome.end), answer: outcome.example }));
    const ofUser = wishes.map(({ says, knows }) => `${says} ${knows}`).join(' ');
    const usual: Judged = { ...NOTHING, start, account: end, answered, finalAnswer: expected.example, ofUser };
    const right = { ...usual, ...expected.exampleEnding };
    const findings = (ending: Partial<Judged>): readonly string[] => judge(task, expected, { ...right, ...ending }).findings;
    expect(findings({})).toEqual([]);

    const wrong: Partial<Judged>[] = (expected.wrong ?? []).map((finalAnswer) => ({ finalAnswer }));
    if (JSON.stringify(start) !== JSON.stringify(end)) wrong.push({ account: start }, { account: withAnotherRename(end) });
    for (const account of (expected.wrongEnds ?? []).map(stateAfter)) wrong.push({ account });
    wrong.push(...(expected.wrongEndings ?? []));
    if (expected.exampleEnding !== undefined) wrong.push({ newFiles: {}, calls: [] });
    for (const [index, outcome] of outcomes.entries()) {
      const instead = (other: Partial<Answered>): Partial<Judged> => ({
        answered: answered.map((one, position) => (position === index ? { ...one, ...other } : one)),
      });
      wrong.push(...(outcome.wrong ?? []).map((answer) => instead({ answer })), { answered: answered.slice(0, index) });
      for (const account of [...(outcome.wrongEnds ?? []).map(stateAfter), withAnotherRename(stateAfter(outcome.end))])
        wrong.push(instead({ account }));
      if (JSON.stringify(start) !== JSON.stringify(stateAfter(outcome.end))) wrong.push(instead({ account: start }));
    }
    wrong.push({ requests: [emptied(Object.keys(start.channels)[0] ?? '')] });
    wrong.push({ unagreed: ['update_channels was confirmed though the user had not agreed'] });
    if (task.aboutPersonalData === true) wrong.push({ seen: ['somebody@firma.example'] });
    expect(wrong.filter((ending) => findings(ending).length === 0)).toEqual([]);
    // Two of the wrong endings are the same for every task.
    expect(wrong.length - 2, 'wrong endings of its own').toBeGreaterThanOrEqual(1);
  } finally {
    await account.close();
  }
});

function withAnotherRename(account: Judged['account']): Judged['account'] {
  const changed = structuredClone(account);
  for (const channel of Object.values(changed.channels).slice(-1)) channel.name = 'Renamed by nobody';
  return changed;
}

/** A rename that sends no list, as a plain wrapper of the API does: the service empties the channel. */
function emptied(channelId: string): DemoRequest {
  const body = { name: 'Renamed', videoKeys: [] };
  const sent = { api: 'main', method: 'PUT', path: `/v1/channels/${channelId}`, query: {}, headers: {}, body } as const;
  return { ...sent, number: 1, at: 0, status: 200, applied: true, inFlight: 1 };
}
