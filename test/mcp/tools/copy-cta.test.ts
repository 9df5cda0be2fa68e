/** A copy of CTAs: its preview, and which targets are in doubt. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { COPY, copiedIds, doubled, manyVideos, requestsOf, sorted, UNASKED, withFile } from '../../changes/kinds/videos/harness.ts';
import { agree, changeIdIn, confirmPreview } from '../../changes/support/confirm.ts';
import { changeFiles } from '../../changes/support/journal-files.ts';
import { recordsIn, type Values } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const NO_COPY_UNDO = 'This can’t be undone: copied CTAs can’t be taken away again from here.';
const NO_EARLIER = 'No earlier copy of this source onto them is in this server’s history.';
const KEEPS =
  'Which CTAs these videos have can’t be seen from here. A video that has some keeps them, as far as is known: copied twice, they are there twice.';
const quoted = (ids: readonly string[]) => ids.map((id) => JSON.stringify(id)).join(', ');

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim());

describe('the preview of a copy', () => {
  test('names the source and the targets, and says that it can’t be undone and sends nothing twice', async () => {
    const { demo, ids } = await manyVideos(3);
    const { client } = await start({ demo });
    const [source = '', ...targets] = ids;
    const args = { sourceVideoId: ` ${source} `, targetVideoIds: targets };
    const { data, text } = await client.callTool('copy_cta', args);
    expect(requestsOf(demo, COPY)).toEqual([]);
    expect(data?.preview).toEqual({
      summary: 'Copy CTAs to 2 videos; no undo',
      meaning: `Copy all CTAs of the video "${source}" to 2 videos.`,
      warnings: [NO_COPY_UNDO, KEEPS],
      notes: [NO_EARLIER],
      lines: [quoted(targets)],
      onFailure:
        'Sent 25 at a time after a first one alone, each once. If an answer is lost, or is a refusal, those 25 are in doubt and not sent again.',
      undo: { possible: 'no' },
    });
    expect(linesOf(text)).toContain('undo: not possible');
    await agree(client, 'copy_cta', args);
    expect(requestsOf(demo, COPY).map(({ path, body }) => ({ path, body }))).toEqual(
      targets.map((target) => ({ path: `/v1/videos/${source}/cta/copy`, body: { targetVideos: [target] } })),
    );
  });

  test('with a catalogue shows the title of the source, or says that it is not in the catalogue', async () => {
    const { demo, ids } = await manyVideos(3);
    const home = freshHome();
    const [source = '', known = '', stranger = ''] = ids;
    const file = join(home, 'videos.csv');
    writeFileSync(file, `id,key,title\n${source},K1,"The ""first"" one"\n${known},K2,Second\n`);
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
    const one = await client.callTool('copy_cta', { sourceVideoId: 'K1', targetVideoIds: ['Second', stranger] });
    expect(one.data?.preview).toMatchObject({
      summary: 'Copy CTAs to 2 videos; no undo',
      meaning: `Copy all CTAs of the video "The \\"first\\" one" (${source}) to 2 videos.`,
      warnings: [NO_COPY_UNDO, KEEPS, '1 of them is not in the video catalogue; it is taken for an id as it stands.'],
      notes: [NO_EARLIER, '1 key or title translated to ids by the video catalogue.'],
      lines: [`${known} "Second", "${stranger}"`],
    });
    const other = await client.callTool('copy_cta', { sourceVideoId: stranger, targetVideoIds: [known] });
    expect(other.data?.preview).toMatchObject({
      summary: 'Copy CTAs to 1 video; no undo',
      meaning: `Copy all CTAs of the video "${stranger}" to 1 video.`,
      warnings: [NO_COPY_UNDO, KEEPS, 'The source is not in the video catalogue; it is taken for an id as it stands.'],
    });
  });

  test.each([
    ['list of ids is empty', 'ids', ''],
    ['list of ids is cut off', 'ids', 'b1f0'],
    ['intent is damaged', 'jsonl', '{"type":"inte\n'],
  ])('tells of an earlier copy whose %s', async (_what, ending, text) => {
    const { demo, ids } = await manyVideos(10);
    const { client, dataDir } = await start({ demo });
    const [sourceVideoId, ...targetVideoIds] = ids;
    const made = await agree(client, 'copy_cta', { sourceVideoId, targetVideoIds });
    writeFileSync((changeFiles(dataDir)[0] ?? '').replace(/jsonl$/, ending), text);
    const asked = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds: targetVideoIds.slice(-2) });
    expect(asked.text).toContain(`Onto which videos "${changeIdIn(made)}" copied, if onto any, is not known any more`);
    expect(asked.text).not.toContain(NO_EARLIER);
  });

  test('is refused for a source that can’t be an id, for no targets, and for a source among its targets by id, key or title', async () => {
    const { demo, ids } = await manyVideos(3);
    const home = freshHome();
    const [source = '', target = ''] = ids;
    const file = join(home, 'videos.csv');
    writeFileSync(file, `id,key,title\n${source},K1,First\n`);
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file, VIDEO_HOSTING_CONFIRM: 'never' } });
    const blank = await client.callTool('copy_cta', { sourceVideoId: ' ', targetVideoIds: [target, 'x'.repeat(201)] });
    for (const words of ['2 arguments are wrong', 'sourceVideoId', 'can’t be the id of a video', 'looks like no id'])
      expect(blank.text).toContain(words);
    const plain = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    for (const sourceVideoId of ['..', 'src\u0000', 'src\u200b', '\ufffd'])
      expect((await plain.client.callTool('copy_cta', { sourceVideoId, targetVideoIds: [target] })).text).toContain(
        'sourceVideoId: can’t be the id of a video',
      );
    const none = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: [' ', ''] });
    expect(none.text).toContain('holds no ids');
    expect((await client.callTool('copy_cta', { sourceVideoId: source })).text).toContain('targetVideoIds: must be given');
    for (const name of [source, 'K1', 'First']) {
      const { text } = await client.callTool('copy_cta', { sourceVideoId: name, targetVideoIds: [target, source] });
      expect(text).toContain('hold the source itself');
    }
    expect(requestsOf(demo, COPY)).toEqual([]);
  });
});

describe('a copy', () => {
  /** The answer to the request that has the target at `lostAt` is lost. */
  async function inDoubt(args: Values = {}, lostAt = 130) {
    const setup = await withFile(241, 0, ([, ...targets]) => targets);
    const { demo, ids, home, env } = setup;
    const isLost = ({ body }: { body: unknown }) => JSON.stringify(body).includes(ids[lostAt] ?? '');
    demo.faults.next({ match: { ...COPY, when: isLost }, do: { kind: 'reset-after' } });
    const { client } = await start({ demo, home, env });
    const reply = await client.callTool('copy_cta', { sourceVideoId: ids[0], targetVideoIdsFile: 'ids.txt', ...args });
    return { ...setup, client, ...reply };
  }

  test('of several requests without an answer, each target in doubt has the number of its own', async () => {
    const { demo, ids, home, env } = await withFile(141, 0, ([, ...targets]) => targets);
    const has = (id: string | undefined) => (request: { body: unknown }) => JSON.stringify(request.body).includes(String(id));
    for (const at of [30, 60]) demo.faults.next({ match: { ...COPY, when: has(ids[at]) }, do: { kind: 'reset-after' } });
    const { client } = await start({ demo, home, env });
    const { data } = await client.callTool('copy_cta', { sourceVideoId: ids[0], targetVideoIdsFile: 'ids.txt' });
    const sent = requestsOf(demo, COPY).map(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
    const numbers = (entries: readonly Values[]) => new Map(entries.map(({ id, request }) => [String(id), Number(request)]));
    const told = numbers(recordsIn(data, 'unknown'));
    expect(told.size).toBe(50);
    for (const at of [30, 60]) {
      const together = sent.find((targets) => targets.includes(String(ids[at]))) ?? [];
      expect(new Set(together.map((id) => told.get(id))).size).toBe(1);
    }
    expect(new Set(told.values()).size).toBe(2);
    const page = await client.callTool('get_change', { changeId: data?.changeId, list: 'unknown' });
    expect(numbers(recordsIn(page.data, 'unknown'))).toEqual(told);
    const rows: Values[] = parse(readFileSync(String(data?.notDoneFile)), { columns: true, bom: true });
    expect(numbers(rows)).toEqual(told);
  });

  test('whose response is lost leaves 25 targets in doubt, or as many as batchSize says', async () => {
    const { demo, data, text } = await inDoubt();
    expect(data).toMatchObject({ status: 'partly_applied', copied: 215, unknownCount: 25 });
    expect(requestsOf(demo, COPY)).toHaveLength(11);
    expect(text).toContain(
      '25 are in doubt: notDoneFile names them, but nothing sends them again, so look at each in the dashboard (those with the same request, too: some may have the CTAs and others not), then name those alone that have none in a new copy_cta.',
    );
    expect(text).toContain('A new copy_cta of the same list would double the CTAs of the 215 copied, and of those in doubt that got them.');
    expect(text).toContain(
      'The connection broke before an answer came. It was sent, and may have been done. To find out, open the video in the dashboard and look at its CTAs.',
    );
    expect(text).not.toMatch(/ECONNRESET|POST \/v1/);
    expect(text).not.toContain('resume_change carries it on');
    const single = await inDoubt({ batchSize: 1 });
    expect(single.data).toMatchObject({ copied: 239, unknownCount: 1 });
    expect(single.text).toContain('One is in doubt: notDoneFile names it, but nothing sends it again, so look in the dashboard');
    expect(single.text).toContain('To find out, open the video in the dashboard');
    expect((await inDoubt({ batchSize: 100 })).data).toMatchObject({ copied: 140, unknownCount: 100 });
    expect((await inDoubt({ batchSize: 101 })).isError).toBe(true);
  });

  test('whose first response is lost leaves that target alone in doubt, and the next is sent alone as well', async () => {
    const { demo, ids, data } = await inDoubt({}, 1);
    expect(data).toMatchObject({ copied: 239, unknown: [{ id: ids[1] }] });
    const sent = requestsOf(demo, COPY).map(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
    expect(sent.slice(0, 2)).toEqual([[ids[1]], [ids[2]]]);
    expect(doubled(demo)).toEqual([]);
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

  test('onto one video, answered as failed, leaves that in doubt: it may have some of the CTAs, so nothing offers it again', async () => {
    const { demo, ids, home, env } = await withFile(3, 0, ([, ...targets]) => targets);
    const [sourceVideoId, first = '', second = ''] = ids;
    demo.behaviour.ctaFailsAfter = 0;
    // The first CTA is copied, then it fails.
    demo.behaviour.onProcessed = ({ path }) => {
      if (COPY.path.test(path)) demo.world.videos.get(first)?.ctaCopies.push({ sourceId: sourceVideoId ?? '', at: demo.world.tick() });
    };
    const { client } = await start({ demo, home, env });
    const { data, text } = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds: [first] });
    delete demo.behaviour.ctaFailsAfter;
    delete demo.behaviour.onProcessed;
    expect(data).toMatchObject({ copied: 0, failedCount: 0, unknown: [{ id: first }] });
    expect(text).toContain('1 target videos could not be processed.');
    expect(text).toContain(
      'Whether it has some of the CTAs is not told. To find out, open the video in the dashboard and look at its CTAs.',
    );
    const sent = requestsOf(demo, COPY).length;
    const resumed = await client.callTool('resume_change', { changeId: data?.changeId });
    expect(resumed.data).toMatchObject({ error: { code: 'not_resumable' } });
    const again = await client.callTool('copy_cta', { sourceVideoId, targetVideoIdsFile: data?.notDoneFile });
    expect(again.text).toContain('holds no ids but 1 whose outcome is unknown');
    expect(requestsOf(demo, COPY)).toHaveLength(sent);
    const rest = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds: [first, second], skipCopied: true });
    expect(rest.data).toMatchObject({ status: 'applied', copied: 1 });
    expect(doubled(demo)).toEqual([]);
    expect(copiedIds(demo)).toEqual([first, second]);
  });

  test('is repeated for failed targets only, if its file of outcomes is used', async () => {
    const { demo, ids, home, env } = await withFile(31, 0, ([, ...targets]) => targets);
    const [source = '', ...targets] = ids;
    const locked = targets[0] ?? '';
    const isLocked = ({ body }: { body: unknown }) => JSON.stringify(body).includes(locked);
    demo.faults.always({ match: { ...COPY, when: isLocked }, do: { kind: 'status', code: 400, body: { message: 'It is locked.' } } });
    const isLast = ({ body }: { body: unknown }) => JSON.stringify(body).includes(targets[29] ?? '');
    demo.faults.next({ match: { ...COPY, when: isLast }, do: { kind: 'reset-after' } });
    const { client } = await start({ demo, home, env });
    const { data, text } = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIdsFile: 'ids.txt' });
    expect(data).toMatchObject({ failed: [{ id: locked, line: 1 }], unknownCount: 5 });
    expect(text).toContain('notDoneFile as targetVideoIdsFile of a new copy_cta sends those alone');
    demo.faults.clear();
    const { data: again } = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIdsFile: data?.notDoneFile });
    expect(again).toMatchObject({ status: 'applied', copied: 1, fileRead: expect.stringContaining('5 left out') });
    expect(copiedIds(demo)).toHaveLength(30);
    expect(doubled(demo)).toEqual([]);
  });
});

