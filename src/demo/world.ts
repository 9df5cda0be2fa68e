import { generateChannels } from './content/channels.ts';
import { generateEmails } from './content/emails.ts';
import { createIdentifiers, type Origin } from './content/identifiers.ts';
import { generateProjects } from './content/projects.ts';
import { generatePlans, generateTemplates } from './content/templates-and-plans.ts';
import { generateVideos } from './content/videos.ts';
import { createRandom, HEX, LOWER, seedFrom, UPPER } from './random.ts';
import type { DemoChannel, DemoEmail, DemoPlan, DemoProject, DemoTemplate, DemoVideo, DemoView } from './records.ts';
import { createSources, type ViewSource } from './views/sources.ts';
import { DemoViews } from './views/store.ts';

/** The size of a world and what it is generated from; the same values give the same world. */
export interface WorldOptions {
  /** Default 1. */
  seed: number;
  /** ISO time that counts as now for the account. Default 2026-11-01; each change adds a second. */
  now: string;
  /** View records in the log, generated on first use. Default 200,000. */
  views: number;
  channels: number;
  projects: number;
  videos: number;
}

const EMAILS = 3000;

/** The live state of the account. Tests read it, and edit it as somebody in the dashboard would. */
export class DemoWorld {
  readonly accountId: string;
  readonly accountKey: string;
  /** The account's plan type: templates above it are not usable. */
  readonly accountPlanType = 3;
  readonly channels = new Map<string, DemoChannel>();
  readonly templates: DemoTemplate[];
  readonly projects = new Map<string, DemoProject>();
  readonly plans: DemoPlan[];
  readonly videos = new Map<string, DemoVideo>();
  readonly videosByKey = new Map<string, DemoVideo>();
  /** Ids of videos that a move always fails for. */
  readonly poisonedVideoIds = new Set<string>();
  /** Appended to the message of every error. */
  messageSuffix = '';
  readonly #origin: Origin;
  readonly #viewCount: number;
  readonly #sources: ViewSource[];
  #clock: number;
  #views: DemoViews | undefined;
  #emails: DemoEmail[] | undefined;
  #addedViews = 0;

