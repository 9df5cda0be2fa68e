/** One change in full, whatever became of it: by its id, page by page, and after a wait. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ended, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from '../../changes/kinds/videos/harness.ts';
import { personOf, waitingAgent } from '../../changes/proposals/harness.ts';
import { agreementIn, changeIdIn } from '../../changes/support/confirm.ts';
import { abandon, changeFiles, linesOf } from '../../changes/support/journal-files.ts';
import { channelAt, videoKeysOf, writesOf } from '../../changes/support/world.ts';
import { recordsIn, type ToolReply } from '../../harness/client.ts';
import { hold, startService } from '../../harness/service.ts';
import { homeWithFiles, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };
const PreviewSchema = z.looseObject({ lines: z.array(z.string()), more: z.string().optional() });

describe('the change', () => {
  test('is unknown: the answer says where ids come from', async () => {
    const { client, demo } = await start();
    const reply = await client.callTool('get_change', { changeId: 'chg-000000000-none' });
    expect(demo.requests).toEqual([]);
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('list_changes');
  });

  test('is asked about in an open form: it waits there, is listed as waiting, and only the user ends it', async () => {
    const demo = await startService({ views: 0 });
    const during: ToolReply[] = [];
    const session: Awaited<ReturnType<typeof start>> = await start({
      demo,
      forms: async () => {
        const { client } = session;
        const listed = await client.callTool('list_changes', { status: 'waiting' });
        const [{ changeId } = {}] = recordsIn(listed.data, 'changes');
        during.push(await client.callTool('get_change', { changeId }), await client.callTool('stop_change', { changeId }));
        return { action: 'decline' };
      },
    });
    await session.client.callTool('create_project', { name: 'Brand new', region: 'use-s' });
    const [seen, stopped] = during;
    expect(writesOf(demo)).toEqual([]);
    expect(seen?.data).toMatchObject({ status: 'waiting', kind: 'create_project', message: expect.stringContaining('in a form') });
    expect(stopped?.isError).toBe(true);
    expect(stopped?.text).toContain('in a form');
  });

  test('ended: what was done, when, and how to undo it', async () => {
    const { demo, ids, archive, elsewhere } = await manyVideos(3);
    const { client } = await start({ demo, env: UNASKED });
    const args = { targetProject: archive, fromProject: elsewhere, videoIds: ids };
    const changeId = changeIdIn(await client.callTool('move_videos', args));
    const { data } = await client.callTool('get_change', { changeId });
    expect(idsIn(demo, archive)).toHaveLength(3);
    expect(data).toMatchObject({ status: 'applied', changeId, kind: 'move_videos', total: 3, moved: 3, failedCount: 0, unknownCount: 0 });
    expect(Date.parse(String(data?.at))).not.toBeNaN();
    expect(data).toMatchObject({ undo: { possible: 'yes' } });
    expect(data).not.toHaveProperty('pager');
  });

  test('runs: it is answered as it is, and waitSeconds waits for its end', async () => {
    const { demo, ids, archive } = await manyVideos(3);
    const letGo = hold(demo, ({ path }) => path === MOVE.path);
    const { client } = await start({ demo, shortCalls: true, env: UNASKED });
    const begun = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    const changeId = changeIdIn(begun);
    expect(idsIn(demo, archive)).toEqual([]);
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'running', moved: 0, total: 3 });
    letGo();
    const { data } = await ended(client, changeId);
    expect(idsIn(demo, archive)).toHaveLength(3);
    expect(data).toMatchObject({ status: 'applied', moved: 3 });
  });

  test('waits for confirm_change: it is told without its token', async () => {
    const { demo, ids } = await manyVideos(3);
    const { client } = await start({ demo, env: TOKEN });
    const changeId = changeIdIn(await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids }));
    const { data, text } = await client.callTool('get_change', { changeId });
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(data).toMatchObject({ status: 'confirmation_required', changeId, kind: 'move_videos' });
    expect(data).not.toHaveProperty('confirmationToken');
    expect(text).toContain('NOT DONE YET');
  });

  test('was previewed, and is withdrawn or expired: nothing was sent', async () => {
    const { demo, ids } = await manyVideos(3);
    const { client } = await start({ demo, env: TOKEN });
    const ask = async (count: number) =>
      changeIdIn(await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids.slice(0, count) }));
    const [withdrawn, expired] = [await ask(2), await ask(3)];
    await client.callTool('stop_change', { changeId: withdrawn });
    const told = await client.callTool('get_change', { changeId: withdrawn });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    try {
      const later = await client.callTool('get_change', { changeId: expired });
      expect(later.data).toMatchObject({ status: 'expired', changeId: expired, kind: 'move_videos' });
      expect(later.text).toContain('Its preview was not confirmed within ten minutes');
    } finally {
      vi.useRealTimers();
    }
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(told.data).toMatchObject({ status: 'withdrawn', changeId: withdrawn, kind: 'move_videos' });
    expect(told.text).toMatch(/^Move 2 videos .* Its preview was withdrawn, so its token counts no more\. Nothing was sent for it\./m);
  });

  test('waits for a person, who declines it with a reason', async () => {
    const { move, demo, client, person } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    const waiting = await client.callTool('get_change', { changeId, page: 1 });
    expect(waiting.data).toMatchObject({ status: 'waiting', changeId, kind: 'move_videos', preview: { lines: expect.any(Array) } });
    expect((await client.callTool('get_change', { changeId })).data).not.toHaveProperty('preview');
    const { decisions } = await personOf(person);
    await decisions.decline(changeId, 'Not before Monday.');
    const declined = await client.callTool('get_change', { changeId });
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(declined.data).toMatchObject({ status: 'declined', changeId });
    expect(declined.text).toContain('Not before Monday.');
  });
});

test('get_change returns each list completely, in pages of 100', async () => {
  const { demo, ids, poisoned } = await manyVideos(450, 130);
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  const { changeId } = data ?? {};
  const page = (list: string, number?: number) => client.callTool('get_change', { changeId, list, page: number });
  const first = await page('failed');
  const second = await page('failed', 2);
  expect(first.data).toMatchObject({ list: 'failed', pager: { page: 1, totalPages: 2, totalResults: 130 }, moved: 320 });
  const failed = [...recordsIn(first.data, 'failed'), ...recordsIn(second.data, 'failed')].map(({ id }) => String(id));
  expect(failed).toEqual(ids.filter((id) => poisoned.has(id)));
  expect(recordsIn(second.data, 'failed')).toHaveLength(30);
  expect(second.text).toContain('page 2, totalPages 2, totalResults 130');
  expect(second.text).toContain(failed.at(-1));
  const done = recordsIn((await page('done', 4)).data, 'done');
  expect(done.map(({ id }) => id)).toEqual(ids.filter((id) => !poisoned.has(id)).slice(300));
  expect((await page('unknown')).data).toMatchObject({ unknown: [], pager: { totalResults: 0 } });
  expect((await page('notDone', 9)).data).toMatchObject({ notDone: [], pager: { page: 9 } });
  const without = await client.callTool('get_change', { changeId, page: 2 });
  expect([without.isError, without.text.includes('list')]).toEqual([true, true]);
});

test('get_change shows what the summary means too, as the preview did', async () => {
  const demo = await startService({ views: 0 });
  const { client } = await start({ demo, env: TOKEN });
  const channels = [{ channel: channelAt(demo, 0).id, videoKeys: videoKeysOf(demo, 2) }];
  const asked = await client.callTool('state_contents', { channels });
  const meaning =
    'Record what 1 channel holds now (2 videos), as stated. Nothing in the account changes now: this server alone keeps it. Later changes send it, and a video missing from it drops out of its channel then, for good. Until then a new list corrects it.';
  expect(asked.data).toMatchObject({ status: 'confirmation_required', preview: { meaning } });
  const { data } = await client.callTool('get_change', { changeId: String(asked.data?.changeId) });
  expect(data).toMatchObject({ status: 'confirmation_required', preview: { summary: agreementIn(asked).summary, meaning } });
});

test.each([
  ['move_videos', (ids: readonly string[]) => ({ targetProject: 'Archive', videoIds: ids }), 3],
  ['copy_cta', ([sourceVideoId, ...targetVideoIds]: readonly string[]) => ({ sourceVideoId, targetVideoIds }), 3],
])('of %s get_change lists all ids in pages, and one of few videos names them at once', async (tool, args, pages) => {
  const { demo, ids } = await manyVideos(251);
  const { client } = await start({ demo, env: TOKEN });
  const asked = await client.callTool(tool, args(ids));
  expect(writesOf(demo)).toEqual([]);
  let shown = PreviewSchema.parse(asked.data?.preview);
  expect(shown.more).toBe(`… and all ids: get_change with page 1 of ${pages}`);
  const lines: string[] = [];
  for (let page = 1; shown.more !== undefined; page += 1) {
    expect(shown.more).toContain(`get_change with page ${page} of ${pages}`);
    shown = PreviewSchema.parse((await client.callTool('get_change', { changeId: asked.data?.changeId, page })).data?.preview);
    lines.push(...shown.lines);
  }
  const targets = tool === 'copy_cta' ? ids.slice(1) : ids;
  expect(lines.filter((line) => /^"[^"]+"$/.test(line))).toEqual(targets.map((id) => `"${id}"`));
  const few = await client.callTool(tool, args(ids.slice(0, 20)));
  const preview = PreviewSchema.parse(few.data?.preview);
  expect(preview.more).toBeUndefined();
  expect(preview.lines[0]?.split(', ')).toEqual(targets.slice(0, tool === 'copy_cta' ? 19 : 20).map((id) => `"${id}"`));
});

test('wrong arguments are refused', () => {
  const changeId = 'chg-000000000-none';
  return expectRefused('get_change', [
    [{}, 'changeId: is missing'],
    [{ changeId: 'x'.repeat(61) }, 'changeId: '],
    [{ changeId, waitSeconds: -1 }, 'waitSeconds: '],
    [{ changeId, waitSeconds: 3_601 }, 'waitSeconds: '],
    [{ changeId, list: 'moved' }, 'list: '],
    [{ changeId, list: 'done', page: 0 }, 'page: '],
    [{ changeId, list: 'done', page: 1.5 }, 'page: '],
    [{ changeId, page: 2 }, 'page: is a page of a list: name one of done, failed, unknown, notDone as list.'],
  ]);
});

test('where a process ended in the middle of an export, it says where to look, since the account shows nothing of it', async () => {
  const { folder: _, ...where } = homeWithFiles();
  const { client, dataDir } = await start({ forms: 'accept', ...where });
  const { data } = await client.callTool('get_collected_emails', { exportAs: 'csv' });
  const [file = ''] = changeFiles(dataDir);
  abandon(file);
  const begun = linesOf(file).filter(({ type }) => type === 'intent' || type === 'sending');
  writeFileSync(file, begun.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const later = await client.callTool('get_change', { changeId: data?.changeId });
  expect(later.data).toMatchObject({ status: 'interrupted', unknown: [expect.objectContaining({ id: 'emails' })] });
  expect(later.data?.next).toBe('The account shows nothing of what was given out: look where it was to go.');
});
