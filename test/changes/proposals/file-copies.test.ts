/** What the files held that a call names is kept with what waits: a person decides on that, whatever becomes of the files. */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fullText } from '../../../src/changes/tell/terminal.ts';
import { fieldsIn } from '../../../src/platform/is-object.ts';
import { digestOf } from '../../../src/platform/stable-json.ts';
import type { Values } from '../../harness/client.ts';
import { NO_BROWSER, settingsFor } from '../../harness/service.ts';
import { homeWithFiles, start } from '../../harness/start.ts';
import { idsIn, manyVideos } from '../kinds/videos/harness.ts';
import { fileOf, moveRule, writeApprovals } from '../standing/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { channelAt } from '../support/world.ts';
import { personOf, WAIT } from './harness.ts';

const { signal } = new AbortController();

/** An agent that moves what a file lists, which may be written anew; `perDay`: of videos that need no decision. */
async function listMover(perDay?: number) {
  const account = await manyVideos(20);
  const { demo, ids, archive, elsewhere } = account;
  const { home, folder, env } = homeWithFiles({});
  const standing =
    perDay === undefined ? {} : { VIDEO_HOSTING_STANDING_APPROVALS: writeApprovals(fileOf([moveRule(account, { perDay })])) };
  const agent = await start({ demo, home, env: { ...env, ...WAIT, ...standing } });
  const list = join(folder, 'old.csv');
  const write = (some: readonly string[], project = elsewhere) =>
    writeFileSync(list, ['id,fromProject,title', ...some.map((id) => `${id},${project},A title`)].join('\n'));
  const move = (more: Values = {}) => agent.client.callTool('move_videos', { videoIdsFile: list, targetProject: archive, ...more });
  const kept = () => {
    const accounts = join(agent.dataDir, 'accounts');
    return join(accounts, readdirSync(accounts)[0] ?? '', 'kept');
  };
  const person = () => personOf({ ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: agent.dataDir, ...env });
  return { ...agent, demo, ids, archive, list, write, move, kept, person };
}

type Mover = Awaited<ReturnType<typeof listMover>>;

async function preview(person: Awaited<ReturnType<Mover['person']>>, changeId: string) {
  const change = await person.decisions.get(changeId);
  if (change === undefined) throw new Error(`${changeId} does not wait`);
  return person.decisions.preview(change, signal);
}

async function approve({ person: open }: Mover, changeId: string) {
  const person = await open();
  const shown = await preview(person, changeId);
  const result = await person.decisions.approve(shown, 'terminal', signal);
  await person.jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  return { shown, result, person, record: await person.journal.read(changeId) };
}

test.each<[string, (mover: Mover) => void]>([
  ['is edited', ({ write, ids }) => write(ids.slice(10, 13))],
  ['is removed', ({ list }) => rmSync(list)],
])('what a file listed is decided on and moved, with its rows, though it %s before that', async (_what, change) => {
  const mover = await listMover();
  const { demo, ids, archive, write, move, client } = mover;
  write(ids.slice(0, 6));
  const changeId = changeIdIn(await move());
  change(mover);
  const { shown, result, record, person } = await approve(mover, changeId);
  expect(idsIn(demo, archive)).toEqual(ids.slice(0, 6));
  expect([result, shown.conflicts, shown.problem]).toEqual(['started', [], undefined]);
  expect(fullText(shown)).toContain('6 videos');
  expect(record?.intent.facts).toMatchObject({ move: { positionUnit: 'line', fileRead: expect.stringContaining('6 ids') } });
  // The rows are kept, by which what is not done is told and what was moved goes back.
  const rows = await person.journal.readRows(changeId, 6);
  expect(rows && [...rows.positions]).toEqual([2, 3, 4, 5, 6, 7]);
  expect((await client.callTool('get_change', { changeId })).data?.status).toBe('applied');
});

