/** A copy that is sent twice can double CTAs, so no target may ever get one twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { recordsIn } from '../../../harness/client.ts';
import { start } from '../../../harness/start.ts';
import { agree, changeIdIn } from '../../support/confirm.ts';
import { COPY, changesFolder, copiedIds, doubled, manyVideos, outcomesOf, PASSING, requestsOf, sorted, UNASKED } from './harness.ts';

/** A source, and the given number of targets. */
async function withTargets(count: number) {
  const account = await manyVideos(count + 1);
  const [source = '', ...targets] = account.ids;
  return { ...account, source, targets };
}

/** Checks that no target has the copy twice, that each one with it is reported as copied or in doubt, and that each one reported as copied has it. */
function expectCopies(account: Awaited<ReturnType<typeof withTargets>>, data: Record<string, unknown> | undefined) {
  const { failed, unknown } = outcomesOf(data);
  expect(doubled(account.demo)).toEqual([]);
  const has = new Set(copiedIds(account.demo));
  expect(failed.filter((id) => has.has(id))).toEqual([]);
  const inDoubt = new Set(unknown);
  const said = account.targets.filter((id) => has.has(id) && !inDoubt.has(id));
  expect(data).toMatchObject({ copied: said.length, failedCount: failed.length, unknownCount: unknown.length });
  const { copied, notSentCount } = data ?? {};
  expect(Number(copied) + failed.length + unknown.length + Number(notSentCount)).toBe(account.targets.length);
  const sent = requestsOf(account.demo, COPY).flatMap(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
  return { failed, unknown, sent };
}

test('a copy is sent in batches of a hundred, and each target once', async () => {
  const account = await withTargets(1_050);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('copy_cta', {
    sourceVideoId: account.source,
    targetVideoIds: account.targets,
    batchSize: 100,
  });
  expect(sorted(copiedIds(account.demo))).toEqual(sorted(account.targets));
  expect(sorted(expectCopies(account, data).sent)).toEqual(sorted(account.targets));
  expect(requestsOf(account.demo, COPY)).toHaveLength(12);
  expect(data).toMatchObject({ status: 'applied', copied: 1_050, failed: [], unknown: [], undo: { possible: 'no' } });
  expect(text).toContain('1050 of 1050 copied');
});

test('a copy with an unreadable line in its journal is not resumed, so that no target gets it twice', async () => {
  const account = await withTargets(2_000);
  const { client, ...session } = await start({ demo: account.demo, env: UNASKED });
  account.demo.faults.always({ match: COPY, skip: 6, do: { kind: 'status', code: 403 } });
  const { data } = await client.callTool('copy_cta', { sourceVideoId: account.source, targetVideoIds: account.targets, batchSize: 100 });
  account.demo.faults.clear();
  const changeId = String(data?.changeId);
  const file = join(changesFolder(session), `${changeId}.jsonl`);
  // As if the server had been killed before it wrote down what it had not sent.
  const lines = readFileSync(file, 'utf8').split('\n');
  const killed = lines.slice(
    0,
    lines.findIndex((line) => line.includes('"not_done"')),
  );
  const sent = requestsOf(account.demo, COPY).length;
  expect(copiedIds(account.demo)).toHaveLength(500);
  expect(killed.length).toBeGreaterThan(12);
  // Each line but the first is overwritten in turn, as by a lost block of the disk.
  for (const [at, line] of killed.entries()) {
    if (at === 0) continue;
    writeFileSync(file, killed.map((other, index) => `${index === at ? '\u0000'.repeat(other.length) : other}\n`).join(''));
    const resumed = await client.callTool('resume_change', { changeId });
    expect(requestsOf(account.demo, COPY), line).toHaveLength(sent);
    expect(resumed.isError, line).toBe(true);
  }
  // With all lines again, the copy resumes with the targets that were not sent.
  writeFileSync(file, killed.map((line) => `${line}\n`).join(''));
  const { data: ended } = await client.callTool('resume_change', { changeId });
  expect(copiedIds(account.demo).length).toBeGreaterThan(500);
  expectCopies(account, ended);
});

test('the preview warns of targets that got, or may have got, copies of the same source before', async () => {
  const account = await withTargets(5);
  const [first = '', second = ''] = account.targets;
  const { client } = await start({ demo: account.demo });
  const copy = (targetVideoIds: readonly string[]) => ({ sourceVideoId: account.source, targetVideoIds });
  const warned = async (targets: readonly string[]) =>
    (await client.callTool('copy_cta', copy(targets))).text.match(/! (.*) they would be there twice\./)?.[1];
  expect(await warned([first])).toBeUndefined();
  const done = await agree(client, 'copy_cta', copy([first]));
  expect(copiedIds(account.demo)).toEqual([first]);
  const changeId = changeIdIn(done);
  expect(await warned([first])).toBe(`It got CTAs of this video before, last by ${changeId}:`);
  expect(await warned(account.targets)).toContain(`1 of them ("${first}") got CTAs`);
  expect(await warned(account.targets.slice(1))).toBeUndefined();
  const [, , third = ''] = account.targets;
  account.demo.faults.next({ match: COPY, do: { kind: 'reset-after' } });
  await agree(client, 'copy_cta', copy([third]));
  expect(copiedIds(account.demo)).toEqual([first, third]);
  expect(await warned([third])).toContain('It may have got CTAs of this video before');
  expect(await warned([first, third])).toContain('Both of them got (1), or may have got (1), CTAs of this video before, last by');
  const other = await client.callTool('copy_cta', { sourceVideoId: second, targetVideoIds: [first] });
  expect(other.text).not.toContain('they would be there twice');
});

test('under random faults, no target gets the copy twice, and each uncertain one is reported', async () => {
  const account = await withTargets(6_000);
  // Without 429 and 503, after each of which the copies would wait for a second.
  const faults = PASSING.filter((fault) => fault.kind !== 'status' || ![429, 503].includes(fault.code));
  account.demo.faults.random({ match: COPY, rate: 0.2, seed: 11, faults });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('copy_cta', { sourceVideoId: account.source, targetVideoIds: account.targets, batchSize: 100 });
  const { unknown, sent } = expectCopies(account, data);
  expect(unknown.length).toBeGreaterThan(100);
  expect(sent.filter((id, at) => sent.indexOf(id) !== at)).toEqual([]);
});

test.each([307, 400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 423, 431])(
  'several that the service refuses with %i after some were done are in doubt, and none is sent again',
  async (code) => {
    const account = await withTargets(60);
    account.demo.behaviour.ctaFailsAfter = 10;
    account.demo.behaviour.ctaFailsWith = code;
    const { client } = await start({ demo: account.demo, env: UNASKED });
    const { data, text } = await client.callTool('copy_cta', {
      sourceVideoId: account.source,
      targetVideoIds: account.targets,
      batchSize: 20,
    });
    const { sent, unknown } = expectCopies(account, data);
    const together = requestsOf(account.demo, COPY).map(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
    expect(new Set(sent).size).toBe(sent.length);
    expect(sorted(unknown)).toEqual(sorted(together.filter(({ length }) => length > 1).flat()));
    expect(text).toMatch(/Which of the \d+ sent together have it is not told\. To find out, open the video in the dashboard/);
    // Nor when it is carried on.
    delete account.demo.behaviour.ctaFailsAfter;
    const resumed = await client.callTool('resume_change', { changeId: data?.changeId });
    expect(doubled(account.demo)).toEqual([]);
    if (resumed.isError !== true) expectCopies(account, resumed.data);
  },
);

test('the first targets are sent alone until one is copied, so that refusals of one leave nothing in doubt', async () => {
  const account = await withTargets(100);
  const [gone, invalid, second] = [0, 99, 98].map((index) => account.targets[index]);
  const answer = (id: string | undefined, code: number) =>
    account.demo.faults.always({
      match: { ...COPY, when: ({ body }) => (body as { targetVideos: unknown[] }).targetVideos.includes(id) }, // as copy sends it
      do: { kind: 'status', code, body: { message: `It is ${code}.` } },
    });
  answer(gone, 404);
  answer(invalid, 400);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('copy_cta', { sourceVideoId: account.source, targetVideoIds: account.targets });
  expect(sorted(copiedIds(account.demo))).toEqual(sorted(account.targets.slice(1, -1)));
  expect(
    requestsOf(account.demo, COPY)
      .slice(0, 3)
      .map(({ body }) => body),
  ).toEqual([gone, invalid, second].map((id) => ({ targetVideos: [id] })));
  expect(sorted(expectCopies(account, data).failed)).toEqual(sorted([gone, invalid].map(String)));
});

test('a right that is lost in the middle of a copy leaves in doubt what was under way, and the next, alone, ends it', async () => {
  const account = await withTargets(1_000);
  account.demo.faults.always({ match: COPY, skip: 1, do: { kind: 'status', code: 403 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('copy_cta', { sourceVideoId: account.source, targetVideoIds: account.targets, batchSize: 50 });
  const [, ...refused] = requestsOf(account.demo, COPY).map(({ body }) => (body as { targetVideos: string[] }).targetVideos); // as copy sends it
  const together = refused.filter((targets) => targets.length > 1).flat();
  const { failed, unknown } = expectCopies(account, data);
  expect(refused.map(({ length }) => length).slice(-3)).toEqual([1, 1, 1]);
  expect([failed.length, sorted(unknown)]).toEqual([3, sorted(together)]);
  expect(data).toMatchObject({ status: 'partly_applied', copied: 1, notSentCount: 996 - together.length });
});

test('targets that are gone keep no copy from its end: not the first ones, not the last, and none that is sent alone', async () => {
  const account = await withTargets(60);
  const gone = [0, 1, 30, 58, 59].map((index) => account.targets[index] ?? '');
  account.demo.faults.always({
    match: { ...COPY, when: ({ body }) => gone.includes((body as { targetVideos: string[] }).targetVideos[0] ?? '') }, // as copy sends it
    do: { kind: 'status', code: 404, body: { message: 'No such video.' } },
  });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const args = { sourceVideoId: account.source, targetVideoIds: account.targets, batchSize: 1 };
  let { data } = await client.callTool('copy_cta', args);
  for (let run = 0; run < 3 && data?.notSentCount !== 0; run += 1)
    ({ data } = await client.callTool('resume_change', { changeId: data?.changeId }));
  expect(sorted(copiedIds(account.demo))).toEqual(sorted(account.targets.filter((id) => !gone.includes(id))));
  expect(sorted(expectCopies(account, data).failed)).toEqual(sorted(gone));
});

test('a line of a second run that is lost leaves in doubt what the first did not send', async () => {
  const account = await withTargets(60);
  account.demo.faults.always({ match: COPY, skip: 1, do: { kind: 'status', code: 401 } });
  const { client, ...session } = await start({ demo: account.demo, env: UNASKED });
  const args = { sourceVideoId: account.source, targetVideoIds: account.targets, batchSize: 1 };
  const { data } = await client.callTool('copy_cta', args);
  account.demo.faults.clear();
  expect(data).toMatchObject({ copied: 1, notSentCount: 59 });
  const changeId = String(data?.changeId);
  const resumed = await client.callTool('resume_change', { changeId });
  expect(resumed.data).toMatchObject({ status: 'applied', copied: 60 });
  const file = join(changesFolder(session), `${changeId}.jsonl`);
  // As after a kill, and a lost block of the disk: of the second run, one announcement was written, and can’t be read.
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const second = lines.findIndex((line) => line.includes('"type":"resumed"'));
  const kept = lines.slice(0, second + 2).map((line, index) => (index === second + 1 ? '\u0000'.repeat(line.length) : line));
  writeFileSync(file, `${kept.join('\n')}\n`);
  const sent = requestsOf(account.demo, COPY).length;
  const again = await client.callTool('resume_change', { changeId });
  expect([again.isError, requestsOf(account.demo, COPY).length]).toEqual([true, sent]);
  expect(doubled(account.demo)).toEqual([]);
  const told = await client.callTool('get_change', { changeId });
  expect(told.data).toMatchObject({ copied: 1, unknownCount: 59, notSentCount: 0 });
});

test('a copy of which no target is taken ends after fifty, sent alone', async () => {
  const account = await withTargets(200);
  account.demo.faults.always({ match: COPY, do: { kind: 'status', code: 400, body: { message: 'It has no CTAs.' } } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('copy_cta', { sourceVideoId: account.source, targetVideoIds: account.targets });
  expect(requestsOf(account.demo, COPY)).toHaveLength(50);
  expect(data).toMatchObject({ status: 'failed', copied: 0, failedCount: 50, unknownCount: 0, notSentCount: 150 });
  expect(text).toContain('None of 50 in a row was done, each sent alone, so the rest was not tried.');
  expect(text).toContain('It has no CTAs.');
});

test('after a kill during a copy, get_change says how to check the targets in doubt', async () => {
  const account = await withTargets(300);
  account.demo.faults.always({ match: COPY, skip: 1, do: { kind: 'delay', ms: 60_000, processFirst: true } });
  const first = await start({ demo: account.demo, env: UNASKED, via: 'process' });
  first.client
    .callTool('copy_cta', { sourceVideoId: account.source, targetVideoIds: account.targets, batchSize: 100 })
    .catch(() => undefined);
  await vi.waitUntil(() => copiedIds(account.demo).length === 300, { timeout: 300_000 });
  first.server?.child.kill('SIGKILL');
  await first.server?.exit;
  const { client } = await start({ demo: account.demo, env: UNASKED, home: first.home });
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  const { data, text } = await client.callTool('get_change', { changeId: change?.changeId });
  expect(expectCopies(account, data).unknown.length).toBeGreaterThanOrEqual(200);
  expect(text).toContain('open the video in the dashboard and look at its CTAs');
});

test('a batch that the service processed in part is in doubt as a whole, with the service’s message', async () => {
  const account = await withTargets(100);
  account.demo.behaviour.ctaFailsAfter = 37;
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('copy_cta', {
    sourceVideoId: account.source,
    targetVideoIds: account.targets,
    batchSize: 100,
  });
  expect(copiedIds(account.demo)).toHaveLength(38);
  expect(requestsOf(account.demo, COPY)).toHaveLength(2);
  expect(expectCopies(account, data)).toMatchObject({ failed: [], unknown: account.targets.slice(1) });
  expect(text).toContain('62 target videos could not be processed.');
  expect(text).toContain('Which of the batch have it is not told.');
});

test.each([
  ['an unknown source', 404],
  ['a credential without the right', 403],
  ['an invalid credential', 401],
])('%s ends the copy at once', async (_, code) => {
  const account = await withTargets(2_000);
  account.demo.faults.always({ match: COPY, do: { kind: 'status', code, body: { message: 'Not here.' } } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('copy_cta', {
    sourceVideoId: account.source,
    targetVideoIds: account.targets,
    batchSize: 100,
  });
  expect(copiedIds(account.demo)).toEqual([]);
  expect(requestsOf(account.demo, COPY).length).toBeLessThanOrEqual(4);
  expect(data).toMatchObject({ status: 'failed', copied: 0, failed: [], unknown: [], notSentCount: 2_000 });
  expect(text).toContain('Not here.');
});