test('with skipCopied, targets that got the CTAs before, or may have, are left out, and the preview says how many', async () => {
  const { demo, ids, home, folder } = await withFile(
    12,
    0,
    ([, ...targets]) => ['video,title', ...targets.map((id, at) => `${id},Part ${at}`)],
    'ids.csv',
  );
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_FILES_DIR: folder } });
  const [sourceVideoId, ...targets] = ids;
  const first = changeIdIn(await agree(client, 'copy_cta', { sourceVideoId, targetVideoIds: targets.slice(0, 4) }));
  const args = { sourceVideoId, targetVideoIdsFile: 'ids.csv', idColumn: 'video' };
  const plain = await client.callTool('copy_cta', args);
  expect(plain.text).toContain('4 of them (');
  expect(plain.text).toContain('they would be there twice.');
  expect(plain.text).toContain('To leave those out, make the call with skipCopied: true.');
  const asked = await client.callTool('copy_cta', { ...args, skipCopied: true });
  expect(asked.data?.preview).toMatchObject({ summary: 'Copy CTAs to 7 videos; no undo' });
  expect(asked.text).toMatch(
    new RegExp(`4 of them \\(.*\\) got CTAs of this video before, last by ${first}\\. They are left alone, lest the CTAs come twice\\.`),
  );
  const [next = ''] = targets.slice(4);
  demo.faults.always({
    match: { ...COPY, when: ({ body }) => JSON.stringify(body).includes(next) },
    do: { kind: 'status', code: 400, body: { message: 'No.' } },
  });
  const done = await confirmPreview(client, asked);
  expect(doubled(demo)).toEqual([]);
  expect(copiedIds(demo)).toHaveLength(10);
  expect(done.data).toMatchObject({ status: 'partly_applied', copied: 6, total: 7, failed: [{ id: next, line: 6 }] });
  const again = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds: targets.slice(0, 4), skipCopied: true });
  expect(
    requestsOf(demo, COPY)
      .flatMap(({ body }) => JSON.stringify(body))
      .join()
      .split(String(targets[0])),
  ).toHaveLength(2);
  expect(again.data).toMatchObject({
    status: 'applied',
    message: expect.stringMatching(/^All 4 videos got CTAs of the video .* before, or may have\. Nothing had to be sent\.$/),
  });
});

