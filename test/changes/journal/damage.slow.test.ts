/** A journal that is torn, truncated, overwritten or deleted: the server goes on, and claims no more than the journal says. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsIn } from '../../harness/client.ts';
import type { DemoService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { agree, changeIdIn } from '../support/confirm.ts';
import { abandon, changeFiles } from '../support/journal-files.ts';
import { argsFor, partsOf, reorganisation, startChannels } from '../support/reorganisation.ts';
import { videoKeysOf, writesOf } from '../support/world.ts';

/** What an answer says of contents that this server sent. */
const LAST_WROTE = expect.stringContaining('as this server last wrote it');

/** The service answers 404 for each single channel, so that only the journal has the outcomes. */
const showNoChannel = (demo: DemoService) =>
  demo.faults.always({ match: { method: 'GET', path: /^\/v1\/channels\/[^/]+$/ }, do: { kind: 'status', code: 404 } });

const TWELVE = 12;

/** A server that carried out the reorganisation, and the journal file of the change. */
async function reorganised() {
  const demo = await startChannels(TWELVE);
  const wanted = reorganisation(demo);
  const before = new Map(wanted.map(({ id }) => [id, partsOf(demo, id)]));
  const session = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const reply = await session.client.callTool('update_channels', argsFor(wanted));
  const [file] = changeFiles(session.dataDir);
  if (file === undefined) throw new Error('There is no journal.');
  // The server must read the journal, not use what it remembers of its own job.
  abandon(file);
  return { ...session, wanted, before, file, changeId: changeIdIn(reply), bytes: readFileSync(file) };
}

test('a torn last line loses at most the outcome in it', async () => {
  const { client, demo, file, bytes, changeId } = await reorganised();
  const end = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  const lastOutcome = bytes.lastIndexOf('\n', end - 2) + 1;
  showNoChannel(demo);
  for (const cut of [bytes.length - 1, bytes.length - 5, end + 1, end, end - 1, end - 20, lastOutcome + 3, lastOutcome]) {
    writeFileSync(file, bytes.subarray(0, cut));
    const { data } = await client.callTool('get_change', { changeId });
    const unknown = data?.unknown === undefined ? [] : recordsIn(data, 'unknown');
    expect(data?.notDone, `cut at ${cut}`).toBeUndefined();
    expect(unknown.length, `cut at ${cut}`).toBe(cut > end - 2 ? 0 : 1);
    const [listed] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    expect(['interrupted', 'applied']).toContain(listed?.status);
  }
  expect(writesOf(demo)).toHaveLength(TWELVE);
});

test('impossible numbers and times count as damage, and hide no other change', async () => {
  const { client, file, bytes, changeId } = await reorganised();
  const intent = bytes.toString().split('\n', 1)[0] ?? '';
  const folder = dirname(file);
  const wrong = [
    intent.replace('"items":', '"ids":99999999999,"items":'),
    intent.replace('"items":', '"ids":-1,"items":'),
    intent.replace('"items":', '"ids":0.5,"items":'),
    intent.replace(/"at":"[^"]*"/, '"at":"soon"'),
    intent.replace('"format":1', '"format":2'),
  ];
  for (const [at, line] of wrong.entries()) {
    const id = `chg-zzzzzzzzz-zzz${at}`;
    expect(line).not.toBe(intent);
    writeFileSync(join(folder, `${id}.jsonl`), `${line.replaceAll(changeId, id)}\n`);
    expect((await client.callTool('get_change', { changeId: id })).text, line.slice(0, 200)).toMatch(/its journal can’t be read/);
  }
  const changes = recordsIn((await client.callTool('list_changes')).data, 'changes');
  expect(changes.map((change) => change.changeId)).toEqual([changeId]);
});

test('a copy of a journal file does not count as a second change', async () => {
  const { client, demo, file, bytes, changeId } = await reorganised();
  const copy = 'chg-zzzzzzzzz-zzzz';
  writeFileSync(join(dirname(file), `${copy}.jsonl`), bytes);
  const changes = recordsIn((await client.callTool('list_changes')).data, 'changes');
  expect(changes.map((change) => change.changeId)).toEqual([changeId]);
  expect((await agree(client, 'undo_change', { changeId: copy })).isError).toBe(true);
  expect(writesOf(demo)).toHaveLength(TWELVE);
});

