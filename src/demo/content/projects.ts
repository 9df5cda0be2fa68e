import { createRandom, instantBefore, type Random, seedFrom, words } from '../random.ts';
import type { DemoProject } from '../records.ts';
import type { Origin } from './identifiers.ts';

type Row = readonly [name: string, description: string, region: string, planType: number, parent?: string];

const ROWS: readonly Row[] = [
  ['Marketing', 'Campaigns, spots, clips.', 'use-s', 1],
  ['Webinars', 'Recordings of every live session.', 'use-s', 1],
  ['Product', '', 'usw-s', 1],
  ['Customer Success', 'Onboarding and how-to.', 'use-s', 1],
  ['Training', 'The academy.', 'usw-s', 1],
  ['Events', 'Summit & road shows.', 'use-s', 1],
  ['Internal', 'Not for publication.', 'use-s', 1],
  ['Archive', 'Retired videos. Nothing is deleted here.', 'usw-s', 1],
  ['Edge – Live', 'Live and near-live delivery.', 'use-s', 2],
  ['Edge – EMEA', 'Auslieferung für Europa.', 'use-s', 2, 'Edge – Live'],
  ['Drafts', 'Unfinished work.', 'usw-s', 1, 'Marketing'],
  ['Legal hold', 'Do not touch.', 'usw-s', 1, 'Archive'],
];

const OPTION_SWITCHES = words('convertToHls convertToMp4 convertToOneMp4 useOriginalMp4 hlsEncrypt saveOriginalVideos');
const BITRATES = words('bitrate240p bitrate360p bitrate540p bitrate720p bitrate1080p bitrate1440p bitrate2160p');
const PLAYER_SWITCHES = words(`autoplay seekButtons volumeControl fullscreenControl controls captionsOn bigPlayControl qualityControl
  speedControl fastForward loop muted landscapeFullscreen modal resumePlayback hideLogo cast extraSecurity stickyPlayer pauseOnScroll
  storeAuth contextMenu`);
const UNSET = { playerSkin: '', controlsColor: '', primaryColor: '', preload: '', defaultQuality: '' };

/** The account's projects: named ones, Archive and two edge ones among them, then numbered ones. */
export function generateProjects(count: number, { seed, now, identifier }: Origin): DemoProject[] {
  const random = createRandom(seedFrom(seed, 'projects'));
  const projects: DemoProject[] = [];
  for (let index = 0; index < count; index += 1) {
    const [name, description, region, planType, parent] = ROWS[index] ?? numbered(index);
    const age = 60 + random.int(1200);
    projects.push({
      id: identifier('projectId'),
      key: identifier('projectKey'),
      name,
      description,
      region,
      planType,
      options: {
        ...switches(OPTION_SWITCHES, random),
        ...Object.fromEntries(BITRATES.map((bitrate, position) => [bitrate, random.chance(0.7) ? 0 : 400 * (position + 1)])),
      },
      videoOptions: {
        ...switches(PLAYER_SWITCHES, random),
        ...UNSET,
        primaryColor: random.chance(0.3) ? '#0a84ff' : '',
        volume: 1,
      },
      status: 1,
      created: instantBefore(now, age, random),
      updated: instantBefore(now, random.int(age), random),
      parentId: projects.find((project) => project.name === parent)?.id ?? '',
    });
  }
  return projects;
}

function numbered(index: number): Row {
  return [`Project ${index + 1}`, `Generated project number ${index + 1}.`, index % 2 === 0 ? 'use-s' : 'usw-s', index % 5 === 0 ? 2 : 1];
}

function switches(names: readonly string[], random: Random): Record<string, boolean> {
  return Object.fromEntries(names.map((name) => [name, random.chance(0.5)]));
}
