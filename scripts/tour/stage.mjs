import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../root.mjs';

/**
 * The made-up account: the same on every day, so that every tour tells the same story; with this seed it shows in the
 * numbers. Its day lies in the past, since files that are older than the day on the server's calendar may be tidied away.
 */
const ACCOUNT = { now: '2026-08-03T09:00:00.000Z', videos: 5000, seed: 25 };

/**
 * The made-up account, and clients that each start the built server as theirs. `onForm` is asked what the person
 * answers to a form: `{ action, content? }`.
 */
export async function createStage({ onForm }) {
  const { startDemoService } = createRequire(import.meta.url)(join(root, 'dist', 'demo.cjs'));
  const demo = await startDemoService(ACCOUNT);
  const clockOffsetMs = Date.parse(ACCOUNT.now) - Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-tour-'));
  const filesDir = join(folder, 'files');
  const catalogue = join(filesDir, 'videos.json');
  const clients = [];
  mkdirSync(filesDir);
  writeFileSync(catalogue, JSON.stringify([...demo.world.videos.values()].map(({ id, key, title }) => ({ id, key, title }))));

  /** A client that shows forms speaks the protocol of 2026-07-28; one that can't, the one before it. */
  async function connect({ forms, args = [], env = {} }) {
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
      args: ['--require', join(import.meta.dirname, 'clock.cjs'), join(root, 'dist', 'main.cjs'), ...args],
      env: {
        TOUR_CLOCK_OFFSET_MS: String(clockOffsetMs),
        VIDEO_HOSTING_BROWSER: 'none',
        VIDEO_HOSTING_BASE_URL: demo.baseUrl,
        VIDEO_HOSTING_STATS_URL: demo.statsUrl,
        VIDEO_HOSTING_API_KEY: demo.apiKey,
        VIDEO_HOSTING_DATA_DIR: join(folder, 'data'),
        VIDEO_HOSTING_FILES_DIR: filesDir,
        VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue,
        ...env,
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
    /** The present in the made-up account. */
    now: ACCOUNT.now,
    /** All that the server writes is below it; gone when the tour ends. */
    folder,
    filesDir,
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await demo.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
