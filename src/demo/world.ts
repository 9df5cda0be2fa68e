import { createChannels } from './content/channels.ts';
import { createEmails } from './content/emails.ts';
import { createIdentifiers, type Identifiers } from './content/identifiers.ts';
import { createProjects } from './content/projects.ts';
import { createPlans, createTemplates } from './content/templates-and-plans.ts';
import { createVideos } from './content/videos.ts';
import { plantHostileTexts } from './planting/hostile-texts.ts';
import { type PlantedToken, plantPersonalTokens } from './planting/personal-tokens.ts';
import { createRandom, LOWER, seedFrom, UPPER } from './random.ts';
import type { DemoChannel, DemoEmail, DemoPlan, DemoProject, DemoTemplate, DemoVideo, DemoView } from './records.ts';
import { createSources, type ViewSource } from './views/sources.ts';
import { DemoViews } from './views/store.ts';

/** How big a world is and what it is made from; the same values give the same world. */
export interface WorldOptions {
  seed: number;
  now: string;
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
  /** Put after the message of every error. */
  messageSuffix = '';
  readonly #options: WorldOptions;
  readonly #identifiers: Identifiers;
  readonly #sources: ViewSource[];
  #clock: number;
  #views: DemoViews | undefined;
  #emails: DemoEmail[] | undefined;
  #added = 0;

  constructor(options: WorldOptions) {
    const now = Date.parse(options.now);
    const identifiers = createIdentifiers(options.seed);
    const random = createRandom(seedFrom(options.seed, 'account'));
    this.#options = options;
    this.#identifiers = identifiers;
    this.#clock = now;
    this.accountId = `acc0${random.text('0123456789abcdef', 20)}`;
    this.accountKey = random.text(UPPER, 4) + random.text(LOWER, 4);
    const around = { seed: options.seed, now, identifiers, accountId: this.accountId };
    const projects = createProjects(options.projects, around);
    const videos = createVideos(projects.length === 0 ? 0 : options.videos, { ...around, projects });
    this.templates = createTemplates(around);
    const channels = createChannels(options.channels, { ...around, projects, videos, templates: this.templates.slice(0, 6) });
    this.plans = createPlans(channels, around);
    for (const project of projects) this.projects.set(project.id, project);
    for (const channel of channels) this.channels.set(channel.id, channel);
    for (const video of videos) this.#keepVideo(video);
    this.#sources = createSources({ videos, channels, projectKeys: new Map(projects.map((project) => [project.id, project.key])) });
  }

  /** The time of the next change: a second after the last one. ISO. */
  tick(): string {
    this.#clock += 1000;
    return new Date(this.#clock).toISOString();
  }

  /** The service's present, in milliseconds since 1970. */
  get now(): number {
    return this.#clock;
  }

  /** The view log; made when it is first asked for. */
  get views(): DemoViews {
    const { views: count, seed, now } = this.#options;
    this.#views ??= new DemoViews({ count, seed, now: Date.parse(now), accountKey: this.accountKey, sources: this.#sources });
    return this.#views;
  }

  /** Every collected email, those older than a year included; made when first asked for. */
  get emails(): DemoEmail[] {
    this.#emails ??= createEmails(EMAILS, {
      seed: this.#options.seed,
      now: Date.parse(this.#options.now),
      sources: this.#sources.slice(0, 120).map((source) => ({ videoKey: source.videoKey, channelKey: source.channelKeys[0] ?? '' })),
    });
    return this.#emails;
  }

  /** Changes a channel as the service would: version one up, a new `updated`. */
  editChannel(id: string, patch: Partial<DemoChannel>): DemoChannel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new RangeError(`no channel ${id}`);
    Object.assign(channel, { version: channel.version + 1, updated: this.tick() }, patch);
    return channel;
  }

  /** Adds a channel; what isn't given is filled in. */
  addChannel(patch: Partial<DemoChannel> = {}): DemoChannel {
    const created = this.tick();
    const channel: DemoChannel = {
      id: this.#identifiers.next('channelId'),
      key: this.#identifiers.next('channelKey'),
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

  removeChannel(id: string): boolean {
    return this.channels.delete(id);
  }

  /** Adds a project; what isn't given is filled in. */
  addProject(patch: Partial<DemoProject> = {}): DemoProject {
    const created = this.tick();
    const project: DemoProject = {
      id: this.#identifiers.next('projectId'),
      key: this.#identifiers.next('projectKey'),
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

  removeProject(id: string): boolean {
    return this.projects.delete(id);
  }

  /** Adds a video, in the first project unless told otherwise. It has no views. */
  addVideo(patch: Partial<DemoVideo> = {}): DemoVideo {
    const projectId = this.projects.keys().next().value ?? '';
    const made = { id: this.#identifiers.next('videoId'), key: this.#identifiers.next('videoKey') };
    const video = { ...made, title: 'New video', projectId, seconds: 60, published: this.tick(), ctas: [], ctaCopies: [], ...patch };
    this.#keepVideo(video);
    return video;
  }

  removeVideo(id: string): boolean {
    const video = this.videos.get(id);
    if (video !== undefined) this.videosByKey.delete(video.key);
    return this.videos.delete(id);
  }

  /** The channel with this name; of several, the first. */
  channelNamed(name: string): DemoChannel {
    return found(name, this.channels.values());
  }

  /** The project with this name; of several, the first. */
  projectNamed(name: string): DemoProject {
    return found(name, this.projects.values());
  }

  /** Adds a full view record at `patch.date`, or now; what isn't given is like the first video's latest view. */
  addView(patch: Partial<DemoView> = {}): DemoView {
    const video = this.videos.values().next().value ?? this.addVideo();
    this.#added += 1;
    const number = this.#added.toString(16).padStart(20, '0');
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

  /** Adds a record that is sent exactly as given, malformed or not; found at `date` (ISO; default its own, else now). */
  addRawView(record: Record<string, unknown>, date?: string): void {
    const own = typeof record.date === 'string' ? Date.parse(record.date) : Number.NaN;
    const time = date === undefined ? own : Date.parse(date);
    this.views.add(record, Number.isNaN(time) ? this.#clock : time);
  }

  /** Puts texts that attack a reader (control and invisible characters, ANSI, bidi, HTML, orders to an assistant) all over; answers them. */
  plantHostileTexts(): string[] {
    return plantHostileTexts(this);
  }

  /** Puts a token of its own into every personal field of a few views and emails; answers the tokens. */
  plantPersonalTokens(): PlantedToken[] {
    return plantPersonalTokens(this);
  }

  #keepVideo(video: DemoVideo): void {
    this.videos.set(video.id, video);
    this.videosByKey.set(video.key, video);
  }
}

function found<T extends { name: string }>(name: string, records: Iterable<T>): T {
  for (const record of records) if (record.name === name) return record;
  throw new RangeError(`nothing is named ${name}`);
}
