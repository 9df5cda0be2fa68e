/** Calls of every tool that reads the service, one for each code path. */
import type { Values } from '../harness/client.ts';
import type { DemoService } from '../harness/service.ts';

/** Tools that are left out: they read the journal on this machine, or the analytics API, which has tests of its own. */
export const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  'query_analytics',
  'run_analytics_sql',
  'draw_chart',
  'explain_change',
  'list_changes',
  'show_to_user',
  'get_change',
]);

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
