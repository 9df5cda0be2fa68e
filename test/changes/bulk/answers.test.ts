/** The answer to a bulk change has everything that is needed next, without a second call. */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { recordsIn, type Values } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { agree } from '../support/confirm.ts';
import { COPY, copiedIds, doubled, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

const ERAS = ['v2 client, legacy', 'v2 client, modern'] as const;

/** An account and a folder with a file of ids. */
async function withFile(videos: number, poisoned: number, lines: (ids: readonly string[]) => readonly string[], name = 'ids.txt') {
  const account = await manyVideos(videos, poisoned);
  const home = freshHome();
  const folder = freshHome();
  writeFileSync(join(folder, name), lines(account.ids).join('\n'));
  return { ...account, home, folder, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: folder } };
}

describe.each(ERAS)('%s', (kind) => {
  test('failed ids are listed with their lines and the file’s counts; retryFailed retries them in the same change', async () => {
    const setup = await withFile(2_500, 7, (ids) => ['id', '', ...ids, ids[3] ?? '', ids[9] ?? '']);
    const { demo, ids, poisoned, archive, folder, home, env } = setup;
    const { client } = await start({ client: kind, demo, home, env });
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.txt' });
    expect(idsIn(demo, archive)).toHaveLength(2_493);
    expect(data).toMatchObject({
      status: 'partly_applied',
      moved: 2_493,
      failedCount: 7,
      fileRead: 'Of the file: 2,504 lines: 1 header, 1 blank, 2,502 ids, of these 2 repeated (lines 2503, 2504).',
    });
    const wanted = ids.flatMap((id, index) => (poisoned.has(id) ? [{ id, line: index + 3 }] : []));
    expect(recordsIn(data, 'failed').map(({ id, line }) => ({ id, line }))).toEqual(wanted);
    // The reason is given once.
    expect(text.match(/The service answered that it failed, and not why\./g)).toHaveLength(1);
    for (const { id, line } of wanted) expect(text).toContain(`${id} | ${line} | `);
    expect(text).toContain('2,504 lines: 1 header, 1 blank, 2,502 ids, of these 2 repeated (lines 2503, 2504).');
    expect(text).toContain('retryFailed: true');
    const file = join(folder, `${String(data?.changeId)}-not-done.csv`);
    expect(data?.notDoneFile).toBe(file);
    expect(parse(readFileSync(file), { columns: true })).toEqual(
      wanted.map(({ id, line }) => ({ id, line: String(line), outcome: 'failed', reason: expect.any(String) })),
    );
    const [bad = ''] = poisoned;
    demo.world.poisonedVideoIds.clear();
    demo.world.poisonedVideoIds.add(bad);
    const { data: resumed } = await client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
    expect(idsIn(demo, archive)).toHaveLength(2_499);
    expect(resumed).toMatchObject({
      changeId: data?.changeId,
      message: expect.stringMatching(
        / 2499 of 2500 moved, 1 failed\. Last run: 7 sent in \d+ requests?, 6 moved; 2,493 were moved before\.$/,
      ),
      moved: 2_499,
      failedCount: 1,
      failed: [{ id: bad }],
      undo: { possible: 'no' },
    });
    demo.world.poisonedVideoIds.clear();
    await client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
    expect(idsIn(demo, archive)).toHaveLength(2_500);
    expect(existsSync(file)).toBe(false);
    expect((await client.callTool('list_changes')).data).toMatchObject({ changes: [{ changeId: data?.changeId, status: 'applied' }] });
  });
});

test('ids have their line in the file, also after quotes, blank lines and headers, or their entry in a JSON array', async () => {
  const { demo, ids, folder, home, env } = await withFile(6, 0, () => []);
  const { client } = await start({ demo, home, env });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 400, body: { message: 'No.' } } });
  const [a = '', b = '', c = ''] = ids;
  const placesOf = async (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: name });
    return recordsIn(data, 'failed').map(({ id, line, entry }) => [id, line ?? entry]);
  };
  const places = (...lines: number[]) => [a, b, c].map((id, at) => [id, lines[at]]);
  expect(await placesOf('a.csv', `title,id\n"Two\nlines",${a}\n\n"x",${b}\n"y",${c}\n`)).toEqual(places(2, 5, 6));
  expect(await placesOf('b.csv', `\r\ntitle;id\r\nx;${a}\r\n"Two\r\nlines";${b}\r\n;\r\ny;${c}\r\n`)).toEqual(places(3, 4, 7));
  expect(await placesOf('c.txt', `${a}\n\n${b}\n${a}\n${c}`)).toEqual(places(1, 3, 5));
  expect(await placesOf('d.jsonl', [a, b, c].map((id) => `${JSON.stringify({ id })}\n\n`).join(''))).toEqual(places(1, 3, 5));
  expect(await placesOf('e.json', JSON.stringify([a, b, c]))).toEqual(places(1, 2, 3));
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  expect(recordsIn(data, 'failed').every((entry) => !('line' in entry))).toBe(true);
  expect(data).not.toHaveProperty('fileRead');
});

