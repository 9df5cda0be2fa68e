import { lookup } from 'node:dns';
import type { Dispatcher, Pool } from 'undici';
import { checkedLookup, type Resolve } from './addresses.ts';
import { isLoopbackOrigin } from './base-url.ts';

/**
 * `kept`: kept alive and used again. `fresh`: a connection for each request, for what must not be sent twice, since a
 * kept one that the service is just closing would leave it unknown whether the request arrived.
 */
export type Connections = 'kept' | 'fresh';

export interface Pools {
  /** The connections to an origin, created when first asked for. */
  of(origin: string, connections: Connections): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** How long requests under way may take once we close. */
const CLOSE_GRACE_MS = 1_000;

export interface PoolOptions {
  /** Used for everything instead, and left open in the end. */
  readonly shared?: Dispatcher | undefined;
  readonly connectMs: number;
  /** How names become addresses; Node's own way unless said. */
  readonly resolve?: Resolve | undefined;
}

/** A pool of each kind per origin; with a `shared` dispatcher, that one for all, left open in the end. undici is loaded by the first request. */
export function createPools({ shared, connectMs, resolve = lookup }: PoolOptions): Pools {
  const pools = new Map<string, Promise<Pool>>();

  async function open(origin: string, connections: Connections): Promise<Pool> {
    const { Pool } = await import('undici');
    // Each connection looks its host up by this, and goes to the address that was checked.
    const connect = { timeout: connectMs, lookup: checkedLookup(isLoopbackOrigin(origin), resolve) };
    return new Pool(origin, { connect, pipelining: connections === 'kept' ? 1 : 0, allowH2: false });
  }

  return {
    async of(origin, connections) {
      if (shared !== undefined) return shared;
      const key = `${connections} ${origin}`;
      const pool = pools.get(key) ?? open(origin, connections);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      await Promise.all([...pools.values()].map(async (pool) => closeOne(await pool)));
      pools.clear();
    },
  };
}

async function closeOne(pool: Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_GRACE_MS);
  });
  await Promise.race([pool.close(), grace]);
  clearTimeout(timer);
  await pool.destroy();
}
