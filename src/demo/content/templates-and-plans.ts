import { createRandom, instantBefore, seedFrom } from '../random.ts';
import type { DemoChannel, DemoPlan, DemoTemplate } from '../records.ts';
import type { Origin } from './identifiers.ts';

const TEMPLATES: readonly (readonly [name: string, planType: number, status: number])[] = [
  ['Light', 1, 1],
  ['Dark', 1, 1],
  ['Grid', 2, 1],
  ['Cinema', 2, 1],
  ['Dark', 3, 1],
  ['Magazine', 3, 1],
  ['Old Carousel', 2, 0],
  ['Spotlight (beta)', 3, 2],
  ['Brand: Aurora', 4, 1],
  ['Brand: Borealis', 4, 0],
];

/** Templates of all four plan types, three of them not active, two with the same name. */
export function generateTemplates(around: Origin): DemoTemplate[] {
  const random = createRandom(seedFrom(around.seed, 'templates'));
  return TEMPLATES.map(([name, planType, status]) => ({
    key: around.identifier('templateKey'),
    name,
    planType,
    status,
    created: instantBefore(around.now, 100 + random.int(1500), random),
  }));
}

const PLANS: readonly (readonly [name: string, description: string, type: number])[] = [
  ['Free viewing', 'What anybody may watch.', 0],
  ['Members', 'Monthly membership.', 1],
  ['Members (yearly)', 'Two months for nothing.', 1],
  ['Academy pass', 'All courses for a quarter.', 2],
  ['Partner access', '', 3],
];

export function generatePlans(channels: readonly DemoChannel[], around: Origin): DemoPlan[] {
  const random = createRandom(seedFrom(around.seed, 'plans'));
  return PLANS.map(([name, description, type], index) => {
    const covered = channels.slice(index * 3, index * 3 + (index % 3));
    return {
      id: around.identifier('planId'),
      name,
      description,
      type,
      storePlanType: index % 4,
      frequency: { interval: index === 2 ? 12 : 1, count: index === 3 ? 3 : 1 },
      status: index === 4 ? 0 : 1,
      channelKeys: covered.map((channel) => channel.key),
      videoKeys: covered.flatMap((channel) => channel.videoKeys.slice(0, 2)),
      created: instantBefore(around.now, 400 + random.int(400), random),
      updated: instantBefore(around.now, random.int(300), random),
    };
  });
}
