import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../root.mjs';

/** The made-up account: the same on every day, so that every tour tells the same story. */
const ACCOUNT = { now: '2026-11-01T09:00:00.000Z', videos: 5000 };

/**
 * The made-up account, and clients that each start the built server as theirs. `onForm` is asked what the person
 * answers to a form: `{ action, content? }`.
 */
export async function createStage({ onForm }) {
  const { startDemoService } = createRequire(import.meta.url)(join(root, 'dist', 'demo.cjs'));
  const demo = await startDemoService(ACCOUNT);
  const dataDir = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-tour-'));
  const clients = [];

  /** A client that shows forms speaks the protocol of 2026-07-28; one that can't, the one before it. */
  async function connect({ forms, args = [] }) {
    const client = new Client(
      { name: 'tour', version: '1.0.0' },
      {
        capabilities: forms ? { elicitation: { form: {} } } : {},
        versionNegotiation: { mode: forms ? { pin: '2026-07-28' } : 'legacy' },
      },
    );
    if (forms) client.setRequestHandler('elicitation/create', async ({ params }) => onForm(params));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist', 'main.cjs'), ...args],
      env: {
        VIDEO_HOSTING_BASE_URL: demo.baseUrl,
        VIDEO_HOSTING_STATS_URL: demo.statsUrl,
        VIDEO_HOSTING_API_KEY: demo.apiKey,
        VIDEO_HOSTING_DATA_DIR: dataDir,
      },
    });
    clients.push(client);
    await client.connect(transport);
    return client;
  }

  return {
    world: demo.world,
    requests: demo.requests,
    connect,
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await demo.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
