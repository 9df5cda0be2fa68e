/** A journal that was truncated at any place: outcomes that it lacks count as not known, and are reported so. */
import { cpSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replayLines } from '../../../../src/changes/journal/change-record.ts';
import { thisProcess } from '../../../../src/platform/process-liveness.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { moveIntent } from '../../support/intents.ts';
import { type Account, changesFolder, expectTold, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

/** A move that was stopped during the search for failing ids, in a data folder that tests can copy. */
async function stopped(): Promise<{ account: Account; home: string; file: string; changeId: string }> {
  const account = await manyVideos(4_000, 6);
  const home = freshHome();
  account.demo.faults.always({ match: MOVE, skip: 25, do: { kind: 'status', code: 401 } });
  const session = await start({ demo: account.demo, home, env: UNASKED });
  const { data } = await session.client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(data).toMatchObject({ status: 'partly_applied' });
  account.demo.faults.clear();
  await session.stop();
  const changeId = String(data?.changeId);
  return { account, home, changeId, file: join(changesFolder(session), `${changeId}.jsonl`) };
}

test('a journal truncated at any byte yields only outcomes that the whole journal has', async () => {
  const { file } = await stopped();
  const whole = readFileSync(file);
  const full = replayLines(whole.toString(), 0);
  const end = whole.indexOf('\n');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length }), fc.boolean(), (length, isGarbled) => {
      const text = whole.subarray(0, length).toString() + (isGarbled ? '\u0000\u0000' : '');
      const record = replayLines(text, 0);
      // Its line has to be whole: what is garbled right behind it belongs to it.
      if (length < end || (length === end && isGarbled)) return record === undefined;
      if (record?.bulk === undefined || full?.bulk === undefined) return false;
      expect(record.status === 'interrupted' || length >= whole.length - 1).toBe(true);
      expect(record.damagedLines).toBeLessThanOrEqual(1);
      for (let at = 0; at < record.bulk.total; at += 1) {
        const told = record.bulk.statusAt(at);
        expect(['done', 'failed', 'unknown', 'not_done']).toContain(told);
        // A later line can only have made an outcome more certain.
        if (told === 'done' || told === 'failed') expect(full.bulk.statusAt(at)).toBe(told);
      }
      return true;
    }),
    { numRuns: 60 },
  );
});

describe('an id that was never announced', () => {
  const at = '2026-03-01T00:00:00.000Z';
  // In another container of this machine, which was not restarted since.
  const process = { ...thisProcess(), machine: `${thisProcess().machine} elsewhere` };
  const item = { id: 'one', label: 'One', seen: null, before: {}, after: {} };
  const intent = { ...moveIntent('chg-000000000-0000'), type: 'intent', format: 1, at, process, items: [item], ids: 4 };
  const lines = [
    intent,
    { type: 'range-sending', epoch: 0, from: 0, to: 1 },
    { type: 'range', epoch: 0, at, from: 0, to: 1, outcome: 'done' },
    { type: 'range-sending', epoch: 0, from: 1, to: 2 },
  ].map((line) => JSON.stringify(line));
  const torn = '{"type":"ran';
  const resumed = JSON.stringify({ type: 'resumed', at, epoch: 1, process });
  const told = (text: readonly string[], touchedMs = 0) => {
    const record = replayLines(text.join('\n'), touchedMs);
    return [...[0, 1, 2, 3].map((place) => record?.bulk?.statusAt(place)), record?.items[0]?.outcome];
  };

  test('counts as not sent, even if the last line is torn or was torn when the change was resumed', () => {
    const wanted = ['done', 'unknown', 'not_done', 'not_done', 'not_done'];
    expect(told([...lines, ''])).toEqual(wanted);
    expect(told([...lines, torn])).toEqual(wanted);
    expect(told([...lines, torn, resumed, ''])).toEqual(wanted);
  });

  test('counts as possibly sent if a line in the middle is lost and the process has ended', () => {
    const lost = [...lines.slice(0, 3), torn, ...lines.slice(3), ''];
    expect(told(lost)).toEqual(['done', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(told(lost, Date.now()).at(-1)).toBe('pending');
  });
});

/** As if its process had shown no sign of life for a long time. */
function silence(file: string): void {
  const long = new Date(Date.now() - 10 * 60_000);
  utimesSync(file, long, long);
}

describe('through a client', () => {
  test('a torn line is explained, and its ids are sent again', async () => {
    const { account, home, file, changeId } = await stopped();
    const lines = readFileSync(file, 'utf8').split('\n');
    const lengths = [0.2, 0.5, 0.9].map((share) => lines.slice(0, 1 + Math.floor((lines.length - 1) * share)).join('\n').length - 3);
    for (const length of lengths) {
      const copy = freshHome();
      cpSync(home, copy, { recursive: true });
      truncateSync(file.replace(home, copy), length);
      silence(file.replace(home, copy));
      const { client } = await start({ demo: account.demo, home: copy, env: UNASKED });
      const { text, data } = await client.callTool('get_change', { changeId });
      expect(data).toMatchObject({ status: 'interrupted', total: 4_000 });
      expect(text).toContain('One line of its journal is torn; what that told counts as not known.');
      const resumed = await client.callTool('resume_change', { changeId });
      // The resumption has a line of its own, so that every reader sees the new epoch.
      expect(readFileSync(file.replace(home, copy), 'utf8')).toContain('\n{"type":"resumed"');
      expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(account.ids.filter((id) => !account.poisoned.has(id))));
      const { failed, unknown } = expectTold(account, resumed.data);
      expect({ failed: sorted(failed), unknown }).toEqual({ failed: sorted(account.poisoned), unknown: [] });
    }
  });

  test.each([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['truncated', (text: string) => text.slice(0, text.length / 2)],
    ['changed to other ids', (text: string) => text.replace(/b1d0/g, 'b1d1')],
    ['one id longer', (text: string) => `${text}\nb1d0ffff`],
  ])('a file of ids that is %s is not sent, and is reported as damaged or gone', async (_, change) => {
    const { account, home, file, changeId } = await stopped();
    const idsFile = file.replace('.jsonl', '.ids');
    const changed = change(readFileSync(idsFile, 'utf8'));
    changed === undefined ? rmSync(idsFile) : writeFileSync(idsFile, changed);
    const { client } = await start({ demo: account.demo, home, env: UNASKED });
    const sent = requestsOf(account.demo, MOVE).length;
    const { data, text } = await client.callTool('resume_change', { changeId });
    expect(requestsOf(account.demo, MOVE)).toHaveLength(sent);
    expect(data).toMatchObject({ status: 'failed', error: { code: 'not_resumable' } });
    expect(text).toContain('are damaged or gone');
    expect((await client.callTool('get_change', { changeId })).isError).toBe(false);
  });
});
