/** A call of every tool that reads the service, each in the ways that take another path through it. */
import type { Values } from '../harness/client.ts';
import type { DemoService } from '../harness/service.ts';

export function readsOf(demo: DemoService): readonly (readonly [tool: string, args: Values])[] {
  const [channel] = demo.world.channels.values();
  const [project] = demo.world.projects.values();
  if (channel === undefined || project === undefined) throw new RangeError('The account is empty.');
  return [
    ['list_channels', {}],
    ['list_channels', { search: 'e' }],
    ['get_channel', { channel: channel.id }],
    ['get_channel', { channel: channel.name }],
    ['list_channel_templates', { accountPlanType: 'Business' }],
    ['list_projects', {}],
    ['list_projects', { search: 'e' }],
    ['get_project', { project: project.id }],
    ['get_project', { project: project.name }],
    ['list_plans', {}],
  ];
}
