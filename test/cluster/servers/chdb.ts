/** Embedded ClickHouse behind its HTTP interface, in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestStore } from './stores.ts';

export interface Reader {
  readonly grants: readonly string[];
  /** Settings of its profile. */
  readonly profile: Readonly<Record<string, number | string>>;
}

export interface Chdb extends TestStore {
  /** Makes `reader` this user from now on, with a copy of the current data. */
  setReader(reader: Reader): Promise<void>;
}

const user = (name: string, profile: string, inner: string): string =>
  `<${name}><password/><profile>${profile}</profile><quota>default</quota><networks><ip>127.0.0.1</ip></networks>${inner}</${name}>`;

/** The embedded engine's one user is `default`; views are defined by the `writer`. */
function writeConfig(folder: string, name: string, { grants, profile }: Partial<Reader>): string {
  const settings = Object.entries(profile ?? {}).map(([key, value]) => `<${key}>${value}</${key}>`);
  const rights =
    grants === undefined
      ? '<access_management>1</access_management>'
      : `<grants>${grants.map((grant) => `<query>${grant}</query>`).join('')}</grants>`;
  const users = `${user('default', 'own', rights)}${user('writer', 'default', '<access_management>1</access_management>')}`;
  const [usersFile, configFile] = [join(folder, `${name}-users.xml`), join(folder, `${name}.xml`)];
  const profiles = `<profiles><default/><own>${settings.join('')}</own></profiles>`;
  writeFileSync(usersFile, `<clickhouse>${profiles}<quotas><default/></quotas><users>${users}</users></clickhouse>`);
  writeFileSync(
    configFile,
    `<clickhouse><user_directories><users_xml><path>${usersFile}</path></users_xml></user_directories></clickhouse>`,
  );
  return configFile;
}

/** `front` is the program that serves the engine over HTTP; `rights` are those of its user, by default all. */
export async function startChdb(
  chdb: string,
  front = join(import.meta.dirname, 'chdb-front.cjs'),
  rights: Partial<Reader> = {},
): Promise<Chdb> {
  const folder = mkdtempSync(join(tmpdir(), 'chdb-'));
  const child = spawn(
    process.execPath,
    [front, JSON.stringify({ chdb, folder: join(folder, 'data'), config: writeConfig(folder, 'writer', rights) })],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: folder, TZ: 'America/St_Johns' },
    },
  );
  const [line] = await once(createInterface(child.stdout), 'line');
  const port = Number(line);
  return {
    name: 'embedded ClickHouse',
    async setReader(reader) {
      const config = writeConfig(folder, 'reader', reader);
      await fetch(`http://127.0.0.1:${port}/reader`, { method: 'POST', body: config });
    },
    url: (database) => `clickhouse://writer@127.0.0.1:${port}/${database}`,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
