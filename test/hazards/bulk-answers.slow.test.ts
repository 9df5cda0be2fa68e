/** Answers, resources and files about very many ids stay within every limit, are complete and contain nothing harmful. */
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { encode } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import type { DemoRequest } from '../../src/demo/requests.ts';
import { changesFolder, MOVE, manyVideos, outcomesOf, sorted, UNASKED } from '../changes/kinds/videos/harness.ts';
import type { ToolReply } from '../harness/client.ts';
import { freshHome, start } from '../harness/start.ts';

const MAX_TOKENS = 25_000;
const MAX_BYTES = 10 * 1_024 * 1_024;
const GONE = 100_000;

function expectFits(reply: ToolReply): void {
  const whole = `${reply.text}\n${JSON.stringify(reply.data)}`;
  // Counting the tokens of ids is slow, and no text has more tokens than characters.
  expect(whole.length < MAX_TOKENS ? 0 : encode(whole).length).toBeLessThan(MAX_TOKENS);
}

/** A file of ids that the service doesn't have. */
function withStrangers(folder: string, count: number): string[] {
  const ids = Array.from({ length: count }, (_, at) => `b1e0${at.toString(16).padStart(20, '0')}`);
  writeFileSync(join(folder, 'gone.txt'), ids.join('\n'));
  return ids;
}

test(`${GONE} ids with an unknown outcome make a short answer, and the outcomes file lists all of them`, async () => {
  const account = await manyVideos(2);
  const home = freshHome();
  const ids = withStrangers(home, GONE);
  const reason = 'This project takes no more videos, since its plan ended yesterday. '.repeat(9);
  // The service answers success once, ok: false for each further thousand ids, then 401: all of those may have been moved.
  const isFirst = ({ body }: DemoRequest) => (body as { videoIds: string[] }).videoIds[0] === ids[0]; // as move sends it
  account.demo.faults.always({ match: { ...MOVE, when: isFirst }, do: { kind: 'status', code: 200, body: { ok: true } } });
  account.demo.faults.always({ match: MOVE, skip: GONE / 1_000 - 1, do: { kind: 'status', code: 401, body: { message: reason } } });
  const session = await start({ demo: account.demo, home, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: home } });
  const { client } = session;
  const reply = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'gone.txt' });
  expectFits(reply);
  const { changeId } = reply.data ?? {};
  expect(reply.data).toMatchObject({ status: 'partly_applied', moved: 1_000, unknownCount: GONE - 1_000, total: GONE });
  expect(reply.data?.unknown).toHaveLength(100);
  expect(reply.data?.omitted).toBeUndefined();
  expect(reply.text).toContain(String(reply.data?.notDoneFile));
  expect(outcomesOf(reply.data).unknown).toEqual(ids.slice(1_000));
  expectFits(await client.callTool('get_change', { changeId }));
  expectFits(await client.callTool('list_changes'));
  const resource = await client.readResource(`video-hosting://changes/${String(changeId)}`);
  expect(Buffer.byteLength(resource)).toBeLessThan(MAX_BYTES);
  const told = JSON.parse(resource) as {
    unknown: unknown[];
    unknownCount: number;
    notDoneFile: string;
    leftOut?: string;
    omitted?: string;
  }; // the shape of the resource
  expect(told.unknownCount).toBe(GONE - 1_000);
  expect(told.unknown.length).toBeGreaterThan(1_000);
  expect(`${told.leftOut} ${told.omitted}`).toMatch(/first|left out/);
  for (const line of session.output().split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(MAX_BYTES);
});

test('the resource of a move lists all 150 failed ids, each with its reason, where the answer lists 100', async () => {
  const account = await manyVideos(2_000, 150);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  const wanted = account.ids.filter((id) => account.poisoned.has(id));
  expect(data?.failed).toHaveLength(100);
  expect(data).toMatchObject({ failedCount: 150, leftOut: expect.stringContaining('first 100') });
  const told = JSON.parse(await client.readResource(`video-hosting://changes/${String(data?.changeId)}`)) as typeof data;
  expect(told?.failed).toEqual(
    wanted.map((id) => ({ id, reason: 'The service says that it failed, but not why. It was sent alone twice, with the same answer.' })),
  );
  expect(told?.leftOut).toBeUndefined();
  expect(outcomesOf(data).failed).toEqual(wanted);
});

test('the outcomes file gives each of 1,500 failed ids the reason that the service gave for that id', async () => {
  const account = await manyVideos(1_500);
  const named = (body: unknown) => (body as { videoIds: string[] }).videoIds; // as move sends it
  // Of the ids in a request, the service names the first one.
  account.demo.faults.always({
    match: MOVE,
    do: ({ body }) => ({ kind: 'status', code: 400, body: { message: `No video ${named(body)[0]}.` } }),
  });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const first = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  // It ends where none of a sample can be moved; what is carried on is tried to its end.
  expect(first.data).toMatchObject({ status: 'failed', failedCount: 50 });
  const { data } = await client.callTool('resume_change', { changeId: first.data?.changeId });
  expect(data).toMatchObject({ failedCount: 1_500 });
  const rows: { id: string; reason: string }[] = parse(readFileSync(String(data?.notDoneFile)), { columns: true, bom: true });
  expect(rows).toHaveLength(1_500);
  expect(rows.filter(({ id, reason }) => !reason.includes(`No video ${id}.`))).toEqual([]);
});

test('a change whose end was not written gets an outcomes file with its current outcomes, if the old one is stale or missing', async () => {
  const account = await manyVideos(2_000, 150);
  const session = await start({ demo: account.demo, env: UNASKED });
  const { client } = session;
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  const file = String(data?.notDoneFile);
  // The outcomes file is stale, and the journal lacks its last line.
  writeFileSync(file, 'id,outcome,reason\nold,failed,Old.\n');
  const journal = join(changesFolder(session), `${String(data?.changeId)}.jsonl`);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
  const long = new Date(Date.now() - 10 * 60_000);
  utimesSync(journal, long, long);
  const told = await client.callTool('get_change', { changeId: data?.changeId });
  expect(told.data).toMatchObject({ status: 'partly_applied', failedCount: 150 });
  expect(told.text).toContain(file);
  expect(sorted(outcomesOf(told.data).failed)).toEqual(sorted(account.poisoned));
  rmSync(file);
  expect(sorted(outcomesOf((await client.callTool('get_change', { changeId: data?.changeId })).data).failed)).toEqual(
    sorted(account.poisoned),
  );
  expect(readdirSync(changesFolder(session)).filter((name) => name.endsWith('.new'))).toEqual([]);
});
