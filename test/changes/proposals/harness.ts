import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace, type Workspace } from '../../../src/app/workspace.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import { type ProcessInfo, thisProcess } from '../../../src/platform/process-liveness.ts';
import { atEnd } from '../../harness/cleanup.ts';
import type { Values } from '../../harness/client.ts';
import { NO_BROWSER, settingsFor } from '../../harness/service.ts';
import { type StartOptions, start } from '../../harness/start.ts';
import { type Account, manyVideos } from '../kinds/videos/harness.ts';

export const WAIT = { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_AGENT: 'nightly' };

/** An account with videos, and the server of an agent whose changes wait. */
export async function waitingAgent({ env = {}, ...options }: StartOptions = {}, account?: Account) {
  const { demo, ids, archive, elsewhere } = account ?? (await manyVideos(10));
  const session = await start({ demo, env: { ...WAIT, ...env }, ...options });
  const { client, home } = session;
  const move = (count: number, more: Values = {}) =>
    client.callTool('move_videos', { videoIds: ids.slice(0, count), targetProject: archive, fromProject: elsewhere, ...more });
  /** The settings of a person’s own terminal, who sets no confirmation. */
  const person = { ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data') };
  return { ...session, demo, ids, archive, elsewhere, move, person };
}

/** The process of a person, who looks at what waits and decides. */
export async function personOf(env: Readonly<Record<string, string | undefined>>): Promise<Workspace> {
  const workspace = await openWorkspace({ config: parseConfig([], env), version: '0.0.0-test', log: () => undefined });
  atEnd(() => workspace.close());
  return workspace;
}

/** What is on disk where a process is killed between a person’s approval and the intent; by default it is one that is gone. */
export function approvedAndKilled(
  dataDir: string,
  changeId: string,
  by: Partial<ProcessInfo> = { pid: 2 ** 30, startTicks: '1' },
  atMs = Date.now(),
): void {
  const accounts = join(dataDir, 'accounts');
  const [account = ''] = readdirSync(accounts);
  const decision = { status: 'started', at: new Date(atMs).toISOString(), note: '', process: { ...thisProcess(), ...by } };
  writeFileSync(join(accounts, account, 'kept', `${changeId}.decision`), JSON.stringify(decision));
}
