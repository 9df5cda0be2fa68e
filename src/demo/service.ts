import type { Server } from 'node:http';
import { type Behaviour, createBehaviour } from './behaviour.ts';
import { FaultPlan } from './faults.ts';
import { listen, type Shared } from './http-server.ts';
import type { DemoRequest } from './requests.ts';
import { DemoWorld } from './world.ts';

export interface DemoOptions {
  /** Everything generated follows from it. Default 1. */
  seed?: number;
  /** ISO time that counts as now for the account. Default 2026-11-01; each change moves it on by a second. */
  now?: string;
  /** View records in the log, made when first asked for. Default 200,000. */
  views?: number;
  /** Default 60. */
  channels?: number;
  /** Default 12. */
  projects?: number;
  /** Default 800. */
  videos?: number;
  /** Default `demo-api-key`. */
  apiKey?: string;
  /** When set, moving videos wants this instead of the API key. */
  accessToken?: string;
  /** Whether listing plans and projects wants a credential. Default true. */
  requireListAuth?: boolean;
}

export interface DemoService {
  readonly baseUrl: string;
  readonly statsUrl: string;
  readonly apiKey: string;
  /** The live state; tests read it and edit it. */
  readonly world: DemoWorld;
  /** Every request received, in the order their headers arrived. */
  readonly requests: DemoRequest[];
  readonly faults: FaultPlan;
  readonly behaviour: Behaviour;
  /** Ends both servers and every connection at once. */
  close(): Promise<void>;
}

/** Starts the service of the API document on two loopback ports, with a made-up account behind it. */
export async function startDemoService(options: DemoOptions = {}): Promise<DemoService> {
  const { apiKey = 'demo-api-key', accessToken, requireListAuth = true } = options;
  const shared: Shared = {
    world: createWorld(options),
    behaviour: createBehaviour(),
    faults: new FaultPlan(),
    requests: [],
    credentials: { apiKey, accessToken, requireListAuth },
    inFlight: 0,
  };
  const main = await listen('main', shared);
  const stats = await listen('stats', shared).catch(async (error: unknown) => {
    await end(main.server);
    throw error;
  });
  const { world, requests, faults, behaviour } = shared;
  const close = async (): Promise<void> => {
    await Promise.all([end(main.server), end(stats.server)]);
  };
  return { baseUrl: main.url, statsUrl: stats.url, apiKey, world, requests, faults, behaviour, close };
}

function createWorld(options: DemoOptions): DemoWorld {
  const { seed = 1, now = '2026-11-01T00:00:00.000Z', views = 200_000, channels = 60, projects = 12, videos = 800 } = options;
  return new DemoWorld({ seed, now, views, channels, projects, videos });
}

async function end(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
