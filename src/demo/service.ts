import type { Server } from 'node:http';
import type { DemoKey } from './answer.ts';
import { Behaviour } from './behaviour.ts';
import { listen, type Shared } from './http-server.ts';
import type { DemoRequest } from './requests.ts';
import { DemoWorld, type WorldOptions } from './world.ts';

export interface DemoOptions extends Partial<WorldOptions> {
  apiKey?: string;
  /** When set, moving videos requires this instead of the API key. */
  accessToken?: string;
}

const DEFAULTS: WorldOptions = { seed: 1, now: '2026-11-01T00:00:00.000Z', views: 200_000, channels: 60, projects: 12, videos: 800 };

export interface DemoService {
  readonly baseUrl: string;
  readonly statsUrl: string;
  readonly apiKey: string;
  /** The keys that are accepted; others, of this account or of further ones, can be added, and taken away. */
  readonly keys: Map<string, DemoKey>;
  readonly world: DemoWorld;
  /** Every request received, in the order their headers arrived. */
  readonly requests: DemoRequest[];
  readonly behaviour: Behaviour;
  close(): Promise<void>;
}

/** Starts the service of the API document on two loopback ports, with a made-up account behind it. */
export async function startDemoService(options: DemoOptions = {}): Promise<DemoService> {
  const { apiKey = 'demo-api-key', accessToken } = options;
  const world = new DemoWorld({ ...DEFAULTS, ...options });
  const keys = new Map<string, DemoKey>([[apiKey, { world }]]);
  const shared: Shared = {
    world,
    behaviour: new Behaviour(),
    requests: [],
    credentials: { keys, accessToken },
    inFlight: 0,
  };
  const main = await listen('main', shared);
  const stats = await listen('stats', shared).catch(async (error: unknown) => {
    await end(main.server);
    throw error;
  });
  const { requests, behaviour } = shared;
  const close = async (): Promise<void> => {
    await Promise.all([end(main.server), end(stats.server)]);
  };
  return { baseUrl: main.url, statsUrl: stats.url, apiKey, keys, world, requests, behaviour, close };
}

async function end(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
