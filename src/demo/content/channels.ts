import { createRandom, seedFrom } from '../random.ts';
import type { DemoChannel, DemoProject, DemoTemplate, DemoVideo } from '../records.ts';
import { channelTheme } from './channel-themes.ts';
import type { Identifiers } from './identifiers.ts';
import { instantBefore } from './times.ts';
import { topicOf } from './videos.ts';

interface Surroundings {
  seed: number;
  now: number;
  accountId: string;
  videos: readonly DemoVideo[];
  projects: readonly DemoProject[];
  templates: readonly DemoTemplate[];
  identifiers: Identifiers;
}

/** The account's channels. Most hold videos; every twelfth holds a project, half of these videos as well. */
export function createChannels(count: number, around: Surroundings): DemoChannel[] {
  const random = createRandom(seedFrom(around.seed, 'channels'));
  const byTopic = groupByTopic(around.videos);
  return Array.from({ length: count }, (_, index) => {
    const theme = channelTheme(index);
    const pool = byTopic.get(theme.topic) ?? [];
    const start = pool.length === 0 ? 0 : random.int(pool.length);
    const wanted = Math.min(theme.size, pool.length);
    const ofProject = index % 12 === 9 && around.projects.length > 0;
    const template = random.chance(0.6) && around.templates.length > 0 ? random.pick(around.templates).key : '';
    const age = 20 + random.int(1000);
    return {
      id: around.identifiers.next('channelId'),
      key: around.identifiers.next('channelKey'),
      name: theme.name,
      description: theme.description,
      accountId: around.accountId,
      version: 1 + random.int(12),
      planType: 1 + random.int(4),
      templateKey: template,
      status: index % 17 === 16 ? 2 : 1,
      created: instantBefore(around.now, age, random),
      updated: instantBefore(around.now, random.int(age), random),
      videoKeys: ofProject && index % 24 === 9 ? [] : rotated(pool, start, wanted),
      projectKeys: ofProject ? [random.pick(around.projects).key] : [],
      privateLinkEnabled: random.chance(0.2),
    };
  });
}

function groupByTopic(videos: readonly DemoVideo[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  videos.forEach((video, index) => {
    const topic = topicOf(index);
    const group = groups.get(topic);
    if (group === undefined) groups.set(topic, [video.key]);
    else group.push(video.key);
  });
  return groups;
}

function rotated(list: readonly string[], start: number, count: number): string[] {
  return [...list.slice(start, start + count), ...list.slice(0, Math.max(0, start + count - list.length))];
}
