/** A change that takes longer than most clients wait for a call. */
import { describe, expect, test } from 'vitest';
import type { DemoService } from '../harness/demo.ts';
import { type ClientKit, NAMED } from './support/kits.ts';
import { type Lab, type LabOptions, withLab } from './support/lab.ts';
import type { Call, Step } from './support/script.ts';

/** Three channels are sent at a time, and each time the service takes this long. */
const UPDATE_MS = 24_000;
const CHANNELS = 15;
const LATELY = 'As it is lately.';

const slowly = (demo: DemoService): void => demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'delay', ms: UPDATE_MS } });

const changeMany = (ids: readonly string[]): Call => ({
  tool: 'update_channels',
  args: { changes: ids.map((channel) => ({ channel, description: LATELY })) },
});

const waitOn: Step = (given) => ({
  tool: 'get_change',
  args: { changeId: /chg-[\w-]+/.exec(given[0]?.text ?? '')?.[0] ?? '', waitSeconds: 60 },
});

const changedIn = ({ demo }: Lab): number => [...demo.world.channels.values()].filter(({ description }) => description === LATELY).length;

/** The lab with a change that takes two minutes and needs no confirmation. */
function withLongChange<T>(kit: ClientKit, env: LabOptions['env'], rest: readonly Step[], use: (lab: Lab) => Promise<T>): Promise<T> {
  const ids: string[] = [];
  const first: Step = () => changeMany(ids);
  const prepare = (demo: DemoService): void => {
    ids.push(...[...demo.world.channels.keys()].slice(0, CHANNELS));
    slowly(demo);
  };
  const settings = { VIDEO_HOSTING_CONFIRM: 'never', ...env };
  return withLab(kit, { argv: kit.allowChanges, env: settings, steps: [first, ...rest], prepare }, use);
}

// Concurrent, since these tests mostly wait.
describe.concurrent('with a change that takes two minutes', () => {
  test.each(NAMED)('%s waits with several calls, each within the call budget', async (_, kit) => {
    await withLongChange(kit, {}, [waitOn, waitOn, waitOn], async (lab) => {
      const given = await lab.ask();
      expect(changedIn(lab)).toBe(CHANNELS);
      expect(given[0]?.text).toMatch(/running/);
      expect(given.at(-1)?.text).toMatch(/applied/);
    });
  });

  test.each(NAMED)('%s waits for one call if the call budget is long enough', async (_, kit) => {
    await withLongChange(kit, { VIDEO_HOSTING_CALL_BUDGET_MS: '200000' }, [], async (lab) => {
      const given = await lab.ask();
      expect(changedIn(lab)).toBe(CHANNELS);
      expect(given).toEqual([expect.objectContaining({ text: expect.stringMatching(/applied/) })]);
    });
  });
});
