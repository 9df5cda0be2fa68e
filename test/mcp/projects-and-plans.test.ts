import { expect, test } from 'vitest';
import { recordsIn, type ToolReply, type Values } from '../harness/client.ts';
import { pathsOf, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

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

test('get_project returns all options, by id, key and name', async () => {
  const { client, demo } = await start();
  const { id, key, name, ...all } = demo.world.projectNamed('Edge – EMEA');
  const [options, videoOptions] = [setIn(all.options), setIn(all.videoOptions)];
  for (const project of [id, key, name])
    expect((await client.callTool('get_project', { project })).data).toMatchObject({ project: { id, key, name, options, videoOptions } });
  demo.behaviour.getProjectIsBrief = true;
  expect((await client.callTool('get_project', { project: id })).data).toMatchObject({ project: { id, options, videoOptions } });
});

test('list_plans returns what each plan covers, and says that the meaning of its type is not documented', async () => {
  const { client, demo } = await start();
  const reply = await client.callTool('list_plans', { sort: 'Created:1' });
  expect(pathsOf(demo)).toEqual(['GET /v1/plans']);
  const plans = [...demo.world.plans].sort((a, b) => (a.created < b.created ? -1 : 1));
  const days = ({ created, updated }: (typeof plans)[number]) => ({ created: created.slice(0, 10), updated: updated.slice(0, 10) });
  expect(recordsIn(reply.data, 'plans')).toEqual(plans.map((plan) => setIn({ ...plan, ...days(plan) })));
  expect(reply.text).toContain('not documented');
  const pro = demo.world.plans.filter(({ type }) => type === 2).map(({ id }) => id);
  expect(idsIn(await client.callTool('list_plans', { planType: 2 }), 'plans')).toEqual(pro);
});

test('list_channel_templates can list only the templates that the account’s plan type allows', async () => {
  const { client, demo } = await start();
  const all = await client.callTool('list_channel_templates');
  expect(recordsIn(all.data, 'templates').map(({ key }) => key)).toEqual(demo.world.templates.map(({ key }) => key));
  expect(recordsIn(all.data, 'templates')[0]).not.toHaveProperty('usable');
  const usable = demo.world.templates.filter(({ planType, status }) => planType <= 2 && status === 1).map(({ key }) => key);
  for (const accountPlanType of ['Pro', 2]) {
    const reply = await client.callTool('list_channel_templates', { accountPlanType, usableOnly: true });
    expect(recordsIn(reply.data, 'templates').map(({ key }) => key)).toEqual(usable);
  }
  const asked = demo.requests.length;
  const alone = await client.callTool('list_channel_templates', { usableOnly: true });
  expect(alone.text).toContain('accountPlanType');
  expect(demo.requests).toHaveLength(asked);
});

/** The fields that are not empty. */
function setIn(values: object): Values {
  const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}
