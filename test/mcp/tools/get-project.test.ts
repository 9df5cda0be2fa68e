import { expect, test } from 'vitest';
import { start } from '../../harness/start.ts';
import { expectRefused, setIn } from './support.ts';

test('get_project returns all options, by id, key and name', async () => {
  const { client, demo } = await start();
  const { id, key, name, ...all } = demo.world.projectNamed('Edge – EMEA');
  const [options, videoOptions] = [setIn(all.options), setIn(all.videoOptions)];
  for (const project of [id, key, name])
    expect((await client.callTool('get_project', { project })).data).toMatchObject({ project: { id, key, name, options, videoOptions } });
  demo.behaviour.getProjectIsBrief = true;
  expect((await client.callTool('get_project', { project: id })).data).toMatchObject({ project: { id, options, videoOptions } });
});

test('wrong arguments are refused', () =>
  expectRefused('get_project', [
    [{}, 'project: is missing'],
    [{ project: ' ' }, 'No project has the id, key or exact name'],
    [{ project: 'p'.repeat(501) }, 'project: '],
    [{ project: 'Archve' }, '"Archive" ('],
    [{ project: 'qqqqqqqqqq' }, 'Next: Use list_projects'],
  ]));