test('idColumn names an unusual column; without it, the file is refused with its column names', async () => {
  const { demo, archive, env } = await withFile(
    3,
    0,
    (ids) => ['Asset,Owner', ...ids.map((id, index) => `${id},owner-${index}@example.com`)],
    'hand-over.csv',
  );
  const { client } = await start({ demo, env });
  const args = { targetProject: 'Archive', videoIdsFile: 'hand-over.csv' };
  const refused = await client.callTool('move_videos', args);
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Ask the user which of them names the videos') });
  // The names of the columns, and none of their values.
  expect(refused.text).toContain('"Asset", "Owner"');
  expect(refused.text).not.toContain('owner-0');
  const mistyped = await client.callTool('move_videos', { ...args, idColumn: 'Assets' });
  expect(mistyped.text).toContain('none is called "Assets": "Asset", "Owner"');
  const fileless = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ['a'], idColumn: 'Asset' });
  expect(fileless.text).toContain('idColumn: names a column of videoIdsFile, which is not given.');
  expect(requestsOf(demo, MOVE)).toEqual([]);
  const { data } = await client.callTool('move_videos', { ...args, idColumn: 'asset ' });
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect(data).toMatchObject({ status: 'applied', moved: 3 });
});

test('a page of failed ids has their lines too', async () => {
  const { demo, ids, poisoned, home, env } = await withFile(300, 120, (all) => all);
  const { client } = await start({ demo, home, env });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.txt' });
  const page = await client.callTool('get_change', { changeId: data?.changeId, list: 'failed', page: 2 });
  const wanted = ids.flatMap((id, index) => (poisoned.has(id) ? [{ id, line: index + 1 }] : [])).slice(100);
  expect(recordsIn(page.data, 'failed')).toMatchObject(wanted);
});

describe('the file of outcomes', () => {
  test('can be used as a file of ids: its ids are moved, and their projects are known for an undo', async () => {
    const setup = await withFile(40, 3, (ids) => ['id,fromProject', ...ids.map((id) => `${id},Marketing`)], 'ids.csv');
    const { demo, poisoned, archive, elsewhere, home, env } = setup;
    const { client } = await start({ demo, home, env });
    const first = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.csv' });
    const sent = requestsOf(demo, MOVE).length;
    const bad = [...poisoned];
    demo.world.poisonedVideoIds.clear();
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: first.data?.notDoneFile });
    expect(requestsOf(demo, MOVE).slice(sent)).toHaveLength(1);
    expect(idsIn(demo, archive)).toHaveLength(40);
    expect(data).toMatchObject({ status: 'applied', moved: 3, before: [{ id: elsewhere }], undo: { possible: 'yes' } });
    await client.callTool('undo_change', { changeId: data?.changeId });
    expect(sorted(idsIn(demo, elsewhere))).toEqual(sorted(bad));
  });

  test('can be read by its owner only, and replaces a symbolic link instead of following it', async (context) => {
    if (process.platform === 'win32') return context.skip();
    const { demo, ids, folder, home, env } = await withFile(4, 1, (all) => all);
    const { client } = await start({ demo, home, env });
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.txt' });
    const file = String(data?.notDoneFile);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const victim = join(home, 'victim');
    writeFileSync(victim, 'precious');
    const { unlinkSync } = await import('node:fs');
    unlinkSync(file);
    symlinkSync(victim, file);
    await client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain(ids.find((id) => demo.world.poisonedVideoIds.has(id)));
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });
});

