import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused, WRONG_PAGES } from './support.ts';

const idsIn = (reply: ToolReply, name: string) => recordsIn(reply.data, name).map(({ id }) => id);

test('list_projects pages, filters and searches', async () => {
  const { client, demo } = await start({ demo: await startService({ projects: 130 }) });
  const projects = [...demo.world.projects.values()];
  const page = await client.callTool('list_projects', { page: 3, size: 50, sort: 'name:1' });
  expect(demo.requests.at(-1)?.query).toEqual({ page: '3', size: '50', sort: 'name:1' });
  expect(idsIn(page, 'projects')).toHaveLength(30);
  // The answer shows the field by which it is sorted.
  const byAge = recordsIn((await client.callTool('list_projects', { sort: 'Created:1' })).data, 'projects');
  const dates = byAge.map(({ created }) => String(created));
  expect(dates).toEqual(dates.toSorted((one, other) => one.localeCompare(other)));
  expect(dates[0]).toBe(demo.world.projects.get(String(byAge[0]?.id))?.created.slice(0, 10));
  const parent = demo.world.projectNamed('Marketing');
  const children = await client.callTool('list_projects', { parentId: parent.id });
  expect(idsIn(children, 'projects')).toEqual([demo.world.projectNamed('Drafts').id]);
  expect(idsIn(await client.callTool('list_projects', { projectId: parent.id }), 'projects')).toEqual([parent.id]);
  const found = await client.callTool('list_projects', { search: 'edge –' });
  expect(new Set(idsIn(found, 'projects'))).toEqual(new Set(projects.filter(({ name }) => name.startsWith('Edge –')).map(({ id }) => id)));
});

test('a project’s plan type is standard or edge, and account plan types are refused', async () => {
  const { client, demo } = await start();
  const edge = [...demo.world.projects.values()].filter(({ planType }) => planType === 2).map(({ id }) => id);
  for (const planType of ['edge', 2]) {
    const reply = await client.callTool('list_projects', { planType });
    expect(new Set(idsIn(reply, 'projects'))).toEqual(new Set(edge));
    for (const project of recordsIn(reply.data, 'projects')) expect(project).toMatchObject({ planType: 'edge' });
    expect(reply.text).not.toMatch(/\bPro\b/);
  }
  const asked = demo.requests.length;
  for (const planType of ['Pro', 'Enterprise', 3]) {
    const reply = await client.callTool('list_projects', { planType });
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('standard (1) or edge (2)');
  }
  expect((await client.callTool('list_channels', { planType: 'edge' })).text).toContain('Free, Pro, Business, Enterprise');
  expect(demo.requests).toHaveLength(asked);
  const one = await client.callTool('get_project', { project: 'Archive' });
  expect(one.data).toMatchObject({ project: { planType: 'standard' } });
});

test('wrong arguments are refused', () =>
  expectRefused('list_projects', [
    ...WRONG_PAGES,
    [{ search: 's'.repeat(201) }, 'search: '],
    [{ planType: 'Pro' }, 'standard (1) or edge (2)'],
  ]));
