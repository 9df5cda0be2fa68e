/** Whose task comes next where several people ask the same processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkerPool } from '../../../src/analytics/workers/worker-pool.ts';
import { asWorkOf } from '../../../src/platform/whose-work.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';

/** Processes that note which task they begin, and answer with it, but for those that are called “hold”. */
function pool(places: { readonly maxProcesses: number; readonly jobsPerProcess: number }) {
  const folder = freshHome();
  const [file, begun] = [join(folder, 'child.cjs'), join(folder, 'begun')];
  writeFileSync(begun, '');
  writeFileSync(
    file,
    `process.on('message', ({ id, task }) => {
      if (id === undefined) return;
      require('node:fs').appendFileSync(${JSON.stringify(begun)}, task + ' ');
      if (!task.endsWith('hold')) process.send({ id, outcome: task });
    });`,
  );
  const made = createWorkerPool<string, string, null>({
    name: 'test',
    file,
    config: null,
    idleMs: 60_000,
    retries: 0,
    log: () => undefined,
    ...places,
  });
  atEnd(made.close);
  const ask = (who: string, task: string) =>
    asWorkOf(who, () => made.run(`${who}-${task}`, { tooSlow: () => new Error('too slow') })).catch(() => undefined);
  return { ask, begun: () => readFileSync(begun, 'utf8').trim().split(' ') };
}

test('one place goes to each person in turn, however many tasks one of them has', async () => {
  const { ask, begun } = pool({ maxProcesses: 1, jobsPerProcess: 1 });
  await Promise.all([ask('bob', '1'), ask('bob', '2'), ask('bob', '3'), ask('ann', '1'), ask('ann', '2'), ask('eve', '1')]);
  expect(begun().slice(0, 3)).toEqual(['bob-1', 'ann-1', 'eve-1']);
  expect(begun().slice(3).toSorted()).toEqual(['ann-2', 'bob-2', 'bob-3']);
});

test('one person never has more than half of the places', async () => {
  for (const [places, most] of [
    [{ maxProcesses: 2, jobsPerProcess: 1 }, 1],
    [{ maxProcesses: 1, jobsPerProcess: 4 }, 2],
  ] as const) {
    const { ask, begun } = pool(places);
    for (let task = 0; task < 5; task += 1) void ask('bob', 'hold');
    const held = () => begun().filter((one) => one === 'bob-hold').length;
    await expect.poll(held).toBe(most);
    for (let task = 0; task < 3; task += 1) expect(await ask('ann', String(task))).toBe(`ann-${task}`);
    expect(held()).toBe(most);
  }
});

test('tasks of a server for one person have all places, in their order', async () => {
  const file = join(freshHome(), 'child.cjs');
  writeFileSync(
    file,
    "let held = 0; process.on('message', ({ id }) => { if (id !== undefined && ++held === 4) process.send({ id, outcome: held }); });",
  );
  const made = createWorkerPool<string, number, null>({
    ...{ name: 'test', file, config: null, idleMs: 60_000, retries: 0, log: () => undefined },
    ...{ maxProcesses: 1, jobsPerProcess: 4 },
  });
  atEnd(made.close);
  const tasks = ['a', 'b', 'c', 'd'].map((task) => made.run(task, { tooSlow: () => new Error('too slow') }));
  expect(await tasks[3]).toBe(4);
});
