/**
 * What a power cut would leave on disk: only flushed data counts, and it must be there before the service is asked to change
 * something. Node's own functions are wrapped to observe this, and still do their work.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createJournal } from '../../src/changes/journal/journal.ts';
import type { DemoRequest } from '../../src/demo/requests.ts';
import { linkExclusive } from '../../src/platform/files.ts';
import { COPY, idsIn, MOVE, manyVideos, requestsOf } from '../changes/kinds/videos/harness.ts';
import { agree } from '../changes/support/confirm.ts';
import { moveIntent } from '../changes/support/intents.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { channelAt, channelIdIn, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { recordsIn } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const disk = vi.hoisted(() => ({
  /** Open files, and how many bytes were written to each. */
  open: new Map<number, { readonly path: string; written: number }>(),
  /** How many bytes of each file would survive the cut. */
  settled: new Map<string, number>(),
  /** Files whose names would not survive the cut. */
  nameless: new Set<string>(),
  /** Every write takes only a part of the bytes. */
  isNarrow: false,
  /** Every write fails. */
  isFull: false,
  /** Every write into an open journal does. */
  isFullForLines: false,
  /** There are no hard links, and the disk is full after a part of the file of this name. */
  fullAt: undefined as string | undefined,
  /** Writes succeed, and every flush fails. */
  isBroken: false,
}));

const SLOW_MS = 20;

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const openSync: typeof fs.openSync = (path, flags, mode) => {
    const isNew = !fs.existsSync(path);
    const fd = fs.openSync(path, flags, mode);
    disk.open.set(fd, { path: String(path), written: fs.fstatSync(fd).size });
    if (isNew) disk.nameless.add(String(path));
    return fd;
  };
  const writeSync = (fd: number, bytes: Buffer, from = 0): number => {
    if (disk.isFull || disk.isFullForLines) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const wanted = bytes.length - from;
    const taken = fs.writeSync(fd, bytes, from, disk.isNarrow ? Math.ceil(wanted / 2) : wanted);
    const file = disk.open.get(fd);
    if (file !== undefined) file.written += taken;
    return taken;
  };
  const fdatasync = (fd: number, done: (error: Error | null) => void): void => {
    const file = disk.open.get(fd);
    const { path = '', written = 0 } = file ?? {};
    fs.fdatasync(fd, (error) => {
      if (disk.isBroken) return done(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
      // The flush is slow, so that code which does not wait for it fails the test.
      setTimeout(() => {
        disk.settled.set(path, Math.max(written, disk.settled.get(path) ?? 0));
        done(error);
      }, SLOW_MS);
    });
  };
  return { ...fs, openSync, writeSync, fdatasync };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs/promises')>();
  const open: typeof fs.open = async (path, flags, mode) => {
    const isNew = await fs.stat(path).then(
      () => false,
      () => true,
    );
    const handle = await fs.open(path, flags, mode);
    if (isNew) disk.nameless.add(String(path));
    const writeFile = handle.writeFile.bind(handle);
    handle.writeFile = async (...text) => {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      if (disk.fullAt === path) {
        await writeFile(String(text[0]).slice(0, 4));
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
      }
      await writeFile(...text);
    };
    const datasync = handle.datasync.bind(handle);
    handle.datasync = async () => {
      const { size } = await handle.stat();
      await datasync();
      if (disk.isBroken) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      await wait(SLOW_MS);
      disk.settled.set(String(path), size);
    };
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      const named = [...disk.nameless].filter((file) => file.startsWith(`${String(path)}/`));
      await sync();
      for (const file of named) disk.nameless.delete(file);
    };
    return handle;
  };
  const link: typeof fs.link = async (from, to) => {
    if (disk.fullAt !== undefined) throw Object.assign(new Error('EPERM: no links'), { code: 'EPERM' });
    await fs.link(from, to);
    disk.nameless.add(String(to));
    disk.settled.set(String(to), disk.settled.get(String(from)) ?? 0);
  };
  return { ...fs, open, link };
});

beforeEach(() => void Object.assign(disk, { isNarrow: false, isFull: false, isFullForLines: false, isBroken: false, fullAt: undefined }));

/** What would be left of a file after the cut. */
function leftOf(path: string): string {
  return disk.nameless.has(path) ? '' : readFileSync(path).subarray(0, disk.settled.get(path)).toString();
}

/** What would be left of the newest change and its ids after the cut. */
function leftOfChange(dataDir: string): { readonly lines: string; readonly ids: string } {
  const file = changeFiles(dataDir).at(-1) ?? '';
  const ids = file.replace(/jsonl$/, 'ids');
  return { lines: file === '' ? '' : leftOf(file), ids: disk.settled.has(ids) ? leftOf(ids) : '' };
}

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

