/** `waiting`, as a person types it: a change by its id, or by what of it is enough. */
import { expect, test } from 'vitest';
import { runCommand } from '../../src/commands/run-command.ts';
import type { Surroundings } from '../../src/commands/surroundings.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { waitingAgent } from '../changes/waiting/harness.ts';
import { freshHome } from '../harness/start.ts';

type Person = Awaited<ReturnType<typeof waitingAgent>>['person'];

/** Runs it in this process, into a pipe: its exit code and what it wrote. */
async function waiting(person: Person, ...argv: readonly string[]) {
  const [printed, logged]: [string[], string[]] = [[], []];
  const surroundings: Surroundings = {
    config: parseConfig(['waiting', ...argv], person),
    version: '0.0.0-test',
    log: (message) => void logged.push(message),
    print: (text) => void printed.push(text),
    status: { write: () => undefined, columns: undefined },
    isTerminal: false,
    terminal: undefined,
    machine: { platform: 'linux', env: {}, home: '/' },
    signal: new AbortController().signal,
  };
  const code = await runCommand(surroundings);
  return { code, printed: printed.join(''), logged: logged.join('\n') };
}

test('a change is found by a beginning or an end of its id that no other one has, and else all that it can be are listed', async () => {
  const { move, person } = await waitingAgent();
  const ids: string[] = [];
  for (const count of [2, 3]) ids.push(String((await move(count)).data?.changeId));
  const [one = '', other = ''] = ids;
  // They were proposed in the same hour, so their beginnings differ late; ends are random.
  let shared = 0;
  while (one[shared] === other[shared]) shared += 1;
  for (const operand of [one, one.slice(0, shared + 1), one.slice(4)]) {
    const shown = await waiting(person, 'show', operand);
    expect([shown.code, shown.printed.startsWith(`${one}, asked for`)]).toEqual([0, true]);
  }
  for (const operand of [one.slice(0, shared), 'chg-none', '']) {
    const { code, printed, logged } = await waiting(person, 'show', operand);
    expect([code, printed]).toEqual([1, '']);
    expect(logged).toContain(`${one} (Move 2 videos`);
    expect(logged).toContain(`${other} (Move 3 videos`);
  }
  expect((await waiting(person, 'show', one.slice(0, shared))).logged).toContain('2 changes');
});

test('where nothing was ever done from a data folder, it says so, and of a made-up account it tells nothing', async () => {
  const { move, person } = await waitingAgent();
  const nowhere = { ...person, VIDEO_HOSTING_DATA_DIR: freshHome() };
  await move(2);
  expect((await waiting(person)).logged).toBe('');
  const { code, printed, logged } = await waiting(nowhere);
  expect([code, printed, logged]).toEqual([
    0,
    'Nothing waits.\n',
    expect.stringContaining(`from the data folder ${nowhere.VIDEO_HOSTING_DATA_DIR}`),
  ]);
  const demo = await waiting(nowhere, '--demo');
  expect([demo.code, demo.printed, demo.logged]).toEqual([2, '', expect.stringContaining('No real account is set')]);
});
