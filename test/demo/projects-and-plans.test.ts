import { expect, test } from 'vitest';
import { ask, startSmall } from './harness.ts';

test.each([{}, { name: 7 }, { name: 'n', planType: 3 }, { name: 'n', options: [] }, { name: 'n', region: 1 }, []])(
  'creating a project from %j is a 400 that adds nothing',
  async (body) => {
    const demo = await startSmall();
    expect((await ask(demo, 'POST /v1/projects', { body })).status).toBe(400);
    expect(demo.world.projects.size).toBe(12);
  },
);

test('the pager of an empty list has zero pages', async () => {
  const demo = await startSmall({ channels: 0, projects: 0, videos: 0 });
  const pager = { page: 1, totalPages: 0, totalResults: 0, sort: 'created:-1' };
  expect((await ask(demo, 'GET /v1/projects')).json).toEqual({ pager, projects: [] });
});
