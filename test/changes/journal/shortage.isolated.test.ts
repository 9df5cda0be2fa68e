/** A machine that has no free file descriptor for a moment: what can’t be read then is not taken for what is not there. */
import { expect, test, vi } from 'vitest';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { idsIn, manyVideos, UNASKED } from '../kinds/videos/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../support/world.ts';

const disk = vi.hoisted(() => ({
  /** Whether a file or folder can't be opened. */
  isShort: (_path: string): boolean => false,
}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs/promises')>();
  const unlessShort = (path: unknown): void => {
    if (disk.isShort(String(path))) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
  };
  const readFile = async (...args: Parameters<typeof fs.readFile>) => {
    unlessShort(args[0]);
    return fs.readFile(...args);
  };
  const readdir = async (path: string) => {
    unlessShort(path);
    return fs.readdir(path);
  };
  return { ...fs, readFile, readdir };
});

const SHORT: readonly (readonly [string, (path: string) => boolean])[] = [
  ['files', (path) => path.endsWith('.jsonl')],
  ['folder', (path) => path.endsWith('changes')],
];

test.each(SHORT)(
  'a channel whose journal can’t be read for a moment (%s) is not called unknown, and changed afterwards',
  async (_what, isShort) => {
    const demo = await startService({ channels: 1, videos: 10 });
    const channel = channelAt(demo, 0);
    const { client } = await start({ demo, home: freshHome(), env: UNASKED });
    await client.callTool('state_contents', { channels: [{ channel: channel.id, videoKeys: videoKeysOf(demo, 3), projectKeys: [] }] });
    const rename = () => client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'Renamed' }] });
    disk.isShort = isShort;
    const refused = await rename();
    disk.isShort = () => false;
    expect(writesOf(demo)).toEqual([]);
    expect(refused.text).toContain('The journal can’t be read at this moment (EMFILE)');
    expect(refused.text).not.toContain('contents_unknown');
    expect((await rename()).data?.status).toBe('applied');
  },
);

test.each(SHORT)(
  'an undo does not send back what a later change moved on, where that can’t be read for a moment (%s)',
  async (_what, isShort) => {
    const { demo, ids, archive, elsewhere } = await manyVideos(4);
    const [third = ''] = [...demo.world.projects.keys()].filter((id) => id !== archive && id !== elsewhere);
    const home = freshHome();
    const { client } = await start({ demo, home, env: UNASKED });
    const move = (fromProject: string, targetProject: string) =>
      client.callTool('move_videos', { videoIds: ids, targetProject, fromProject });
    const first = changeIdIn(await move(elsewhere, archive));
    const later = changeIdIn(await move(archive, third));
    const other = await start({ demo, home, env: UNASKED });
    disk.isShort = (path) => isShort(path) && !path.includes(first);
    const undone = await other.client.callTool('undo_change', { changeId: first });
    disk.isShort = () => false;
    expect(idsIn(demo, third)).toHaveLength(4);
    expect(undone.data?.status).not.toBe('applied');
    expect((await other.client.callTool('get_change', { changeId: later })).data?.status).toBe('applied');
  },
);
