/** A channel as the service sends it (the API document, section Channel). */
interface ChannelRecord {
  id: string;
  key: string;
  name: string;
  description: string;
  accountId: string;
  version: number;
  planType: number;
  templateKey: string;
  status: number;
  created: string;
  updated: string;
}

/** A channel with what the service keeps but does not show. */
export interface DemoChannel extends ChannelRecord {
  videoKeys: string[];
  projectKeys: string[];
  privateLinkEnabled: boolean;
}

/** The API document, section Channel template. */
export interface DemoTemplate {
  key: string;
  name: string;
  planType: number;
  status: number;
  created: string;
}

/** A project (the API document, section Project); `parentId` is filtered by but not sent. */
export interface DemoProject {
  id: string;
  key: string;
  name: string;
  description: string;
  region: string;
  planType: number;
  options: Record<string, boolean | number>;
  videoOptions: Record<string, boolean | number | string>;
  status: number;
  created: string;
  updated: string;
  parentId: string;
}

/** The API document, section Plan. */
export interface DemoPlan {
  id: string;
  name: string;
  description: string;
  type: number;
  storePlanType: number;
  frequency: { interval: number; count: number };
  status: number;
  channelKeys: string[];
  videoKeys: string[];
  created: string;
  updated: string;
}

/** One call to action of a video; `copiedFrom` is the id of the video it was copied from. */
interface DemoCta {
  id: string;
  text: string;
  url: string;
  copiedFrom?: string;
}

/** A video. The service has no endpoint that sends one; tests read its state here. */
export interface DemoVideo {
  id: string;
  key: string;
  title: string;
  projectId: string;
  /** Playing time in seconds. */
  seconds: number;
  published: string;
  ctas: DemoCta[];
  /** One entry for each time a copy onto this video took effect. */
  ctaCopies: { sourceId: string; at: string }[];
}

/** The API document, section Collected email record. */
export interface DemoEmail {
  fullName: string;
  email: string;
  mobileNumber: string;
  videoKey: string;
  channelKey: string;
  created: string;
}

/** The API document, section View record. Keys that a record may lack are optional. */
export interface DemoView {
  id: string;
  videoKey: string;
  accountKey: string;
  projectKey: string;
  channelKey?: string;
  channelViewId?: string;
  viewerId: string;
  viewId: string;
  clientUserId?: string;
  planType: number;
  date: string;
  region?: string;
  started: boolean;
  ended: boolean;
  muted: boolean;
  duration: number;
  watchTime: number;
  browser: { family: string; major: number; minor: number };
  device: { family: string; brand?: string; model?: string; type: string };
  os: { family: string; major: number; processor?: string };
  geo: { ip: string; city?: string; country: string; region?: string; continent: string };
  embed?: { url: string; domain: string; type: number };
  userKey?: string;
}

/** What hostile texts and personal tokens are planted into. */
export interface PlantingTarget {
  readonly now: number;
  readonly channels: ReadonlyMap<string, DemoChannel>;
  readonly projects: ReadonlyMap<string, DemoProject>;
  readonly plans: readonly DemoPlan[];
  readonly templates: readonly DemoTemplate[];
  readonly videos: ReadonlyMap<string, DemoVideo>;
  readonly videosByKey: ReadonlyMap<string, DemoVideo>;
  readonly emails: DemoEmail[];
  messageSuffix: string;
  addView(patch: Partial<DemoView>): DemoView;
}
