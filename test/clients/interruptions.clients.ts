/** Calls that are cancelled, or lose their server. */
import { describe, expect, test } from 'vitest';
import type { DemoRequest } from '../../src/demo/requests.ts';
import type { DemoService } from '../harness/demo.ts';
import { NAMED } from './support/kits.ts';
import { kill, withLab } from './support/lab.ts';
import { NO_TERMINAL } from './support/terminal.ts';

/** Resolves once the service has been asked for this, which it never answers. */
function heldUp(demo: DemoService, path: string): Promise<DemoRequest> {
  return new Promise((resolve) => {
    demo.behaviour.onRequest = (request) => {
      if (request.path !== path) return undefined;
      resolve(request);
      return new Promise<void>(() => {});
    };
  });
}

describe('a call that the person cancels', () => {
  test.skipIf(NO_TERMINAL).each(NAMED)('%s goes on with the next call, and nothing is in flight any more', async (_, kit) => {
    const steps = [
      { tool: 'list_projects', args: {} },
      { tool: 'list_channels', args: { size: 1 } },
    ];
    await withLab(kit, { steps }, async ({ demo, model, sit }) => {
      const asked = heldUp(demo, '/v1/projects');
      const terminal = await sit(40, 'Go on.');
      const request = await terminal.meanwhile(asked);
      await terminal.press('Escape');
      // Gemini CLI does not tell the server, which works on in vain.
      if (kit.name !== 'gemini') await expect.poll(() => request.status, { timeout: 10_000 }).toBe('aborted');
      await terminal.until(/interrupted|cancelled|Called video-hosting/i);
      await terminal.say('And now?');
      await terminal.until(/That is all\./);
      expect(model.given().at(-1)?.text).toMatch(/60/);
    });
  });
});

describe('a server that is killed in the middle of a call', () => {
  const steps = [
    { tool: 'list_channels', args: { size: 1 } },
    { tool: 'list_projects', args: {} },
    { tool: 'list_channels', args: { size: 2 } },
  ];

  test.each(NAMED)('%s says that the connection is lost, and ends well', async (_, kit) => {
    await withLab(kit, { steps }, async ({ ask, demo, servers }) => {
      void heldUp(demo, '/v1/projects').then(() => servers().forEach(kill));
      const given = await ask();
      expect(given).toHaveLength(3);
      expect(given[1]?.text).toMatch(/closed/i);
      // Claude Code starts it again.
      expect(given[2]?.text).toMatch(kit.name === 'claude-code' ? /totalPages|page 1 of/ : /closed|not connected/i);
    });
  });
});
