import { createRandom, instantBefore, itemAt, seedFrom, words } from '../random.ts';
import type { DemoProject, DemoVideo } from '../records.ts';
import type { Origin } from './identifiers.ts';

/** Topics of the first sixteen videos; the following ones repeat them. */
const TOPICS = words(`webinar-2026 webinar-2025 webinar-2024 tour story onboarding release legacy
  internal howto training event campaign howto story webinar-2025`);

const OPENINGS: Record<string, readonly string[]> = {
  'webinar-2026': ['Webinar 2026: ', 'Live in 2026: '],
  'webinar-2025': ['Webinar 2025: ', 'Live in 2025: '],
  'webinar-2024': ['Webinar 2024: '],
  tour: ['Tour of ', 'Ten minutes with '],
  story: ['How Fjord Bakery uses ', 'How Nimbus Rail uses ', 'How Casa Verde uses ', 'How Ødegaard & Søn use '],
  onboarding: ['First steps with ', 'Setting up '],
  release: ['New in ', 'Release notes: '],
  legacy: ['Old player: ', 'Legacy: '],
  internal: ['Internal: ', 'All-hands: '],
  howto: ['How to use ', 'How to fix ', 'Quick tip: '],
  training: ['Lesson: ', 'Exercise: '],
  event: ['Summit talk: ', 'Keynote: ', 'Panel: '],
  campaign: ['Spot: ', 'Teaser: '],
};

const SUBJECTS = `captions, the dashboard, live streams, playlists, team permissions, A/B thumbnails, the mobile app, billing,
  chapters & markers, the “theatre” player, übersetzte Untertitel, lead forms, webhooks 🚀, the embed code <iframe>, 4K uploads,
  audience reports`.split(/,\s+/);
const BUTTONS = ['Start free trial', 'Book a demo', 'Read the guide', 'Jetzt anmelden', 'Subscribe ✉️'];

export function topicOf(index: number): string {
  return itemAt(TOPICS, index % TOPICS.length);
}

/** The account's videos. One in five has calls to action; most are in a few big projects. */
export function generateVideos(count: number, around: Origin & { projects: readonly DemoProject[] }): DemoVideo[] {
  const random = createRandom(seedFrom(around.seed, 'videos'));
  return Array.from({ length: count }, (_, index) => {
    const openings = OPENINGS[topicOf(index)] ?? [''];
    const round = Math.floor(index / 256);
    const project = Math.floor(random.next() ** 2 * around.projects.length);
    const id = around.identifier('videoId');
    const published = instantBefore(around.now, random.int(900), random);
    const ctas = random.chance(0.2) ? 1 + random.int(3) : 0;
    return {
      id,
      key: around.identifier('videoKey'),
      title: `${random.pick(openings)}${random.pick(SUBJECTS)}${round > 0 ? ` (part ${round + 1})` : ''}`,
      projectId: itemAt(around.projects, project).id,
      seconds: 30 + Math.floor(random.next() ** 2 * 3600),
      published,
      ctas: Array.from({ length: ctas }, (_unused, position) => ({
        id: `cta-${id.slice(4, 12)}-${position + 1}`,
        text: random.pick(BUTTONS),
        url: `https://www.example.com/offer/${random.int(900) + 100}`,
      })),
      ctaCopies: [],
    };
  });
}
