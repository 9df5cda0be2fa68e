/** Which process can send at the moment when a change passes from one process to another. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { replayLines } from '../../../src/changes/journal/change-record.ts';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { stoppedNow } from '../../../src/changes/plan/asked-and-decided.ts';
import { thisProcess } from '../../../src/platform/process-liveness.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { freshHome } from '../../harness/start.ts';
import { copyIntent } from '../support/intents.ts';

async function begun() {
  const folder = freshHome();
  const journal = createJournal(folder);
  const changeId = await journal.newChangeId();
  const writer = await journal.begin(copyIntent(changeId), ['b1', 'b2', 'b3', 'b4']);
  // As if its owner were on another machine and had shown no sign of life for a long time.
  const silence = () => {
    const file = join(folder, `${changeId}.jsonl`);
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/"pid":\d+,"host":"[^"]*"/, `"pid":${2 ** 30},"host":"elsewhere"`)
        .replace(/"machine":"[^"]*"/, '"machine":"elsewhere"'),
    );
    const long = new Date(Date.now() - 10 * 60_000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long);
  };
  return { folder, journal, changeId, writer, silence };
}

test('an epoch that is claimed while a line is being written is noticed before anything is sent', async () => {
  const { folder, changeId, writer } = await begun();
  const sending = writer.sendingRange(0, 2, true);
  const refused = expect(sending).rejects.toMatchObject({ code: 'not_approved' });
  // By now the writer has checked that it owns the change, and is writing the line to the disk.
  for (let turns = 0; turns < 3; turns += 1) await Promise.resolve();
  writeFileSync(join(folder, `${changeId}.epoch1`), '');
  await refused;
  expect(writer.isOwner()).toBe(false);
});

test('once the next epoch is claimed, no batch is announced and no outcome written', async () => {
  const { folder, changeId, writer } = await begun();
  writeFileSync(join(folder, `${changeId}.epoch1`), '');
  await expect(writer.sendingRange(0, 1, false)).rejects.toMatchObject({ code: 'not_approved' });
  await writer.recordRange(2, 3, 'done');
  expect(
    readFileSync(join(folder, `${changeId}.jsonl`), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(1);
});

test('the line of each batch is in the file before it can be sent, and its outcome soon after', async () => {
  const { folder, changeId, writer } = await begun();
  const types = () =>
    readFileSync(join(folder, `${changeId}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
  await Promise.all([writer.sendingRange(0, 1, false), writer.sendingRange(1, 2, false)]);
  expect(types()).toEqual(['intent', 'range-sending', 'range-sending']);
  void writer.recordRange(0, 1, 'done');
  await writer.sendingRange(2, 3, false);
  expect(types()).toEqual(['intent', 'range-sending', 'range-sending', 'range', 'range-sending']);
  await writer.recordRange(1, 2, 'done');
  expect(types()).toHaveLength(6);
  await writer.end('stopped', {});
});

test('the process that resumes a change sees the lines written until then', async () => {
  const { journal, changeId, writer, silence } = await begun();
  await writer.sendingRange(0, 1, true);
  await writer.recordRange(0, 1, 'done');
  await writer.sendingRange(1, 2, true);
  silence();
  const resumed = await journal.resume(changeId);
  expect([0, 1, 2, 3].map((at) => resumed?.record.bulk?.statusAt(at))).toEqual(['done', 'unknown', 'not_done', 'not_done']);
  await resumed?.writer.end('stopped', {});
});

test('outcomes that the previous owner writes later are ignored, and so is its end', async () => {
  const { journal, changeId, writer, silence } = await begun();
  await writer.sendingRange(0, 2, true);
  silence();
  const resumed = await journal.resume(changeId);
  await resumed?.writer.sendingRange(2, 4, true);
  await resumed?.writer.recordRange(2, 4, 'done');
  await writer.recordRange(2, 4, 'not_done', sentence`Not sent.`);
  await writer.end('stopped', { message: sentence`Late.` });
  expect(await journal.read(changeId)).toMatchObject({ status: 'running', epoch: 1 });
  await resumed?.writer.end('partly_applied', { requests: 1 });
  const record = await journal.read(changeId);
  expect(record).toMatchObject({ status: 'partly_applied', ended: {}, requests: 2 });
  expect([0, 1, 2, 3].map((at) => record?.bulk?.statusAt(at))).toEqual(['unknown', 'unknown', 'done', 'done']);
});

test('lines of an earlier epoch that are appended later are ignored', async () => {
  const { folder, journal, changeId, silence, writer } = await begun();
  silence();
  const resumed = await journal.resume(changeId);
  await resumed?.writer.recordRange(0, 4, 'done');
  const { appendFileSync } = await import('node:fs');
  const late = [
    { type: 'range', epoch: 0, at: new Date().toISOString(), from: 0, to: 4, outcome: 'not_done' },
    { type: 'end', epoch: 0, at: new Date().toISOString(), status: 'failed' },
  ];
  appendFileSync(join(folder, `${changeId}.jsonl`), late.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const record = await journal.read(changeId);
  expect(record).toMatchObject({ status: 'running' });
  expect(record?.bulk?.count('done')).toBe(4);
  await resumed?.writer.end('applied', {});
  await writer.end('stopped', {});
});

test('only one of many processes that resume a change gets it, and no other while it works', async () => {
  const { folder, changeId, silence } = await begun();
  silence();
  const all = await Promise.all(Array.from({ length: 20 }, () => createJournal(folder).resume(changeId)));
  const got = all.filter((resumed) => resumed !== undefined);
  expect(got).toHaveLength(1);
  expect(await createJournal(folder).resume(changeId)).toBeUndefined();
  // No file of the competing claims is left.
  expect(readdirSync(folder).filter((name) => name.endsWith('.offer'))).toEqual([]);
  await got[0]?.writer.end('stopped', {});
  const next = await createJournal(folder).resume(changeId);
  expect(next).toBeDefined();
  // The end of an earlier epoch does not count any more.
  expect(await createJournal(folder).read(changeId)).toMatchObject({ status: 'running', epoch: 2 });
  await next?.writer.end('stopped', {});
});

test('an epoch claimed by a process that died before it wrote anything is skipped', async () => {
  const { folder, journal, changeId, writer, silence } = await begun();
  silence();
  const gone = { ...thisProcess(), pid: 2 ** 30, started: new Date().toISOString() };
  writeFileSync(join(folder, `${changeId}.epoch1`), JSON.stringify(gone));
  const resumed = await journal.resume(changeId);
  expect(await journal.read(changeId)).toMatchObject({ status: 'running', epoch: 2 });
  await resumed?.writer.end('stopped', {});
  await writer.end('stopped', {});
});

test('a stop request counts only in the epoch in which it was made, and its file is removed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { folder, journal, changeId, writer, silence } = await begun();
    await journal.requestStop(changeId, stoppedNow('page'));
    silence();
    const resumed = await journal.resume(changeId);
    let stops = 0;
    const asked: unknown[] = [];
    resumed?.writer.onStopRequest((by) => {
      stops += 1;
      asked.push(by?.how, by?.by?.name);
    });
    vi.advanceTimersByTime(1_000);
    expect(stops).toBe(0);
    await journal.requestStop(changeId, stoppedNow('assistant', { name: 'nightly' }));
    vi.advanceTimersByTime(1_000);
    expect(stops).toBeGreaterThan(0);
    expect(asked.slice(0, 2)).toEqual(['assistant', 'nightly']);
    await resumed?.writer.end('stopped', {});
    expect(readdirSync(folder).filter((name) => name.endsWith('.stop'))).toEqual([]);
    await writer.end('stopped', {});
    // Neither writer has a timer left.
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a line written after the end is refused, and goes into no other file', async () => {
  const { folder, writer } = await begun();
  await writer.end('stopped', {});
  // One of them has the file descriptor that the journal had.
  const others = Array.from({ length: 30 }, (_, n) => join(folder, `another-${n}`));
  const open = others.map((path) => openSync(path, 'w'));
  try {
    const late = await writer.record('b1', { outcome: 'done' }).catch((error: unknown) => error);
    expect(others.map((path) => readFileSync(path, 'utf8')).join('')).toBe('');
    expect(late).toMatchObject({ code: 'journal_failed' });
  } finally {
    for (const fd of open) closeSync(fd);
  }
});

test('no line overwrites another line, and no change overwrites another change', async () => {
  const { folder, journal, changeId, writer, silence } = await begun();
  const text = () => readFileSync(join(folder, `${changeId}.jsonl`), 'utf8');
  silence();
  const resumed = await journal.resume(changeId);
  await resumed?.writer.recordRange(0, 4, 'done');
  const before = text();
  await writer.record('b1', { outcome: 'done' });
  expect(text().slice(0, before.length)).toBe(before);
  const whole = text();
  const again = await journal.begin(copyIntent(changeId)).catch((error: unknown) => error);
  expect(text()).toBe(whole);
  expect(again).toMatchObject({ code: 'journal_failed' });
  await resumed?.writer.end('applied', {});
  await writer.end('stopped', {});
});

test('a change whose process shows no sign of life is interrupted two minutes later', async () => {
  const { folder, journal, changeId, writer, silence } = await begun();
  silence();
  utimesSync(join(folder, `${changeId}.jsonl`), new Date(), new Date());
  expect(await journal.read(changeId)).toMatchObject({ status: 'running' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
  try {
    expect(await journal.read(changeId)).toMatchObject({ status: 'interrupted' });
  } finally {
    vi.useRealTimers();
  }
  await writer.end('stopped', {});
});

test('a change is running from the moment in which its first line can be read, also when it is carried on', async () => {
  const folder = freshHome();
  const journal = createJournal(folder);
  const changeId = await journal.newChangeId();
  const file = join(folder, `${changeId}.jsonl`);
  const textOf = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  /** As the file reads for this process once it has so many lines. */
  const statusAt = async (lines: number) => {
    while (textOf().split('\n').length <= lines) await new Promise((resolve) => setImmediate(resolve));
    return replayLines(textOf(), Date.now())?.status;
  };
  const [writer, atFirst] = await Promise.all([journal.begin(copyIntent(changeId), ['b1']), statusAt(1)]);
  expect(atFirst).toBe('running');
  await writer.end('failed', {});
  // An empty line comes before that of whoever carries it on.
  const [resumed, again] = await Promise.all([journal.resume(changeId), statusAt(4)]);
  expect(again).toBe('running');
  await resumed?.writer.end('applied', {});
  expect((await journal.read(changeId))?.status).toBe('applied');
});