test('a file with an incomplete intent is not a change, since nothing was sent', async () => {
  const { client, file, bytes, changeId } = await reorganised();
  for (const cut of [0, 1, 40, bytes.indexOf('\n') - 1]) {
    writeFileSync(file, bytes.subarray(0, cut));
    expect((await client.callTool('list_changes')).data?.changes).toEqual([]);
    const reply = await client.callTool('get_change', { changeId });
    expect(reply.isError).toBe(true);
    const undone = await agree(client, 'undo_change', { changeId });
    expect(undone.isError).toBe(true);
  }
});

test('unreadable lines are ignored', async () => {
  const { client, demo, file, changeId, wanted, before } = await reorganised();
  appendFileSync(file, 'not json\n\u0000\u0001\n{"type":"outcome"}\n[]\nnull\n7\n');
  const { data } = await client.callTool('get_change', { changeId });
  expect(data?.status).toBe('applied');
  await agree(client, 'undo_change', { changeId });
  for (const { id } of wanted) expect(partsOf(demo, id)).toEqual(before.get(id));
});

test('a change of which a newer version wrote a line is listed as that, and nothing of it is sent', async () => {
  const { client, demo, file, changeId } = await reorganised();
  appendFileSync(file, '{"type":"from-the-future","at":"2030-01-01T00:00:00.000Z","x":[1]}\n');
  const sent = writesOf(demo).length;
  const NEWER = `${changeId} is there, but its journal can’t be read here: it was written by a newer version of this program`;
  expect((await client.callTool('list_changes')).data).toMatchObject({ changes: [], more: expect.stringContaining(NEWER) });
  for (const tool of ['get_change', 'resume_change', 'undo_change', 'stop_change'])
    expect((await client.callTool(tool, { changeId })).text, tool).toContain(NEWER);
  expect(writesOf(demo)).toHaveLength(sent);
});

test('other files and folders in the journal folder are ignored', async () => {
  const { client, file, changeId } = await reorganised();
  const folder = dirname(file);
  writeFileSync(join(folder, '.DS_Store'), 'x');
  writeFileSync(join(folder, 'notes.jsonl'), '{"type":"intent"}\n');
  writeFileSync(join(folder, 'chg-zzzzzzzzz-zzzz.jsonl'), Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0xc3]));
  mkdirSync(join(folder, 'chg-zzzzzzzzy-zzzz.jsonl'));
  const changes = recordsIn((await client.callTool('list_changes')).data, 'changes');
  expect(changes.map((change) => change.changeId)).toEqual([changeId]);
  const other = await client.callTool('get_change', { changeId: 'chg-zzzzzzzzy-zzzz' });
  expect(other.isError).toBe(true);
});

test('a change id that leads out of the journal folder is refused', async () => {
  const { client, file, changeId } = await reorganised();
  const outside = '../chg-aaaaaaaaa-aaaa';
  writeFileSync(join(dirname(file), `${outside}.jsonl`), readFileSync(file, 'utf8').replaceAll(changeId, outside));
  for (const wrong of [outside, `${changeId}/../${changeId}`, `${changeId}\u0000`, `./${changeId}`, changeId.toUpperCase()]) {
    expect((await client.callTool('get_change', { changeId: wrong })).isError, wrong).toBe(true);
    expect((await client.callTool('undo_change', { changeId: wrong })).isError, wrong).toBe(true);
  }
});

test('without its journal, the server reports unknown contents and refuses updates that do not state them', async () => {
  const { client, demo, file, changeId, wanted } = await reorganised();
  demo.behaviour.channelRecordsShowContents = false;
  const channel = wanted[0]?.id;
  expect((await client.callTool('get_channel', { channel })).data?.contents).toMatchObject({ known: true, source: LAST_WROTE });
  rmSync(dirname(file), { recursive: true });
  const sent = writesOf(demo).length;
  expect((await client.callTool('get_channel', { channel })).data?.contents).toMatchObject({ known: false });
  expect((await client.callTool('get_change', { changeId })).isError).toBe(true);
  const renamed = await client.callTool('update_channels', { changes: [{ channel, name: 'Anything' }] });
  expect(renamed.data).toMatchObject({ status: 'failed', error: { code: 'contents_unknown' } });
  expect(writesOf(demo)).toHaveLength(sent);
  const stated = { changes: [{ channel, name: 'Anything', setVideoKeys: videoKeysOf(demo, 2) }] };
  expect((await agree(client, 'update_channels', stated)).data?.status).toBe('applied');
});
