/** Whoever decides on a change may be killed at any moment, or be one of two: what a person approved is begun once, or waits on. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whatWaits } from '../../../src/app/what-waits.ts';
import { changesFolder, idsIn } from '../kinds/videos/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { approvedAndKilled, personOf, waitingAgent } from './harness.ts';

const { signal } = new AbortController();

/** Approves what waits, and waits for its end. */
async function approve({ decisions, jobs, journal }: Awaited<ReturnType<typeof personOf>>, changeId: string) {
  const change = await decisions.get(changeId);
  if (change === undefined) throw new Error(`${changeId} does not wait`);
  expect(await decisions.approve(await decisions.preview(change, signal), 'terminal', signal)).toBe('started');
  await jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  return journal.read(changeId);
}

describe('what a person approved, where the process was killed while it wrote the intent', () => {
  test.each(['', '{"type":"intent","format":1'])('waits on, and can be approved again: %j', async (torn) => {
    const { move, client, dataDir, demo, archive, ids, person: env } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    approvedAndKilled(dataDir, changeId);
    const folder = changesFolder({ dataDir });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${changeId}.jsonl`), torn);
    const person = await personOf(env);
    expect(person.journal.has(changeId)).toBe(false);
    expect(await whatWaits(person)).toMatchObject({ waiting: [{ changeId }], neverBegun: [], damaged: [] });
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'waiting' });
    expect((await client.callTool('list_changes')).data).toMatchObject({ changes: [{ changeId, status: 'waiting' }] });
    expect((await move(3)).data).toMatchObject({ changeId, status: 'waiting' });
    expect(await approve(person, changeId)).toMatchObject({ status: 'applied', damagedLines: 0 });
    expect(idsIn(demo, archive).toSorted()).toEqual(ids.slice(0, 3).toSorted());
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'applied' });
    expect(readFileSync(join(folder, `${changeId}.torn`), 'utf8')).toBe(torn);
  });

  test('what it had not given its name yet is removed by the next process that begins a change', async () => {
    const { move, dataDir, person: env } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    approvedAndKilled(dataDir, changeId);
    const folder = changesFolder({ dataDir });
    mkdirSync(folder, { recursive: true });
    const left = join(folder, `${changeId}.00000000-0000-4000-8000-000000000000.intent`);
    writeFileSync(left, '{"type":"intent","format":1');
    utimesSync(left, 0, 0);
    expect(await approve(await personOf(env), changeId)).toMatchObject({ status: 'applied' });
    expect(readdirSync(folder).filter((name) => /\.(?:intent|torn|offer)$/.test(name))).toEqual([]);
  });

  test('what is damaged after it was begun is there, and is not begun again', async () => {
    const { move, client, dataDir, person: env } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    approvedAndKilled(dataDir, changeId);
    const folder = changesFolder({ dataDir });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${changeId}.jsonl`), '{"type":"int\n{"type":"sending"}\n');
    const person = await personOf(env);
    expect(person.journal.has(changeId)).toBe(true);
    expect((await whatWaits(person)).waiting).toEqual([]);
    expect((await client.callTool('get_change', { changeId })).text).toContain('its journal can’t be read');
  });
});
