import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Values } from '../../harness/client.ts';
import { freshHome, type StartOptions, start } from '../../harness/start.ts';
import { type Account, manyVideos } from '../bulk/harness.ts';

export const AGENT = 'nightly';

/** A day so many days from now, as the file gives it. */
export const daysAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const fileOf = (allow: readonly Values[], approval: Values = {}, more: Values = {}): Values => ({
  version: 1,
  timeZone: 'UTC',
  approvals: [{ id: 'test-approval', for: AGENT, until: daysAhead(30), allow, ...approval }],
  ...more,
});

export function writeApprovals(content: unknown, folder = freshHome()): string {
  const path = join(folder, 'approvals.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2), { mode: 0o600 });
  return path;
}

/** An account with videos, and a server of an agent with the file of approvals. What isn’t covered is asked by token. */
export async function nightly(
  file: (account: Account) => unknown,
  { videos = 10, env = {}, ...options }: StartOptions & { readonly videos?: number } = {},
) {
  const account = await manyVideos(videos);
  const path = writeApprovals(file(account));
  const settings = { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: AGENT, ...env };
  const session = await start({ demo: account.demo, env: settings, ...options });
  const move = (count: number, more: Values = {}) =>
    session.client.callTool('move_videos', {
      ...{ videoIds: account.ids.slice(0, count), targetProject: account.archive, fromProject: account.elsewhere },
      ...more,
    });
  return { ...account, ...session, path, env: settings, move };
}

export const moveRule = ({ archive }: Account, more: Values = {}): Values => ({
  ...{ kind: 'move_videos', to: [{ id: archive, name: 'Archive' }], perDay: 100 },
  ...more,
});
