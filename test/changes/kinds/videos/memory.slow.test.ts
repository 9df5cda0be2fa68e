/** A million ids are read from a file, planned, confirmed and moved: the peak memory of the server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, start } from '../../../harness/start.ts';
import { confirmPreview } from '../../support/confirm.ts';
import { ended, MOVE, manyVideos, requestsOf } from './harness.ts';

const MILLION = 1_000_000;
const MAX_MB = 450;
const PROJECTS = ['Marketing', 'Webinars', 'Product'];

test(`a million ids, each with its project, are moved in less than ${MAX_MB} MB`, { timeout: 1_200_000 }, async (context) => {
  if (process.platform !== 'linux') return context.skip();
  const { demo } = await manyVideos(10);
  // The service accepts unknown ids as moved, so that it needn't hold a million videos.
  demo.behaviour.moveUnknownIds = 'ignore';
  let moved = 0;
  const named = new Set<string>();
  demo.behaviour.onProcessed = (request) => {
    if (request.path !== MOVE.path) return;
    const { videoIds } = request.body as { videoIds: string[] }; // as move sends it
    moved += videoIds.length;
    named.add(videoIds[0] ?? '');
    request.body = undefined;
  };
  const home = freshHome();
  const ids = (at: number) => `b1f0${at.toString(16).padStart(20, '0')}`;
  writeFileSync(
    join(home, 'million.csv'),
    `title,id,fromProject\n${Array.from({ length: MILLION }, (_, at) => `"Title, ${at}",${ids(at)},${PROJECTS[at % 3]}`).join('\n')}`,
  );
  const { client, server } = await start({ demo, home, via: 'process', env: { VIDEO_HOSTING_FILES_DIR: home } });
  const args = { targetProject: 'Archive', videoIdsFile: 'million.csv' };
  const asked = await client.callTool('move_videos', args);
  expect(asked.data).toMatchObject({ status: 'confirmation_required', preview: { summary: expect.stringContaining('1,000,000 videos') } });
  const begun = await confirmPreview(client, asked);
  const { data } = await ended(client, begun.data?.changeId);
  expect(moved).toBe(MILLION);
  expect(named.size).toBe(requestsOf(demo, MOVE).length);
  expect(data).toMatchObject({ status: 'applied', moved: MILLION, requests: MILLION / 1_000 });
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server?.child.pid}/status`, 'utf8'))?.[1];
  expect(Number(peak) / 1_024).toBeLessThan(MAX_MB);
});