test('a copy that is done is not told as one without an earlier copy', async () => {
  const { demo, ids } = await manyVideos(4);
  const { client } = await start({ demo, env: UNASKED });
  const [sourceVideoId, ...targetVideoIds] = ids;
  const done = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  expect(sorted(copiedIds(demo))).toEqual(sorted(targetVideoIds));
  expect(done.data).toMatchObject({ status: 'applied', copied: 3 });
  for (const { text } of [done, await client.callTool('get_change', { changeId: done.data?.changeId })])
    expect(text).not.toContain(NO_EARLIER);
  const again = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  expect(again.text).toContain(`All of them got CTAs of this video before, last by ${String(done.data?.changeId)}`);
});

test('wrong arguments are refused', () =>
  expectRefused('copy_cta', [
    [{}, 'sourceVideoId: is missing'],
    [{ sourceVideoId: 'a' }, 'targetVideoIds'],
    [{ sourceVideoId: 'a', targetVideoIds: ['b'], batchSize: 0 }, 'batchSize: '],
    [{ sourceVideoId: 'a', targetVideoIds: ['b'], batchSize: 101 }, 'batchSize: '],
    [{ sourceVideoId: 'a', targetVideoIds: ['b'], idColumn: 'Asset' }, 'idColumn: names a column of'],
  ]));

test('each target gets the CTAs once, and the answer counts them', async () => {
  const { demo, ids } = await manyVideos(5);
  const { client } = await start({ demo, forms: 'accept' });
  const [sourceVideoId = '', ...targetVideoIds] = ids;
  const { data } = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  expect(sorted(copiedIds(demo))).toEqual(sorted(targetVideoIds));
  expect(client.forms).toHaveLength(1);
  expect(data).toMatchObject({ status: 'applied', total: 4, copied: 4, failedCount: 0, unknownCount: 0, undo: { possible: 'no' } });
});
