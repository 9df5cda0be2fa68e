/** After a power cut the journal may lack what was not flushed: what it does not tell counts as not known, and undo and resumption treat it so. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, changeIdIn } from '../../support/confirm.ts';
import { changeFiles } from '../../support/journal-files.ts';
import { COPY, idsIn, MOVE, manyVideos, UNASKED } from './harness.ts';

/** Leaves the first lines of a change's file, as if its machine had stopped then and was started again; `isSameBoot`: its process alone. */
function cut(dataDir: string, lines: number, isSameBoot = false): void {
  const file = String(changeFiles(dataDir)[0]);
  const gone = {
    pid: 999_999_999,
    ...(isSameBoot ? {} : { machine: '00000000-0000-0000-0000-000000000000 pid:[1]', started: '2020-01-01T00:00:00.000Z' }),
  };
  const left = readFileSync(file, 'utf8').split('\n').slice(0, lines);
  const last = left.findLastIndex((line) => line.includes('"process"'));
  const { process: owner, ...line } = JSON.parse(left[last] ?? '{}') as { process: object }; // as the journal wrote it
  left[last] = JSON.stringify({ ...line, process: { ...owner, ...gone } });
  writeFileSync(file, `${left.join('\n')}\n`);
  // Longer ago than a heartbeat.
  const then = new Date(Date.now() - 120_000);
  utimesSync(file, then, then);
}

async function moved() {
  const account = await manyVideos(3_000);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const first = await start({ demo, home, env: UNASKED });
  const move = () => first.client.callTool('move_videos', { targetProject: archive, videoIds: ids, fromProject: elsewhere });
  return { ...account, ...first, home, move, next: () => start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token' } }) };
}

test('a move of which only the intent is left counts as not known, and its undo moves it back', async () => {
  const { demo, archive, elsewhere, dataDir, move, stop, next } = await moved();
  const changeId = changeIdIn(await move());
  await stop();
  cut(dataDir, 1);
  expect(idsIn(demo, archive)).toHaveLength(3_000);
  const { client } = await next();
  const { data } = await client.callTool('get_change', { changeId });
  expect(data).toMatchObject({ status: 'interrupted', moved: 0, unknownCount: 3_000, notSentCount: 0 });
  await agree(client, 'undo_change', { changeId });
  expect(idsIn(demo, elsewhere)).toHaveLength(3_000);
});

test('a move whose process alone ended counts as not sent, as its journal tells', async () => {
  const { dataDir, move, stop, next } = await moved();
  const changeId = changeIdIn(await move());
  await stop();
  cut(dataDir, 1, true);
  const { client } = await next();
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ unknownCount: 0, notSentCount: 3_000 });
});

test('what a resumed move had not sent before the cut counts as not known, also once another process resumed it and ended', async () => {
  const { demo, archive, client, dataDir, move, stop, next } = await moved();
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const changeId = changeIdIn(await move());
  demo.faults.clear();
  const before = readFileSync(String(changeFiles(dataDir)[0]), 'utf8')
    .trimEnd()
    .split('\n').length;
  await client.callTool('resume_change', { changeId });
  await stop();
  expect(idsIn(demo, archive)).toHaveLength(3_000);
  // With the line that it was resumed, after an empty one.
  cut(dataDir, before + 3);
  const second = await next();
  const told = async ({ client }: Pick<typeof second, 'client'>) => (await client.callTool('get_change', { changeId })).data;
  expect(await told(second)).toMatchObject({ moved: 1_000, unknownCount: 2_000, notSentCount: 0 });
  const kept = readFileSync(String(changeFiles(dataDir)[0]), 'utf8').split('\n').length;
  await agree(second.client, 'resume_change', { changeId });
  await second.stop();
  cut(dataDir, kept + 1, true);
  expect(await told(await next())).toMatchObject({ moved: 1_000, unknownCount: 2_000, notSentCount: 0 });
});

test('a copy counts as not sent, since each of its requests is on disk before it is sent', async () => {
  const { demo, ids, client, dataDir, stop, next } = await moved();
  demo.faults.always({ match: COPY, do: { kind: 'status', code: 403 } });
  const changeId = changeIdIn(await client.callTool('copy_cta', { sourceVideoId: ids[0], targetVideoIds: ids.slice(1, 201) }));
  await stop();
  cut(dataDir, 1);
  const later = await next();
  expect((await later.client.callTool('get_change', { changeId })).data).toMatchObject({ unknownCount: 0, notSentCount: 200 });
});