  constructor(options: WorldOptions) {
    const { seed } = options;
    const random = createRandom(seedFrom(seed, 'account'));
    this.accountId = `acc0${random.text(HEX, 20)}`;
    this.accountKey = random.text(UPPER, 4) + random.text(LOWER, 4);
    this.#clock = Date.parse(options.now);
    this.#viewCount = options.views;
    const origin: Origin = { seed, now: this.#clock, identifier: createIdentifiers(seed) };
    this.#origin = origin;
    const projects = generateProjects(options.projects, origin);
    const videos = generateVideos(projects.length === 0 ? 0 : options.videos, { ...origin, projects });
    this.templates = generateTemplates(origin);
    const templates = this.templates.slice(0, 6);
    const channels = generateChannels(options.channels, { ...origin, accountId: this.accountId, projects, videos, templates });
    this.plans = generatePlans(channels, origin);
    for (const project of projects) this.projects.set(project.id, project);
    for (const channel of channels) this.channels.set(channel.id, channel);
    for (const video of videos) this.#storeVideo(video);
    this.#sources = createSources(videos, channels, this.projects);
  }

  tick(): string {
    this.#clock += 1000;
    return new Date(this.#clock).toISOString();
  }

  /** The service's present, in milliseconds since 1970. */
  get now(): number {
    return this.#clock;
  }

  get views(): DemoViews {
    const { seed, now } = this.#origin;
    this.#views ??= new DemoViews({ count: this.#viewCount, seed, now, accountKey: this.accountKey, sources: this.#sources });
    return this.#views;
  }

  /** Every collected email, those older than a year included; generated on first use. */
  get emails(): DemoEmail[] {
    this.#emails ??= generateEmails(EMAILS, { ...this.#origin, sources: this.#sources.slice(0, 120) });
    return this.#emails;
  }

  /** Changes a channel as the service would: version one up, a new `updated`. */
  editChannel(id: string, patch: Partial<DemoChannel>): DemoChannel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new RangeError(`no channel ${id}`);
    Object.assign(channel, { version: channel.version + 1, updated: this.tick() }, patch);
    return channel;
  }

  /** Adds a channel; fields that aren't given have defaults. */
  addChannel(patch: Partial<DemoChannel> = {}): DemoChannel {
    const created = this.tick();
    const channel: DemoChannel = {
      id: this.#origin.identifier('channelId'),
      key: this.#origin.identifier('channelKey'),
      name: 'New channel',
      description: '',
      accountId: this.accountId,
      version: 1,
      planType: this.accountPlanType,
      templateKey: '',
      status: 1,
      created,
      updated: created,
      videoKeys: [],
      projectKeys: [],
      privateLinkEnabled: false,
      ...patch,
    };
    this.channels.set(channel.id, channel);
    return channel;
  }

  /** Adds a project; fields that aren't given have defaults. */
  addProject(patch: Partial<DemoProject> = {}): DemoProject {
    const created = this.tick();
    const project: DemoProject = {
      id: this.#origin.identifier('projectId'),
      key: this.#origin.identifier('projectKey'),
      name: 'New project',
      description: '',
      region: 'use-s',
      planType: 1,
      options: {},
      videoOptions: {},
      status: 1,
      created,
      updated: created,
      parentId: '',
      ...patch,
    };
    this.projects.set(project.id, project);
    return project;
  }

  /** Adds a video, by default in the first project. It has no views. */
  addVideo(patch: Partial<DemoVideo> = {}): DemoVideo {
    const projectId = this.projects.keys().next().value ?? '';
    const identifiers = { id: this.#origin.identifier('videoId'), key: this.#origin.identifier('videoKey') };
    const defaults = { title: 'New video', projectId, seconds: 60, published: this.tick(), ctas: [], ctaCopies: [] };
    return this.#storeVideo({ ...identifiers, ...defaults, ...patch });
  }

  channelNamed(name: string): DemoChannel {
    return named(name, this.channels.values());
  }

  projectNamed(name: string): DemoProject {
    return named(name, this.projects.values());
  }

  /** Adds a full view record at `patch.date`, or now; fields that aren't given are those of a view of the first video. */
  addView(patch: Partial<DemoView> = {}): DemoView {
    const video = this.videos.values().next().value ?? this.addVideo();
    this.#addedViews += 1;
    const number = this.#addedViews.toString(16).padStart(20, '0');
    const record: DemoView = {
      id: `adde${number}`,
      videoKey: video.key,
      accountKey: this.accountKey,
      projectKey: this.projects.get(video.projectId)?.key ?? '',
      viewerId: `vwr-adde${number.slice(8)}`,
      viewId: `vew-adde${number.slice(8)}`,
      planType: this.accountPlanType,
      date: new Date(this.#clock).toISOString().replace('Z', '+00:00'),
      started: true,
      ended: false,
      muted: false,
      duration: video.seconds,
      watchTime: Math.round(video.seconds / 2),
      browser: { family: 'Chrome', major: 141, minor: 0 },
      device: { family: 'Other', type: 'desktop' },
      os: { family: 'Windows', major: 11 },
      geo: { ip: '192.0.2.1', city: 'Berlin', country: 'DE', region: 'BE', continent: 'EU' },
      ...patch,
    };
    this.views.add({ ...record }, Date.parse(record.date));
    return record;
  }

  addViews(patches: readonly Partial<DemoView>[]): DemoView[] {
    return patches.map((patch) => this.addView(patch));
  }

  /** Adds a record that is sent exactly as given, malformed or not, and found at `date` (ISO; default its own, else now). */
  addRawView(record: Record<string, unknown>, date = record.date): void {
    const time = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    this.views.add(record, Number.isNaN(time) ? this.#clock : time);
  }

  #storeVideo(video: DemoVideo): DemoVideo {
    this.videos.set(video.id, video);
    this.videosByKey.set(video.key, video);
    return video;
  }
}

function named<T extends { name: string }>(name: string, records: Iterable<T>): T {
  for (const record of records) if (record.name === name) return record;
  throw new RangeError(`nothing is named ${name}`);
}