describe.each([false, true])('on a disk with partial writes: %s', (isNarrow) => {
  beforeEach(() => void Object.assign(disk, { isNarrow }));

  test('each update is on disk in the journal before it is sent, and so is the end before the answer', async () => {
    const demo = await startService({ channels: 9, videos: 20 });
    const { client, dataDir } = await start({ demo, env: NEVER });
    const left: boolean[] = [];
    demo.behaviour.onRequest = (request) => {
      if (request.method !== 'PUT') return;
      const { lines } = leftOfChange(dataDir);
      left.push(lines.startsWith('{"type":"intent"') && new RegExp(`"type":"sending".*"id":"${channelIdIn(request)}"`).test(lines));
    };
    const changes = [...demo.world.channels.values()].map(({ id }) => ({
      channel: id,
      name: `New ${id}`,
      setVideoKeys: videoKeysOf(demo, 2),
    }));
    const reply = await client.callTool('update_channels', { changes });
    expect(left).toEqual(Array<boolean>(9).fill(true));
    expect(reply.data?.status).toBe('applied');
    expect(leftOfChange(dataDir).lines).toMatch(/\n\{"type":"end".*"status":"applied".*\}\n$/);
  });

  test('a creation is on disk in the journal before it is sent', async () => {
    const demo = await startService({ channels: 1, projects: 1 });
    const { client, dataDir } = await start({ demo, env: NEVER });
    const left: string[] = [];
    demo.behaviour.onRequest = ({ method }) => {
      if (method === 'POST') left.push(leftOfChange(dataDir).lines);
    };
    await client.callTool('create_project', { name: 'Brand new', region: 'use-s' });
    expect(left).toEqual([expect.stringMatching(/^\{"type":"intent".*\n\{"type":"sending".*"id":"new"\}\n$/)]);
  });

  test('each batch of copies and the list of ids are on disk in the journal before the batch is sent', async () => {
    const account = await manyVideos(451);
    const { client, dataDir } = await start({ demo: account.demo, env: NEVER });
    const [source = '', ...targets] = account.ids;
    const left: boolean[] = [];
    account.demo.behaviour.onRequest = (request: DemoRequest) => {
      if (!COPY.path.test(request.path)) return;
      const { lines, ids } = leftOfChange(dataDir);
      const { targetVideos } = request.body as { targetVideos: string[] }; // as copy sends it
      const [from, to] = [targets.indexOf(targetVideos[0] ?? ''), targets.indexOf(targetVideos.at(-1) ?? '') + 1];
      left.push(ids === targets.join('\n') && lines.includes(`"type":"range-sending","epoch":0,"from":${from},"to":${to}}`));
    };
    const { data } = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: targets, batchSize: 100 });
    // The first target alone, then the batches.
    expect(left).toEqual(Array<boolean>(6).fill(true));
    expect(data?.status).toBe('applied');
    expect(leftOfChange(dataDir).lines).toContain('"type":"end"');
  });

  test('the intent and ids of a move are on disk before it begins, and its resumption before it continues', async () => {
    const account = await manyVideos(3_000);
    const { demo, ids, archive } = account;
    const { client, dataDir } = await start({ demo, env: NEVER });
    let left: { readonly lines: string; readonly ids: string }[] = [];
    demo.behaviour.onRequest = ({ path }) => {
      if (path === MOVE.path) left.push(leftOfChange(dataDir));
    };
    demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
    const { data } = await client.callTool('move_videos', { targetProject: archive, videoIds: ids });
    expect(left.length).toBeGreaterThan(1);
    for (const { lines, ids: kept } of left)
      expect([kept === ids.join('\n'), lines.split('\n', 1)[0]]).toEqual([true, expect.stringContaining('"intent"')]);
    demo.faults.clear();
    left = [];
    await client.callTool('resume_change', { changeId: data?.changeId });
    expect(left.length).toBeGreaterThan(0);
    for (const { lines } of left) expect(lines).toContain('"type":"resumed"');
    expect(idsIn(demo, archive)).toHaveLength(3_000);
  });
});

test('a video that failed is on disk in the journal before it is sent again', async () => {
  const { demo, ids, poisoned } = await manyVideos(20, 1);
  const { client, dataDir } = await start({ demo, env: NEVER });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  const place = ids.findIndex((id) => poisoned.has(id));
  demo.world.poisonedVideoIds.clear();
  const left: string[] = [];
  demo.behaviour.onRequest = ({ path }) => {
    if (path === MOVE.path) left.push(leftOfChange(dataDir).lines);
  };
  await client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
  expect(left).toEqual([expect.stringContaining(`"type":"range-sending","epoch":1,"from":${place},"to":${place + 1}}`)]);
});

