/** Real clients with a server over HTTP for several people: each sends a person's token, and somebody else decides in a browser. */
import { describe, expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import type { DemoService } from '../harness/demo.ts';
import { NAMED, WITH_LINKS } from './support/kits.ts';
import type { Step } from './support/script.ts';
import { toolIn } from './support/tap.ts';
import { changeIdIn, linkIn, rename, type Team, updatesOf, waitForIt, withTeam } from './support/team.ts';

const NAMES = ['Onboarding for everybody', 'Onboarding for all'] as const;

const QUESTION: Step = { tool: 'query_analytics', args: { from: '2026-10-01', to: '2026-10-07', metrics: ['views'] } };
const RENAMES = NAMES.map(rename);

const hasName = (demo: DemoService, name: string): boolean => [...demo.world.channels.values()].some((channel) => channel.name === name);

/** Our tools that the client offers to its model, by our names. */
function offeredBy({ model }: Team): readonly string[] {
  const offered = model.lastRequest()?.tools ?? [];
  return tools
    .map(({ name }) => name)
    .filter((name) => offered.some((other) => new RegExp(`video[_-]hosting[_.]{1,2}${name}$`).test(other)));
}

const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

describe.each(NAMED)('%s', (_, kit) => {
  const argv = kit.allowChanges;

  test('lists what its person may do, answers a question, and has a change applied by who follows its link', async () => {
    const steps = [{ tool: 'list_channels', args: { size: 1 } }, QUESTION, ...RENAMES.slice(0, 1), waitForIt];
    await withTeam(kit, 'bob', { argv, steps, credentials: 'environment' }, async (team) => {
      const { demo, tap, health, ask, model, press, meanwhile, listedFor } = team;
      expect(await health()).toMatch(kit.health.shows);
      const asking = ask();
      await meanwhile(asking, tap.called('get_change'));
      expect(updatesOf(team)).toBe(0);
      const [channels, answer, waiting] = model.given();
      expect(await press('ann', linkIn(waiting), 'apply')).toMatchObject({ status: expect.stringMatching(/applied|started|running/) });
      const applied = (await asking)[3];
      expect([updatesOf(team), hasName(demo, NAMES[0])]).toEqual([1, true]);
      expect(channels?.text).toContain(String(demo.world.channels.size));
      expect(answer?.text).toMatch(/views/);
      expect(waiting?.text).toMatch(/waiting/);
      expect(linkIn(waiting)).toBe(`${tap.url}/changes/${changeIdIn(waiting)}`);
      expect(applied?.text).toMatch(/applied/);
      expect(applied?.text).toMatch(/ann approved on the approval page what bob’s assistant/);
      expect(sorted(offeredBy(team))).toEqual(sorted(await listedFor('bob')));
      expect(tap.passed.map(toolIn).filter((tool) => tool === 'get_change')).toHaveLength(1);
    });
  });

  test('offers its model no tool that changes something, if its person may only read', async () => {
    await withTeam(kit, 'eve', { argv, steps: [{ tool: 'check_setup', args: {} }, ...RENAMES.slice(0, 1)] }, async (team) => {
      const given = await team.ask();
      expect(updatesOf(team)).toBe(0);
      expect(given).toHaveLength(2);
      expect(offeredBy(team)).not.toContain('update_channels');
      expect(sorted(offeredBy(team))).toEqual(sorted(await team.listedFor('eve')));
    });
  });
});

describe('without a terminal', () => {
  test.each(WITH_LINKS)('%s declines to open the link of a change without asking anybody, and is asked once', async (_, kit) => {
    await withTeam(kit, 'bob', { argv: [...kit.allowChanges, ...(kit.newestRevision ?? [])], steps: RENAMES }, async (team) => {
      const { ask, tap } = team;
      const given = await ask();
      expect(updatesOf(team)).toBe(0);
      const calls = tap.passed.filter((one) => toolIn(one) === 'update_channels');
      expect(calls.map(({ answer }) => answer.includes('elicitation/create'))).toEqual([true, false, false]);
      expect(given.map((one) => linkIn(one) === `${tap.url}/changes/${changeIdIn(one)}`)).toEqual([true, true]);
      expect(new Set(given.map(changeIdIn)).size).toBe(2);
    });
  });
});