test('a list under the same name that is moved meanwhile ends nothing of what waits for another one', async () => {
  const mover = await listMover(5);
  const { demo, ids, archive, write, move, client } = mover;
  write(ids.slice(0, 6));
  const monday = await move();
  expect(monday.data?.status).toBe('waiting');
  write(ids.slice(10, 13));
  expect((await move()).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toEqual(ids.slice(10, 13));
  const changeId = changeIdIn(monday);
  expect((await client.callTool('get_change', { changeId })).data?.status).toBe('waiting');
  await approve(mover, changeId);
  expect(new Set(idsIn(demo, archive))).toEqual(new Set([...ids.slice(0, 6), ...ids.slice(10, 13)]));
});

test('the same list waits once, also when it is written anew, and is ended by a list of the same videos that is moved', async () => {
  const mover = await listMover(5);
  const { ids, write, move, client, archive } = mover;
  write(ids.slice(0, 6));
  const changeId = changeIdIn(await move());
  write(ids.slice(0, 6).toReversed());
  expect(changeIdIn(await move())).toBe(changeId);
  const never = await start({ demo: mover.demo, home: mover.home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  await never.client.callTool('move_videos', { videoIds: ids.slice(0, 6), targetProject: archive });
  expect((await client.callTool('get_change', { changeId })).data?.status).toBe('withdrawn');
});

test('a copy that was changed or is gone is not believed: it can only be declined, and with that the copies go', async () => {
  const mover = await listMover();
  const { ids, write, move, kept, person, demo, archive } = mover;
  write(ids.slice(0, 6));
  const changeId = changeIdIn(await move());
  const copy = join(kept(), `${changeId}.file0`);
  appendFileSync(copy, `\n${ids[7]},x,y`);
  const one = await person();
  expect((await preview(one, changeId)).problem).toMatch(/old\.csv.*not as it was written/);
  rmSync(copy);
  const shown = await preview(one, changeId);
  expect(shown.problem).toMatch(/old\.csv.*is gone/);
  await expect(one.decisions.approve(shown, 'terminal', signal)).rejects.toMatchObject({ code: 'not_approved' });
  expect(idsIn(demo, archive)).toEqual([]);
  write(ids.slice(0, 4));
  const other = changeIdIn(await move());
  expect(readdirSync(kept())).toContain(`${other}.file0`);
  await one.decisions.decline(other, 'no');
  expect(readdirSync(kept())).not.toContain(`${other}.file0`);
});

test('one that an earlier version kept, with the names of its files alone, reads them as they are now', async () => {
  const mover = await listMover();
  const { ids, write, move, kept, demo, archive, dataDir } = mover;
  write(ids.slice(0, 6));
  const changeId = changeIdIn(await move());
  const path = join(kept(), `${changeId}.json`);
  const { digest: _, files: _files, ...body } = fieldsIn(JSON.parse(readFileSync(path, 'utf8')));
  const [accountId = ''] = readdirSync(join(dataDir, 'accounts'));
  const old = { ...body, format: 1 };
  writeFileSync(path, JSON.stringify({ ...old, digest: digestOf(accountId, old) }));
  rmSync(join(kept(), `${changeId}.file0`));
  await approve(mover, changeId);
  expect(idsIn(demo, archive)).toEqual(ids.slice(0, 6));
});

test('what a file states of channels is kept too', async () => {
  const { demo } = await manyVideos(8);
  const { home, folder, env } = homeWithFiles({});
  const { client, dataDir } = await start({ demo, home, env: { ...env, ...WAIT } });
  const channel = channelAt(demo, 0);
  const file = join(folder, 'keys.txt');
  const keys = [...demo.world.videos.values()].slice(0, 3).map(({ key }) => key);
  writeFileSync(file, keys.join('\n'));
  const changes = [{ channel: channel.id, setVideoKeysFile: file, currentVideoKeys: channel.videoKeys, currentProjectKeys: [] }];
  const changeId = changeIdIn(await client.callTool('update_channels', { changes }));
  rmSync(file);
  expect(existsSync(file)).toBe(false);
  const person = await personOf({ ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, ...env });
  expect(await person.decisions.approve(await preview(person, changeId), 'terminal', signal)).toBe('started');
  await person.jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  expect(channel.videoKeys).toEqual(keys);
});
