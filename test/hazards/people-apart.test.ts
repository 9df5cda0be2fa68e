/** Several people on one server: none takes another's place, and nobody's secret is in what another gets. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browse } from '../harness/browse.ts';
import { recordsIn } from '../harness/client.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import { API_KEY, hold, pathsOf, startService } from '../harness/service.ts';

test('while one person’s calls fill their measure and a flood of theirs is refused, another’s call is answered', async () => {
  const demo = await startService();
  const { url, people, connect, post } = await startHttp({ demo });
  const ann = await connect(people.ann);
  await ann.callTool('list_channels', { size: 3 });
  // Bob’s lists are of seven, and the service answers none of them.
  const release = hold(demo, ({ query }) => query.size === '7');
  const sent = async (id: number): Promise<Response> => {
    const answer = await post(people.bob, toolCall('list_channels', { size: 7, page: id + 1 }, id));
    // One that came later than a call of below is sent again once that is given up.
    return answer.status === 429 ? sent(id) : answer;
  };
  const held = Array.from({ length: 8 }, (_, id) => sent(id));
  // The service has as many of them as one person may have there.
  await expect.poll(() => demo.requests.filter(({ query }) => query.size === '7').length).toBeGreaterThanOrEqual(3);
  const another = (): Promise<number> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const authorization = `Bearer ${people.bob.secrets.clientToken}`;
    const body = JSON.stringify(toolCall('list_channels', { size: 1 }));
    const call = { method: 'POST', headers: { ...headers, authorization }, body, signal: AbortSignal.timeout(2_000) };
    return fetch(`${url}/mcp`, call).then(
      ({ status }) => status,
      () => 0,
    );
  };
  await expect.poll(another).toBe(429);
  const refused = await Promise.all(Array.from({ length: 20 }, (_, id) => post(people.bob, toolCall('list_channels', { size: 7 }, id))));
  expect([...new Set(refused.map(({ status }) => status))]).toEqual([429]);
  expect(recordsIn((await ann.callTool('list_channels', { size: 4 })).data, 'channels')).toHaveLength(4);
  release();
  const answers = await Promise.all(held);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  // Their place is free again.
  await expect.poll(async () => (await post(people.bob, toolCall('list_channels', { size: 7 }))).status).toBe(200);
});

test('calls that wait for a change leave room for others of the same person', async () => {
  const { people, connect, post } = await startHttp();
  const bob = await connect(people.bob);
  const { data } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const waits = Array.from({ length: 8 }, (_, id) =>
    post(people.bob, toolCall('get_change', { changeId: data?.changeId, waitSeconds: 300 }, id)),
  );
  await expect.poll(async () => (await post(people.bob, toolCall('get_change', { changeId: data?.changeId }))).status).toBe(429);
  expect((await bob.callTool('list_channels', { size: 1 })).isError).toBe(false);
  expect((await bob.callTool('stop_change', { changeId: data?.changeId })).data?.status).toBe('withdrawn');
  expect((await Promise.all(waits)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
});

test('no secret of anybody, nor the account’s, is in an answer, in what is kept on disk, or sent to the service', async () => {
  const { people, connect, demo, dataDir, post } = await startHttp();
  const secrets = Object.values(people).flatMap(({ secrets: both }) => Object.values(both));
  const answers: unknown[] = [];
  for (const person of Object.values(people)) {
    const client = await connect(person);
    answers.push(await client.listTools(), client.instructions);
    for (const [name, args] of [
      ['check_setup', { details: true }],
      ['list_changes', {}],
      ['list_channels', { size: 2 }],
      ['create_project', { name: 'Archive', region: 'use-s' }],
      ['show_to_user', { what: 'changes', inBrowser: true }],
    ] as const)
      answers.push(await client.callTool(name, args));
  }
  answers.push(await (await post(undefined, toolCall('list_channels'), { authorization: `Bearer ${people.ann.secrets.pageKey}` })).text());
  const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'utf8')] : [],
  );
  expect(kept.length).toBeGreaterThan(1);
  const told = JSON.stringify([answers, kept]);
  const sent = JSON.stringify(demo.requests.map(({ headers, query, path, body }) => [headers, query, path, body]));
  for (const secret of secrets) expect([told.includes(secret), sent.includes(secret)]).toEqual([false, false]);
  expect(told).not.toContain(API_KEY);
});

test('the page names no folder of the server beside the file of standing approvals', async () => {
  const { writeApprovals, fileOf } = await import('../changes/standing/harness.ts');
  const folder = (await import('../harness/cleanup.ts')).freshHome();
  const path = writeApprovals(fileOf([]), folder);
  const { url, people } = await startHttp({ env: { VIDEO_HOSTING_STANDING_APPROVALS: path } });
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const text = await (await ann.get('/app/api/approvals')).text();
  expect(text).toContain('.json');
  expect(text).not.toContain(folder);
  writeFileSync(path, 'no longer JSON');
  expect(await (await ann.get('/app/api/approvals')).text()).not.toContain(folder);
});

test('the events of a page end with its sign-in', async () => {
  const { url, people, demo } = await startHttp();
  const { cookie, token } = await browse({ url }, people.ann.secrets.pageKey);
  const events = await fetch(`${url}/app/api/events`, { headers: { cookie } });
  const out = await fetch(`${url}/sign-out`, { method: 'POST', headers: { cookie, origin: url, 'x-page-token': token } });
  expect(out.status).toBe(200);
  // It is read to its end, which there would be none of.
  expect(await events.text()).toContain('retry:');
  expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual([]);
});