describe('a copy', () => {
  async function inDoubt(args: Values = {}) {
    const setup = await withFile(141, 0, ([, ...targets]) => targets);
    const { demo, ids, home, env } = setup;
    const isFirst = ({ body }: { body: unknown }) => JSON.stringify(body).includes(ids[1] ?? '');
    demo.faults.next({ match: { ...COPY, when: isFirst }, do: { kind: 'reset-after' } });
    const { client } = await start({ demo, home, env });
    const reply = await client.callTool('copy_cta', { sourceVideoId: ids[0], targetVideoIdsFile: 'ids.txt', ...args });
    return { ...setup, client, ...reply };
  }

  test('whose response is lost leaves 25 targets in doubt, or as many as batchSize says', async () => {
    const { demo, data, text } = await inDoubt();
    expect(data).toMatchObject({ status: 'partly_applied', copied: 115, unknownCount: 25 });
    expect(requestsOf(demo, COPY)).toHaveLength(6);
    expect(text).toContain('25 are in doubt: notDoneFile names them, but nothing sends them again, so look in the dashboard');
    expect(text).toContain('A new copy_cta of the same list would double the CTAs of the 115 copied, and of those in doubt that got them.');
    expect(text).toContain(
      'The connection broke before an answer came. It was sent, and may have been done. To find out, open one of its videos',
    );
    expect(text).not.toMatch(/ECONNRESET|POST \/v1/);
    expect(text).not.toContain('resume_change carries it on');
    const single = await inDoubt({ batchSize: 1 });
    expect(single.data).toMatchObject({ copied: 139, unknownCount: 1 });
    expect(single.text).toContain('One is in doubt: notDoneFile names it, but nothing sends it again, so look in the dashboard');
    expect(single.text).toContain('To find out, open the video in the dashboard');
    expect((await inDoubt({ batchSize: 100 })).data).toMatchObject({ copied: 40, unknownCount: 100 });
    expect((await inDoubt({ batchSize: 101 })).isError).toBe(true);
  });

  test('is not repeated for targets in doubt, neither by retryFailed nor by its file of outcomes', async () => {
    const { demo, client, data } = await inDoubt();
    const sent = requestsOf(demo, COPY).length;
    const retried = await client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
    expect(retried.data).toMatchObject({ error: { code: 'not_resumable' } });
    expect(retried.text).toContain('retryFailed does not count for');
    const again = await client.callTool('copy_cta', {
      sourceVideoId: recordsIn(data, 'unknown')[0]?.id,
      targetVideoIdsFile: data?.notDoneFile,
    });
    expect(again.text).toContain('holds no ids but 25 whose outcome is unknown');
    expect(requestsOf(demo, COPY)).toHaveLength(sent);
    expect(doubled(demo)).toEqual([]);
  });

  test('is repeated for failed targets only, if its file of outcomes is used', async () => {
    const { demo, ids, home, env } = await withFile(31, 0, ([, ...targets]) => targets);
    const [source = '', ...targets] = ids;
    const locked = targets[3] ?? '';
    const isLocked = ({ body }: { body: unknown }) => JSON.stringify(body).includes(locked);
    demo.faults.always({ match: { ...COPY, when: isLocked }, do: { kind: 'status', code: 400, body: { message: 'It is locked.' } } });
    const isLast = ({ body }: { body: unknown }) => JSON.stringify(body).includes(targets[29] ?? '');
    demo.faults.next({ match: { ...COPY, when: isLast }, do: { kind: 'reset-after' } });
    const { client } = await start({ demo, home, env });
    const { data, text } = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIdsFile: 'ids.txt' });
    expect(data).toMatchObject({ failed: [{ id: locked, line: 4 }], unknownCount: 5 });
    expect(text).toContain('notDoneFile as targetVideoIdsFile of a new copy_cta sends those alone');
    demo.faults.clear();
    const { data: again } = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIdsFile: data?.notDoneFile });
    expect(again).toMatchObject({ status: 'applied', copied: 1, fileRead: expect.stringContaining('5 left out') });
    expect(copiedIds(demo)).toHaveLength(30);
    expect(doubled(demo)).toEqual([]);
  });
});

test('an ended change says in the past tense why it can’t be undone', async () => {
  const { demo, ids } = await manyVideos(3);
  const { client } = await start({ demo });
  const args = { targetProject: 'Archive', videoIds: ids };
  expect((await client.callTool('move_videos', args)).text).toContain('it was not said in which project the videos are now');
  const { data } = await agree(client, 'move_videos', args);
  const how = 'It can’t be undone, since it was not said in which project the videos were before.';
  expect(data?.undo).toEqual({ possible: 'no', how });
  expect((await client.callTool('get_change', { changeId: data?.changeId })).text).toContain(how);
  const sent = demo.requests.length;
  const refused = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(demo.requests).toHaveLength(sent);
  expect(refused).toMatchObject({ data: { status: 'failed', error: { code: 'not_undoable' } }, text: expect.stringContaining(how) });
});
