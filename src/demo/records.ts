/** The API document, section Channel; the last three fields are kept but not sent. */
export interface DemoChannel {
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

/** The API document, section Project; `parentId` is a filter of the list and not sent. */
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

/** A video. No endpoint of the service sends one; tests read its state here. */
export interface DemoVideo {
  id: string;
  key: string;
  title: string;
  projectId: string;
  /** Playing time in seconds. */
  seconds: number;
  published: string;
  /** Calls to action; `copiedFrom` is the id of the video that one was copied from. */
  ctas: { id: string; text: string; url: string; copiedFrom?: string }[];
  /** One entry for each copy of CTAs to this video. */
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
