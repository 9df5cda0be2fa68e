import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolReply, Values } from '../../harness/client.ts';
import { freshHome, type StartOptions, start } from '../../harness/start.ts';
import { type Account, MOVE, manyVideos } from '../kinds/videos/harness.ts';
import { channelAt, videoKeysOf } from '../support/world.ts';

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

/** As whoever has seen that it means the people who were added since. Times of files and of people count milliseconds. */
export function savedNow(path: string): void {
  const soon = new Date(Date.now() + 1);
  utimesSync(path, soon, soon);
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

/** Why a preview says that it is not covered. */
export const standingIn = ({ data }: ToolReply): string => String((data?.preview as Values | undefined)?.standing);

/** Channels whose contents this server wrote, so that they are known. */
export async function withChannels(allow: (ids: readonly string[]) => readonly Values[], options: Parameters<typeof nightly>[1] = {}) {
  const session = await nightly(({ demo }) => fileOf(allow([channelAt(demo, 0).id, channelAt(demo, 1).id])), options);
  const { demo, client } = session;
  const [one, other] = [channelAt(demo, 0), channelAt(demo, 1)];
  const keys = videoKeysOf(demo, 6);
  // By a person, in a form.
  const person = await start({ demo, home: session.home, forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  for (const channel of [one, other])
    await person.client.callTool('update_channels', {
      changes: [
        {
          channel: channel.id,
          setVideoKeys: keys.slice(0, 3),
          setProjectKeys: [],
          currentVideoKeys: channel.videoKeys,
          currentProjectKeys: channel.projectKeys,
        },
      ],
    });
  demo.requests.length = 0;
  const update = (change: Values) => client.callTool('update_channels', { changes: [{ channel: one.id, ...change }] });
  return { ...session, person: person.client, one, other, keys, update };
}

export const rulesFor = (ids: readonly string[]): readonly Values[] => [
  { kind: 'add_videos', channels: ids.slice(0, 1).map((id) => ({ id })), perDay: 2 },
  { kind: 'reorder_videos', channels: ids.slice(0, 1).map((id) => ({ id })), perDay: 2 },
  { kind: 'change_texts', channels: ids.slice(0, 1).map((id) => ({ id })), fields: ['name'], perDay: 1 },
];

/** More than can be in flight at once. */
export const MANY = 12_000;

/** A move whose first batch waits until `meanwhile` has happened. */
export async function inTheMiddle(
  meanwhile: (session: Awaited<ReturnType<typeof nightly>>) => void,
  more: (account: Account) => Values = () => ({}),
  others: (account: Account) => readonly Values[] = () => [],
  env: Readonly<Record<string, string>> = {},
  file: Values = {},
) {
  const rules = (account: Account) => [moveRule(account, { perDay: MANY, ...more(account) }), ...others(account)];
  const session = await nightly((account) => fileOf(rules(account), {}, file), { videos: MANY, env });
  let isFirst = true;
  const { onExchange } = session.demo.behaviour;
  session.demo.behaviour.onExchange = async (exchange) => {
    if (exchange.request.path === MOVE.path && isFirst) {
      isFirst = false;
      meanwhile(session);
    }
    await onExchange?.(exchange);
  };
  const reply = await session.move(MANY);
  return { ...session, reply };
}
