import { expect, test } from 'vitest';
import { ask, firstOf, startSmall } from './harness.ts';

test('a project list has a pager and complete records', async () => {
  const demo = await startSmall();
  const { json } = await ask(demo, 'GET /v1/projects?size=5&sort=name:1');
  expect(json.pager).toEqual({ page: 1, totalPages: 3, totalResults: 12, sort: 'name:1' });
  expect(json.projects[0]).toMatchObject({ name: 'Archive', options: { bitrate240p: expect.any(Number) }, videoOptions: { volume: 1 } });
  expect(json.projects[0]).not.toHaveProperty('parentId');
});

test('projects are filtered by id, parent and plan type', async () => {
  const demo = await startSmall();
  const archive = demo.world.projectNamed('Archive');
  const names = async (query: string) =>
    (await ask(demo, `GET /v1/projects?${query}`)).json.projects.map((project: { name: string }) => project.name);
  expect(await names(`projectId=${archive.id}`)).toEqual(['Archive']);
  expect(await names(`parentId=${archive.id}`)).toEqual(['Legal hold']);
  expect(await names('planType=2&sort=name')).toEqual(['Edge – EMEA', 'Edge – Live']);
  expect(await names('parentId=nope')).toEqual([]);
});

test('a project is read by its id', async () => {
  const demo = await startSmall();
  const { parentId: _hidden, ...record } = firstOf(demo.world.projects.values());
  expect((await ask(demo, `GET /v1/projects/${record.id}`)).json).toEqual(record);
  demo.behaviour.getProjectIsBrief = true;
  const { id, key, name, description, region } = record;
  expect((await ask(demo, `GET /v1/projects/${record.id}`)).json).toEqual({ id, key, name, description, region });
});

test('a project that does not exist is a 404 with problem details', async () => {
  const demo = await startSmall();
  const { status, json } = await ask(demo, `GET /v1/projects/${firstOf(demo.world.projects.values()).key}`);
  expect(status).toBe(404);
  expect(json).toEqual({ type: expect.stringMatching(/^https:/), title: 'Not Found', status: 404, traceId: expect.any(String) });
});

test('a created project is in the account with its options, and the answer can be only its id', async () => {
  const demo = await startSmall();
  const body = {
    name: 'Edge 2',
    description: '',
    region: 'usw-s',
    planType: 2,
    options: { convertToHls: true },
    videoOptions: { loop: true },
  };
  const { status, json } = await ask(demo, 'POST /v1/projects', { body });
  expect(status).toBe(201);
  expect(demo.world.projects.get(json.id)).toMatchObject(body);
  demo.behaviour.createProjectAnswer = 'id-only';
  demo.behaviour.createProjectStatus = 200;
  const second = await ask(demo, 'POST /v1/projects', { body });
  expect([second.status, Object.keys(second.json)]).toEqual([200, ['id']]);
});

test.each([{}, { name: 7 }, { name: 'n', planType: 3 }, { name: 'n', options: [] }, { name: 'n', region: 1 }, []])(
  'creating a project from %j is a 400 that adds nothing',
  async (body) => {
    const demo = await startSmall();
    expect((await ask(demo, 'POST /v1/projects', { body })).status).toBe(400);
    expect(demo.world.projects.size).toBe(12);
  },
);

test('a plan list has a pager and complete records, and can be filtered by type', async () => {
  const demo = await startSmall();
  const { json } = await ask(demo, 'GET /v1/plans?sort=Created:1');
  expect(json.pager).toEqual({ page: 1, totalPages: 1, totalResults: 5, sort: 'Created:1' });
  expect(json.plans).toEqual(demo.world.plans.toSorted((a, b) => (a.created < b.created ? -1 : 1)));
  expect((await ask(demo, 'GET /v1/plans?planType=1')).json.plans).toHaveLength(2);
});

test('the pager of an empty list has zero pages', async () => {
  const demo = await startSmall({ channels: 0, projects: 0, videos: 0 });
  expect((await ask(demo, 'GET /v1/projects')).json).toEqual({
    pager: { page: 1, totalPages: 0, totalResults: 0, sort: 'created:-1' },
    projects: [],
  });
});
