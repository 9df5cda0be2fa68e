/** What covers a change that runs is looked at before each batch: at the file only where that may be another one. */

import { readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { expect, test, vi } from 'vitest';
import { atEnd } from '../../harness/cleanup.ts';
import { idsIn, MOVE, requestsOf } from '../kinds/videos/harness.ts';
import { fileOf, moveRule, nightly } from './harness.ts';

/** How often this process opens a file from now on. */
function countOpened(path: string): () => number {
  const { open } = fs;
  let count = 0;
  fs.open = (file, ...more) => {
    if (file === path) count += 1;
    return open(file, ...more);
  };
  syncBuiltinESMExports();
  atEnd(() => {
    fs.open = open;
    syncBuiltinESMExports();
  });
  return () => count;
}

const BATCHES = 6;
const PER_BATCH = 1_000;
const VIDEOS = (2 * BATCHES + 1) * PER_BATCH;

test('a file of approvals that nobody edits is read once for a move of many batches, and one edited meanwhile is read again', async () => {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: VIDEOS })]), { videos: VIDEOS });
  const { client, demo, ids, archive, elsewhere, path } = session;
  // A file that was just written may be written again within the same moment; and each minute it is read all the same.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  atEnd(() => void vi.useRealTimers());
  const opened = countOpened(path);
  let at = 0;
  async function moved(batches: number): Promise<number> {
    const before = opened();
    const videoIds = ids.slice(at, at + batches * PER_BATCH);
    at += videoIds.length;
    const { data } = await client.callTool('move_videos', { videoIds, targetProject: archive, fromProject: elsewhere, waitSeconds: 40 });
    expect([data?.status, idsIn(demo, archive).length]).toEqual(['applied', at]);
    return opened() - before;
  }
  const once = await moved(1);
  expect(once).toBeGreaterThan(0);
  expect(await moved(BATCHES)).toBe(once);
  const batches = requestsOf(demo, MOVE).length;
  const { onExchange } = demo.behaviour;
  demo.behaviour.onExchange = async (exchange) => {
    // The same rules, in the middle.
    if (exchange.request.path === MOVE.path && requestsOf(demo, MOVE).length === batches + 1)
      writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
    await onExchange?.(exchange);
  };
  expect(await moved(BATCHES)).toBeGreaterThan(once);
});
