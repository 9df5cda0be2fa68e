/** Real ClickHouse servers on loopback, a process each, as the shards of one cluster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD } from './password.ts';
import type { TestStore } from './stores.ts';

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly between: number;
}

export interface Shard {
  readonly httpPort: number;
  /** Starts the server with the data that it has on disk. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Moves its data away while it isn't running. The returned function moves the data back. */
  takeDisk(): () => void;
  /** The answer of this server alone, as lines of tab-separated values. */
  query(sql: string): Promise<string>;
}

export interface Shards extends TestStore {
  /** For the cluster of shards, or for the one in which all servers except the first are replicas. */
  url(database: string, cluster?: 'shards' | 'copies'): string;
  readonly shards: readonly Shard[];
}

const READY_MS = 30_000;

export async function startShards(root: string, count = 2): Promise<Shards> {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-shards-'));
  const ports: Ports[] = [];
  for (let at = 0; at < count; at += 1) ports.push({ http: await freePort(), tcp: await freePort(), between: await freePort() });
  const shards = ports.map((own, at) => createShard(root, join(folder, String(at)), own, ports));
  await Promise.all(shards.map((shard) => shard.start()));
  const hosts = ports.map(({ http }) => `127.0.0.1:${http}`).join(',');
  return {
    name: `ClickHouse ${await queryAt(ports[0]?.http ?? 0, 'SELECT version()')}, ${count} shards`,
    url: (database, cluster = 'shards') => `clickhouse://writer@${hosts}/${database}?cluster=${cluster}`,
    shards,
    async close() {
      await Promise.all(shards.map((shard) => shard.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createShard(root: string, folder: string, own: Ports, all: readonly Ports[]): Shard {
  let child: ChildProcess | undefined;
  const libraries = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu', 'usr/lib/aarch64-linux-gnu', 'lib/aarch64-linux-gnu'];
  const write = (): void => {
    mkdirSync(join(folder, 'data', 'tmp'), { recursive: true });
    writeFileSync(join(folder, 'config.xml'), configOf(folder, own, all));
    writeFileSync(join(folder, 'users.xml'), USERS);
  };
  return {
    httpPort: own.http,
    async start() {
      write();
      const started = spawn(join(root, 'usr/sbin/clickhouse-server'), [`--config-file=${join(folder, 'config.xml')}`], {
        cwd: folder,
        env: { LD_LIBRARY_PATH: libraries.map((path) => join(root, path)).join(':'), TZ: 'America/St_Johns' },
        stdio: 'ignore',
      });
      child = started;
      const until = Date.now() + READY_MS;
      while (!(await answers(own.http))) {
        if (started.exitCode !== null || Date.now() > until) throw new Error(`A server did not start: ${logOf(folder)}`);
        await sleep(50);
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    takeDisk() {
      const [disk, away] = [join(folder, 'data'), join(folder, randomUUID())];
      renameSync(disk, away);
      return () => {
        rmSync(disk, { recursive: true, force: true });
        renameSync(away, disk);
      };
    },
    query: (sql) => queryAt(own.http, sql),
  };
}

function logOf(folder: string): string {
  try {
    return readFileSync(join(folder, 'errors.log'), 'utf8').slice(-2_000);
  } catch {
    return 'it left no log';
  }
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function queryAt(port: number, sql: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/?user=writer&password=${PASSWORD}`, { method: 'POST', body: sql });
  const text = (await answer.text()).trim();
  if (!answer.ok) throw new Error(text);
  return text;
}

/**
 * A free port below the ephemeral ports. A server opens its port only later, and again after it was killed; by then an
 * ephemeral port may belong to a connection.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, firstOfConnections());
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

const given = new Set<number>();

/** The first ephemeral port. Read from Linux, the only system with ClickHouse's own packages. */
function firstOfConnections(): number {
  const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/);
  return Math.max(Number(first), 20_000);
}

/** The time zone is an unusual one, which must not affect any answer. */
function configOf(folder: string, own: Ports, all: readonly Ports[]): string {
  const shards = all.map(
    ({ tcp }) =>
      `<shard><replica><host>127.0.0.1</host><port>${tcp}</port><user>writer</user><password>${PASSWORD}</password></replica></shard>`,
  );
  // All servers except the first, as replicas of one shard.
  const copies = shards.slice(1).map((shard) => shard.replace(/<\/?shard>/g, ''));
  return `<yandex>
    <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/errors.log</errorlog></logger>
    <http_port>${own.http}</http_port><tcp_port>${own.tcp}</tcp_port><interserver_http_port>${own.between}</interserver_http_port>
    <interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
    <path>${folder}/data/</path><tmp_path>${folder}/data/tmp/</tmp_path><users_config>${folder}/users.xml</users_config>
    <default_profile>default</default_profile><default_database>default</default_database><timezone>America/St_Johns</timezone>
    <mark_cache_size>67108864</mark_cache_size><max_connections>200</max_connections><keep_alive_timeout>3</keep_alive_timeout>
    <remote_servers><shards>${shards.join('')}</shards><copies><shard>${copies.join('')}</shard></copies><three>${[...shards, shards[0]].join('')}</three></remote_servers>
  </yandex>`;
}

const USERS = `<yandex>
  <profiles><default><max_threads>2</max_threads></default><reader><readonly>1</readonly><max_memory_usage>500000000</max_memory_usage><max_execution_time>10</max_execution_time></reader></profiles>
  <users>
    <writer><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></writer>
    <reader><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></reader>
  </users>
  <quotas><default></default></quotas>
</yandex>`;
