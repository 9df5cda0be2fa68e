import { definedFields } from '../../src/platform/defined-fields.ts';
import { channelAt } from '../changes/support/world.ts';
import type { Values } from '../harness/client.ts';
import { createTestBrowser, enterPage, type TestBrowser, type TestPage } from '../harness/page.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { type Session, type StartOptions, start } from '../harness/start.ts';

export interface PageStart extends Session {
  readonly browser: TestBrowser;
}

/** A server that opens its page in a test's browser. As documented, the service does not show what channels hold. */
export async function startWithPage(
  options: StartOptions & { readonly channels?: number; readonly browser?: TestBrowser } = {},
): Promise<PageStart> {
  const { channels = 3, browser = createTestBrowser(), ...rest } = options;
  const demo = rest.demo ?? (await startService({ channels, projects: 2 }));
  const session = await start({ ...rest, demo, env: { ...browser.env, ...rest.env } });
  return { ...session, browser };
}

/** A channel with what it holds, which nothing else tells. */
export const held = ({ id, videoKeys, projectKeys }: Channel) => ({
  channel: id,
  currentVideoKeys: [...videoKeys],
  currentProjectKeys: [...projectKeys],
});

/** A rename of a channel. */
export const rename = (channel: Channel, name = 'Renamed') => ({ changes: [{ ...held(channel), name }] });
type Channel = Pick<ReturnType<typeof channelAt>, 'id' | 'videoKeys' | 'projectKeys'>;

/** A person who has opened the page at its history. */
export async function openPage({ client, browser }: Pick<PageStart, 'client' | 'browser'>): Promise<TestPage> {
  const [page] = await Promise.all([browser.opened().then(enterPage), client.callTool('show_to_user', { what: 'changes' })]);
  return page;
}

/** A call whose change waits on the page, which a person has opened. The test can end before its answer. */
export async function asked({ client, browser }: Pick<PageStart, 'client' | 'browser'>, tool: string, args: Values, signal?: AbortSignal) {
  const call = client.callTool(tool, args, definedFields({ signal }));
  call.catch(() => undefined);
  const page = await enterPage(await browser.opened());
  return { call, page, change: await page.firstWaiting() };
}

/** A change of the first channel’s name that waits on the page, and a person who has opened the page. */
export async function waitingRename(options: Parameters<typeof startWithPage>[0] = {}) {
  const session = await startWithPage(options);
  const channel = channelAt(session.demo, 0);
  return { ...session, id: channel.id, ...(await asked(session, 'update_channels', rename(channel))) };
}

export type { DemoService, TestPage };
