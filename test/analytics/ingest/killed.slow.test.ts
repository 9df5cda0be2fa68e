/** Many processes share a folder and are killed at random moments: no answer is wrong, and the folder is complete in the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';
import { createEngine } from '../../../src/analytics/engine/engine.ts';
import { createViewSync } from '../../../src/analytics/ingest/view-sync.ts';
import { collectGarbage } from '../../../src/analytics/storage/folder/collect-garbage.ts';
import { createFolderStorage } from '../../../src/analytics/storage/folder/folder-storage.ts';
import { createFolderReader } from '../../../src/analytics/storage/folder/reader.ts';
import { createFolderWriter } from '../../../src/analytics/storage/folder/writer.ts';
import { createRandom } from '../../../src/demo/random.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { createHttp } from '../../../src/service/http.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';
import { startService } from '../../harness/service.ts';
import type { Answered, AskerOptions } from './fixtures/asker.ts';
import { DAY_MS, idsIn, viewsOf } from './support.ts';

const PROCESSES = 16;
const KILLS = Number(process.env.SYNC_KILLS ?? 30);
const SPEED = 200;
/** Determines the questions, and which process is killed when. The rest depends on the machine’s timing. */
const SEED = Number(process.env.SYNC_SEED ?? 21);

test('sixteen processes killed at random leave a folder that is always valid, and complete in the end', async () => {
  const folder = freshHome();
  const beganMs = Date.now();
  const demo = await startService({ views: 60_000, now: new Date(beganMs).toISOString() });
  Object.assign(demo.behaviour, { statsMaxSize: 250, statsTimezoneOffsetMinutes: 120, repeatedViewsPerPage: 2 });
  const lastMs = Math.ceil(beganMs / DAY_MS) * DAY_MS;
  const span = { fromMs: lastMs - 30 * DAY_MS, toMs: lastMs };
  const engineFile = join(dirname(inject('command')), 'engine.cjs');
  const file = join(folder, 'asker.cjs');
  const entry = join(import.meta.dirname, 'fixtures', 'asker.ts');
  await build({ bundle: true, platform: 'node', format: 'cjs', logLevel: 'error', entryPoints: [entry], outfile: file });

  const options: Omit<AskerOptions, 'seed'> = {
    baseUrl: demo.baseUrl,
    statsUrl: demo.statsUrl,
    apiKey: demo.apiKey,
    folder,
    engineFile,
    firstMs: span.fromMs,
    lastMs,
    beganMs,
    speed: SPEED,
  };
  const times = Array.from({ length: demo.world.views.count }, (_, index) => demo.world.views.timeAt(index));
  const wrong: string[] = [];
  let answers = 0;
  const judge = (line: string): void => {
    const answer = JSON.parse(line) as Answered; // as fixtures/asker.ts prints it
    const expected = times.filter((time) => time >= answer.fromMs && time < answer.toMs).length;
    answers += 1;
    // A complete answer counts all views, and a partial one never counts more.
    if (answer.complete ? answer.views !== expected || answer.records !== expected : Number(answer.views) > expected)
      wrong.push(`${line}, but there are ${expected}`);
  };
  const random = createRandom(SEED);
  const alive = new Set<ChildProcess>();
  let begun = 0;
  const begin = (): void => {
    begun += 1;
    const given: AskerOptions = { ...options, seed: SEED + begun };
    const child = spawn(process.execPath, [file, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'pipe'] });
    alive.add(child);
    createInterface({ input: child.stdout }).on('line', judge);
    createInterface({ input: child.stderr }).on('line', (line) => wrong.push(line));
    child.once('exit', (code) => {
      alive.delete(child);
      if (code !== null) wrong.push(`a process ended by itself: ${code}`);
    });
  };
  atEnd(() => {
    for (const child of alive) child.kill('SIGKILL');
  });
  for (let started = 0; started < PROCESSES; started += 1) begin();
  for (let kills = 0; kills < KILLS; kills += 1) {
    await sleep(100 + random.int(400));
    random.pick([...alive]).kill('SIGKILL');
    begin();
  }
  for (const deadline = Date.now() + 600_000; answers < PROCESSES && Date.now() < deadline; ) await sleep(200);
  for (const child of alive) child.kill('SIGKILL');
  while (alive.size > 0) await sleep(20);
  expect(wrong).toEqual([]);
  expect(answers).toBeGreaterThanOrEqual(PROCESSES);

  const clock = (): number => beganMs + (Date.now() - beganMs) * SPEED;
  const engine = createEngine({ tempFolder: join(folder, 'tmp'), log: () => {}, file: engineFile });
  atEnd(() => engine.close());
  const http = createHttp(options);
  atEnd(() => http.close());
  const views = join(folder, 'views');
  const storage = createFolderStorage(views, clock);
  const place = { folder: views, engine, clock };
  const sync = createViewSync({
    client: createServiceClient(http),
    storage: { reader: createFolderReader(place), writer: createFolderWriter(place) },
    log: () => {},
  });
  const coverage = await sync.ensure(span, { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY, progress: () => {} });
  await sync.close();
  expect(coverage).toMatchObject({ complete: true, covered: [span], records: viewsOf(demo, span).length });
  expect(await idsIn(storage, engine, span)).toEqual(viewsOf(demo, span));
  // Leases and work files of killed processes are removed once they expire.
  await collectGarbage(createFolderStorage(views, () => clock() + DAY_MS));
  expect(readdirSync(join(views, 'leases'))).toEqual([]);
  expect(readdirSync(join(views, 'work'))).toEqual([]);
  const named = ((await storage.read())?.segments ?? []).flatMap(({ part }) => part ?? []);
  expect(named.filter((part) => !readdirSync(join(views, 'parts')).includes(part))).toEqual([]);
}, 1_200_000);
