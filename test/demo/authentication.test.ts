import { expect, test } from 'vitest';
import { ask, firstOf, startSmall } from './harness.ts';

const WITH_KEY = [
  'GET /v1/channels',
  'GET /v1/channels/x',
  'GET /v1/channels/templates',
  'POST /v1/channels',
  'PUT /v1/channels/x',
  'POST /v1/videos/change-project',
  'POST /v1/videos/x/cta/copy',
  'GET /v1/videos/collected-emails',
  'POST /v1/projects',
  'GET /v1/projects',
  'GET /v1/projects/x',
  'GET /v1/plans',
];

test.each(WITH_KEY)('%s requires the API key', async (target) => {
  const demo = await startSmall();
  const body = target.startsWith('GET') ? {} : { body: {} };
  expect((await ask(demo, target, { ...body, key: null })).status).toBe(401);
  expect((await ask(demo, target, { ...body, key: 'wrong' })).status).toBe(401);
  expect((await ask(demo, target, body)).status).not.toBe(401);
  expect(demo.requests.map((request) => request.applied).slice(0, 2)).toEqual([false, false]);
});

test('with an access token, moving requires the token and nothing else', async () => {
  const demo = await startSmall({ accessToken: 'a.b.c' });
  const body = { projectId: firstOf(demo.world.projects.keys()), videoIds: [firstOf(demo.world.videos.keys())] };
  const statuses = [];
  for (const key of [null, 'wrong', demo.apiKey, 'a.b.c'])
    statuses.push((await ask(demo, 'POST /v1/videos/change-project', { body, key })).status);
  expect(statuses).toEqual([401, 401, 403, 200]);
  expect((await ask(demo, 'GET /v1/videos/collected-emails', { key: 'a.b.c' })).status).toBe(200);
  expect((await ask(demo, 'GET /v1/channels', { key: 'a.b.c' })).status).toBe(401);
});

test('analytics can ignore, require or refuse a credential', async () => {
  const demo = await startSmall({ views: 10 });
  const statuses = async () => {
    const body = { from: '2026-01-01' };
    return [(await ask(demo, 'POST /v1/logs/data', { body, key: null })).status, (await ask(demo, 'POST /v1/logs/data', { body })).status];
  };
  expect(await statuses()).toEqual([200, 200]);
  demo.behaviour.statsAuth = 'required';
  expect(await statuses()).toEqual([401, 200]);
  demo.behaviour.statsAuth = 'refused';
  expect(await statuses()).toEqual([200, 401]);
});

test('neither API serves the paths of the other', async () => {
  const demo = await startSmall();
  expect((await fetch(`${demo.statsUrl}/v1/channels`)).status).toBe(404);
  expect((await fetch(`${demo.baseUrl}/v1/logs/data`, { method: 'POST' })).status).toBe(404);
  expect((await ask(demo, 'GET /v2/channels')).status).toBe(404);
  expect((await ask(demo, 'GET /v1/channels/')).status).toBe(404);
});

test('a body must be JSON, have its content type and be of limited size', async () => {
  const demo = await startSmall();
  const put = (raw: string, headers: Record<string, string> = {}) =>
    ask(demo, `PUT /v1/channels/${firstOf(demo.world.channels.keys())}`, { raw, headers });
  expect((await put('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await put('{')).status).toBe(400);
  expect((await put('[]')).status).toBe(400);
  expect((await put(`"${'x'.repeat(3_000_000)}"`)).status).toBe(413);
});

test('the request log has each request with its outcome', async () => {
  const demo = await startSmall();
  await ask(demo, 'GET /v1/channels?page=2&sort=-name');
  await ask(demo, 'POST /v1/projects', { body: { name: 'Logged' } });
  await ask(demo, 'POST /v1/projects', { raw: 'not json' });
  expect(demo.requests).toMatchObject([
    { number: 1, api: 'main', method: 'GET', path: '/v1/channels', query: { page: '2', sort: '-name' }, status: 200, applied: true },
    { method: 'POST', body: { name: 'Logged' }, status: 201, applied: true, headers: { authorization: `Bearer ${demo.apiKey}` } },
    { method: 'POST', body: 'not json', status: 400, applied: false },
  ]);
});
