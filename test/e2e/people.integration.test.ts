/** `video-hosting-mcp people`, as the built command: several at once, and one that is killed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPeople } from '../../src/people/people.ts';
import { freshHome } from '../harness/cleanup.ts';
import { runCommand } from '../harness/run-command.ts';

function withCommand() {
  const home = freshHome();
  const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data') };
  return {
    known: openPeople(join(home, 'data', 'people.json')),
    people: (argv: readonly string[], more: Record<string, string> = {}) => runCommand(['people', ...argv], { ...env, ...more }),
  };
}

const tokenIn = (stdout: string): string => /vhm_\S+/.exec(stdout)?.[0] ?? '';

test('people who are added by several processes at once are all there', async () => {
  const { people, known } = withCommand();
  const names = ['ann', 'bob', 'cleo', 'dan'];
  const added = await Promise.all(names.map((name) => people(['add', name, '--roles', 'read'])));
  expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(added.map(({ stdout }) => known.byClientToken(tokenIn(stdout))?.name)).toEqual(names);
});

test('whenever it is killed, the file is as it was or as it was to be, and the next change finds it unlocked', async () => {
  const { people, known } = withCommand();
  const { stdout } = await people(['add', 'ann', '--roles', 'read']);
  const killAt = join(import.meta.dirname, '..', 'harness', 'kill-at.cjs');
  const names = () => known.all().map(({ name }) => name);
  let kills = 0;
  for (let isKilled = true; isKilled; ) {
    const before = names();
    const name = `person-${kills}`;
    const more = {
      NODE_OPTIONS: `--require ${killAt}`,
      KILL_AT: String(kills + 1),
      KILL_IN: '[\\w.-]+\\.lock|people\\.json|people\\.json\\.new',
    };
    isKilled = (await people(['add', name, '--roles', 'read'], more)).code !== 0;
    expect(isKilled ? [before, [...before, name]] : [[...before, name]]).toContainEqual(names());
    expect(known.byClientToken(tokenIn(stdout))?.name).toBe('ann');
    expect((await people(['roles', 'ann', '--roles', 'read'])).code).toBe(0);
    if (isKilled) kills += 1;
  }
  expect(kills).toBeGreaterThan(3);
});
