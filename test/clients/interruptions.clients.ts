/** Calls that are cancelled, or lose their server. */
import { describe, expect, test } from 'vitest';
import type { DemoRequest } from '../../src/demo/requests.ts';
import type { DemoService } from '../harness/demo.ts';
import { NAMED } from './support/kits.ts';
import { kill, withLab } from './support/lab.ts';
import { NO_TERMINAL } from './support/terminal.ts';

/** Resolves with the request for this path, which the service never answers. */
function heldUp(demo: DemoService, path: string): Promise<DemoRequest> {
  return new Promise((resolve) => {
    demo.behaviour.onRequest = (request) => {
      if (request.path !== path) return undefined;
      resolve(request);
      return new Promise<void>(() => {});
    };
  });
}

describe('after the person cancels a call', () => {
  test.skipIf(NO_TERMINAL).each(NAMED)('%s makes the next call, and all but Gemini CLI abort the cancelled request', async (_, kit) => {
    const steps = [
      { tool: 'list_projects', args: {} },
      { tool: 'list_channels', args: { size: 1 } },
    ];
    await withLab(kit, { steps }, async ({ demo, model, sit }) => {
      const asked = heldUp(demo, '/v1/projects');
      const terminal = await sit(40, 'Go on.');
      const request = await terminal.meanwhile(asked);
      await terminal.press('Escape');
      // Gemini CLI does not send the cancellation to the server, which continues the request.
      if (kit.name !== 'gemini') await expect.poll(() => request.status).toBe('aborted');
      await terminal.until(/interrupted|cancelled|Called video-hosting/i);
      await terminal.say('And now?');
      await terminal.until(/That is all\./);
      expect(model.given().at(-1)?.text).toMatch(/60/);
    });
  });
});

describe('after the server is killed during a call', () => {
  const steps = [
    { tool: 'list_channels', args: { size: 1 } },
    { tool: 'list_projects', args: {} },
    { tool: 'list_channels', args: { size: 2 } },
  ];

  test.each(NAMED)('%s reports the lost connection and ends normally', async (_, kit) => {
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
