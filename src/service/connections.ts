import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { ApiAddress } from '../config/api-address.ts';
import { type ProxySettings, proxyUrl } from '../config/proxy.ts';
import { refusal } from '../errors.ts';

/**
 * `kept`: kept alive and used again. `fresh`: a connection for each request, for what must not be sent twice, since a
 * kept one that the service is just closing would leave it unknown whether the request arrived.
 */
export type Connections = 'kept' | 'fresh';

export interface ConnectionPools {
  /** The connections to an API, created when first asked for. */
  of(api: ApiAddress, connections: Connections): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** How long requests under way may take once we close. */
const CLOSE_GRACE_MS = 1_000;

export interface ConnectionOptions {
  /** Used for everything instead, and not closed. */
  readonly shared?: Dispatcher | undefined;
  readonly connectMs: number;
  /** For every host except this machine and those that it excludes. */
  readonly proxy?: ProxySettings | undefined;
}

/**
 * A pool of each kind per origin; with a `shared` dispatcher, that one for all. undici is loaded by the first request. Throws
 * `settings_invalid` for a malformed proxy, naming its variable only.
 */
export function createConnections({ shared, connectMs, proxy }: ConnectionOptions): ConnectionPools {
  const proxyHref = proxy && hrefOf(proxy);
  const pools = new Map<string, Promise<Pool | EnvHttpProxyAgent>>();
  const connect = { timeout: connectMs };

  async function open({ origin, loopback }: ApiAddress, connections: Connections): Promise<Pool | EnvHttpProxyAgent> {
    const { EnvHttpProxyAgent, Pool } = await import('undici');
    const options = { connect, pipelining: connections === 'kept' ? 1 : 0, allowH2: false };
    if (proxyHref === undefined || loopback) return new Pool(origin, options);
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: proxyHref,
      httpsProxy: proxyHref,
      noProxy: proxy?.noProxy ?? '',
      proxyTls: connect,
      requestTls: connect,
      // A proxy that accepts a CONNECT and never answers it counts as unreachable.
      clientFactory: (origin, given) => endingTunnels(new Pool(origin, { ...given, headersTimeout: connectMs })),
    });
  }

  return {
    async of(api, connections) {
      if (shared !== undefined) return shared;
      const key = `${connections} ${api.origin}`;
      const pool = pools.get(key) ?? open(api, connections);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      await Promise.all([...pools.values()].map(async (pool) => closeOne(await pool)));
      pools.clear();
    },
  };
}

function hrefOf(proxy: ProxySettings): string {
  const url = proxyUrl(proxy);
  if ('problem' in url) throw refusal('settings_invalid', url.problem);
  return url.href;
}

/**
 * After a socket error undici connects again at once, without end, as if a kept connection had been closed. With a proxy that
 * hangs up it would do so thousands of times a second, so such a tunnel fails with another error.
 */
function endingTunnels(pool: Pool): Pool {
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (options: Dispatcher.ConnectOptions) =>
      connect(options).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET')) throw error;
        throw Object.assign(new Error('the proxy ended the connection', { cause: error }), { code: 'PROXY_HUNG_UP' });
      }),
  });
}

async function closeOne(pool: Pool | EnvHttpProxyAgent): Promise<void> {
  await Promise.race([pool.close(), wait(CLOSE_GRACE_MS, undefined, { ref: false })]);
  await pool.destroy();
}
