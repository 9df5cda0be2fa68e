/** Unclassified fields: the server does not show text in fields that the service adds to its records. */
import { expect, test } from 'vitest';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { callEverything } from '../hazards/sweep-everything.ts';

test('text in an undocumented field is not shown; undocumented switches and numbers among options are', async () => {
  const demo = await startService({ channels: 6, projects: 3, videos: 20, views: 100 });
  const added = { ownerEmail: 'owner@person.example', contact: { phone: '+1 202-555-0199', list: ['friend@person.example'] } };
  const { channels, projects, plans, templates, emails } = demo.world;
  for (const record of [...channels.values(), ...projects.values(), ...plans, ...templates, ...emails]) Object.assign(record, added);
  for (const project of demo.world.projects.values())
    Object.assign(project.videoOptions, { notifyEmail: 'notify@person.example', newSwitch: true, newLimit: 7 });
  const { client, output } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  await callEverything(client, demo);
  expect(demo.requests.length).toBeGreaterThan(30);
  expect(output()).not.toContain('person.example');
  expect(output()).not.toContain('555-0199');
  const reply = await client.callTool('get_project', { project: [...demo.world.projects.keys()][0] });
  expect(reply.data?.project).toMatchObject({ videoOptions: { newSwitch: true, newLimit: 7 } });
});
