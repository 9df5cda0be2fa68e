import type { Dispatcher, Pool } from 'undici';

export interface Pools {
  /** The kept-alive connections to an origin, created when first asked for. */
  of(origin: string): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** How long requests under way may take once we close. */
const CLOSE_GRACE_MS = 1_000;

/** One pool per origin; with a `shared` dispatcher, that one for all, left open in the end. undici is loaded by the first request. */
export function createPools(shared: Dispatcher | undefined, connectMs: number): Pools {
  const pools = new Map<string, Promise<Pool>>();

  async function open(origin: string): Promise<Pool> {
    const { Pool } = await import('undici');
    return new Pool(origin, { connect: { timeout: connectMs }, pipelining: 1, allowH2: false });
  }

  return {
    async of(origin) {
      if (shared !== undefined) return shared;
      const pool = pools.get(origin) ?? open(origin);
      pools.set(origin, pool);
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