test('nothing is sent if the disk can’t be flushed', async () => {
  const account = await manyVideos(250);
  const { demo, ids, archive } = account;
  const { client } = await start({ demo });
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  // With the first change it is noted which account the key is of.
  await agree(client, 'state_contents', { channels: [{ channel: id, videoKeys, projectKeys }] });
  disk.isBroken = true;
  const calls = [
    ['update_channels', { changes: [{ channel: id, name: 'New', setVideoKeys: videoKeysOf(demo, 2) }] }],
    ['create_project', { name: 'Brand new', region: 'use-s' }],
    ['copy_cta', { sourceVideoId: ids[0], targetVideoIds: ids.slice(1) }],
    ['move_videos', { targetProject: archive, videoIds: ids }],
  ] as const;
  for (const [tool, args] of calls)
    expect((await agree(client, tool, args)).data, tool).toMatchObject({ error: { code: 'journal_failed' } });
  expect([...writesOf(demo), ...requestsOf(demo, MOVE), ...requestsOf(demo, COPY)]).toEqual([]);
});

test('an update is not sent if the disk is full just before', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const { client } = await start({ demo, env: NEVER });
  const { id } = channelAt(demo, 0);
  let looks = 0;
  demo.behaviour.onRequest = ({ method, path }) => {
    // The channel is read for the plan, and once more just before the update is sent.
    if (method === 'GET' && path === `/v1/channels/${id}`) looks += 1;
    disk.isFull = looks > 1;
  };
  const reply = await client.callTool('update_channels', { changes: [{ channel: id, name: 'New', setVideoKeys: videoKeysOf(demo, 2) }] });
  expect(looks).toBe(2);
  expect(writesOf(demo)).toEqual([]);
  expect(reply.text).toContain('nothing more was sent. Let this server write to its data folder');
});

test('a change whose end could not be written is reported as interrupted, not as running', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const { client } = await start({ demo, env: NEVER });
  const { id } = channelAt(demo, 0);
  demo.behaviour.onRequest = ({ method }) => {
    if (method === 'PUT') disk.isFull = true;
  };
  await client.callTool('update_channels', { changes: [{ channel: id, name: 'New', setVideoKeys: videoKeysOf(demo, 2) }] });
  expect(demo.world.channels.get(id)?.name).toBe('New');
  disk.isFull = false;
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  const { data } = await client.callTool('get_change', { changeId: change?.changeId, waitSeconds: 60 });
  expect(data).toMatchObject({ status: 'interrupted', unknown: [{ id }] });
});

test('a change that a full disk keeps from its beginning leaves nothing, says that nothing was sent, and begins once there is room', async () => {
  const folder = freshHome();
  const journal = createJournal(folder);
  const changeId = await journal.newChangeId();
  disk.isFull = true;
  await expect(journal.begin(moveIntent(changeId), ['v1', 'v2'])).rejects.toMatchObject({
    code: 'journal_failed',
    message: expect.stringMatching(/\(ENOSPC\b.*\), so nothing was sent, and nothing was changed\.$/),
    facts: { outcome: 'nothing-sent' },
  });
  expect([journal.has(changeId), readdirSync(folder)]).toEqual([false, []]);
  disk.isFull = false;
  await (await journal.begin(moveIntent(changeId), ['v1', 'v2'])).end('stopped', {});
  expect((await journal.read(changeId))?.status).toBe('stopped');
});

test.each(['isFull', 'isFullForLines'] as const)(
  'a change that a full disk (%s) keeps from being carried on can be once there is room',
  async (how) => {
    const journal = createJournal(freshHome());
    const changeId = await journal.newChangeId();
    await (await journal.begin(moveIntent(changeId), ['v1', 'v2'])).end('stopped', {});
    disk[how] = true;
    await expect(journal.resume(changeId)).rejects.toMatchObject({ code: 'journal_failed', facts: { outcome: 'nothing-sent' } });
    disk[how] = false;
    const resumed = await journal.resume(changeId);
    await resumed?.writer.end('applied', {});
    expect(await journal.read(changeId)).toMatchObject({ epoch: 1, status: 'applied' });
  },
);

test('without hard links, a full disk leaves no part of a file, and the next try makes it', async () => {
  const folder = freshHome();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'chg.decision');
  const make = () => linkExclusive(`${file}.new`, '{"status":"started"}', file);
  disk.fullAt = file;
  await expect(make()).rejects.toMatchObject({ code: 'ENOSPC', path: file });
  expect(readdirSync(folder)).toEqual([]);
  disk.fullAt = undefined;
  expect([await make(), readFileSync(file, 'utf8')]).toEqual([true, '{"status":"started"}']);
});
