/** The entry that `install` writes: the client starts it, and its model gets our tools and our instructions. */
import { describe, expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { NAMED } from './support/kits.ts';
import { withLab } from './support/lab.ts';

describe.each(NAMED)('%s', (_, kit) => {
  test('the entry for the demo account connects, and the model is offered every tool and the instructions', async () => {
    const steps = [{ tool: 'check_setup', args: {} }];
    await withLab(kit, { steps, embedded: true }, async ({ health, ask, model }) => {
      expect(await health()).toMatch(kit.health.shows);
      const [setup] = await ask();
      expect(setup?.text).toMatch(/demo|made-up/i);
      const request = model.lastRequest();
      for (const { name } of tools)
        expect(
          request?.tools.some((offered) => offered.endsWith(name)),
          name,
        ).toBe(true);
      expect(request?.instructions).toContain('Runs one video hosting account');
    });
  });
});
