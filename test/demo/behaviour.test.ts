import { expect, test } from 'vitest';
import type { DemoRequest } from '../../src/demo/requests.ts';
import { ask, startSmall } from './harness.ts';

test('records can contain fields that the API document does not name', async () => {
  const demo = await startSmall();
  demo.behaviour.extraFields = true;
  const { json } = await ask(demo, 'GET /v1/channels');
  expect(json.channels[0]).toMatchObject({ links: expect.any(Object), id: expect.any(String) });
});

test('fields can be null or missing, the same ones each time, but never ids and keys', async () => {
  const demo = await startSmall();
  Object.assign(demo.behaviour, { nullFields: 0.3, missingFields: 0.3 });
  const first = (await ask(demo, 'GET /v1/channels?size=100')).json;
  const channels: readonly Record<string, unknown>[] = first.channels;
  for (const channel of channels) expect(channel).toMatchObject({ id: expect.any(String), key: expect.any(String) });
  expect(channels.some(({ name }) => name === null)).toBe(true);
  expect(channels.some((channel) => !('name' in channel))).toBe(true);
  expect((await ask(demo, 'GET /v1/channels?size=100')).json).toEqual(first);
});

test('only the chosen kinds of record are distorted', async () => {
  const demo = await startSmall({ views: 50 });
  Object.assign(demo.behaviour, { missingFields: 1, distorts: new Set(['views']) });
  expect((await ask(demo, 'GET /v1/plans')).json.pager.totalResults).toBe(5);
  const { json } = await ask(demo, 'POST /v1/logs/data', { body: { from: '2025-01-01' } });
  expect(Object.keys(json.views[0])).toEqual(['id']);
});

test('an unknown sort is ignored or refused, and the pager states the order in use', async () => {
  const demo = await startSmall();
  expect((await ask(demo, 'GET /v1/channels?sort=colour:1')).json.pager.sort).toBe('created:-1');
  demo.behaviour.sortEcho = 'normalised';
  expect((await ask(demo, 'GET /v1/channels?sort=-Name')).json.pager.sort).toBe('name:-1');
  demo.behaviour.unknownSort = 'reject';
  expect((await ask(demo, 'GET /v1/channels?sort=colour:1')).status).toBe(400);
});

test('the onProcessed hook runs after a request is applied and before it is answered', async () => {
  const demo = await startSmall();
  const seen: Pick<DemoRequest, 'applied' | 'status'>[] = [];
  demo.behaviour.onProcessed = ({ applied, status }) => void seen.push({ applied, status });
  await ask(demo, 'POST /v1/projects', { body: { name: 'Seen' } });
  expect(seen).toEqual([{ applied: true, status: 'pending' }]);
});
