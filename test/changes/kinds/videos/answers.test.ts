/** The answer to a bulk change has everything that is needed next, without a second call. */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { recordsIn } from '../../../harness/client.ts';
import { start } from '../../../harness/start.ts';
import { agree } from '../../support/confirm.ts';
import { idsIn, MOVE, manyVideos, requestsOf, sorted, withFile } from './harness.ts';

const ERAS = ['v2 client, legacy', 'v2 client, modern'] as const;

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
    expect(text.match(/The service says that it failed, but not why\./g)).toHaveLength(1);
    for (const { id, line } of wanted) expect(text).toContain(`${id} | ${line} | `);
    expect(text).toContain('2,504 lines: 1 header, 1 blank, 2,502 ids, of these 2 repeated (lines 2503, 2504).');
    expect(text).toContain('retryFailed: true');
    const file = join(folder, `${String(data?.changeId)}-not-done.csv`);
    expect(data?.notDoneFile).toBe(file);
    expect(parse(readFileSync(file), { columns: true, bom: true })).toEqual(
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
