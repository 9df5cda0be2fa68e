import { createRandom, instantBefore, seedFrom } from '../random.ts';
import type { DemoChannel, DemoProject, DemoTemplate, DemoVideo } from '../records.ts';
import { channelTheme } from './channel-themes.ts';
import type { Origin } from './identifiers.ts';
import { topicOf } from './videos.ts';

const MAX_DESCRIPTION = 250;

interface Surroundings extends Origin {
  accountId: string;
  videos: readonly DemoVideo[];
  projects: readonly DemoProject[];
  templates: readonly DemoTemplate[];
}

/** The account's channels. Most have videos; every twelfth has a project, half of these have videos as well. */
export function generateChannels(count: number, around: Surroundings): DemoChannel[] {
  const { now, identifier, projects, templates } = around;
  const random = createRandom(seedFrom(around.seed, 'channels'));
  const topics = around.videos.map((_, index) => topicOf(index));
  return Array.from({ length: count }, (_, index) => {
    const [name, description, topic, size] = channelTheme(index);
    const pool = around.videos.filter((_video, position) => topics[position] === topic).map((video) => video.key);
    const start = pool.length === 0 ? 0 : random.int(pool.length);
    const ofProject = index % 12 === 9 && projects.length > 0;
    const template = random.chance(0.6) && templates.length > 0 ? random.pick(templates).key : '';
    const age = 20 + random.int(1000);
    return {
      id: identifier('channelId'),
      key: identifier('channelKey'),
      name,
      description: description.slice(0, MAX_DESCRIPTION),
      accountId: around.accountId,
      version: 1 + random.int(12),
      planType: 1 + random.int(4),
      templateKey: template,
      status: index % 17 === 16 ? 2 : 1,
      created: instantBefore(now, age, random),
      updated: instantBefore(now, random.int(age), random),
      videoKeys: ofProject && index % 24 === 9 ? [] : rotated(pool, start).slice(0, size),
      projectKeys: ofProject ? [random.pick(projects).key] : [],
      privateLinkEnabled: random.chance(0.2),
    };
  });
}

function rotated(list: readonly string[], start: number): string[] {
  return [...list.slice(start), ...list.slice(0, start)];
}
