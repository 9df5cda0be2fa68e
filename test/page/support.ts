import { channelAt } from '../changes/support/world.ts';
import { createTestBrowser, enterPage, type TestBrowser, type TestPage } from '../harness/page.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { type Session, type StartOptions, start } from '../harness/start.ts';

export interface PageStart extends Session {
  readonly browser: TestBrowser;
}

/** A server that opens its page in a test's browser, with a service that shows what channels hold. */
export async function startWithPage(
  options: StartOptions & { readonly channels?: number; readonly browser?: TestBrowser } = {},
): Promise<PageStart> {
  const { channels = 3, browser = createTestBrowser(), ...rest } = options;
  const demo = rest.demo ?? (await startService({ channels, projects: 2 }));
  demo.behaviour.channelRecordsShowContents = true;
  const session = await start({ ...rest, demo, env: { ...browser.env, ...rest.env } });
  return { ...session, browser };
}

export const rename = (channel: string, name = 'Renamed') => ({ changes: [{ channel, name }] });

/** A change of the first channel’s name that waits on the page, and a person who has opened the page. */
export async function waitingRename(options: Parameters<typeof startWithPage>[0] = {}) {
  const session = await startWithPage(options);
  const { id } = channelAt(session.demo, 0);
  const call = session.client.callTool('update_channels', rename(id));
  // The test can end before the answer.
  call.catch(() => undefined);
  const page = await enterPage(await session.browser.opened());
  const [change] = await page.waiting();
  if (change === undefined) throw new Error('Nothing waits.');
  return { ...session, id, call, page, change };
}

export type { DemoService, TestPage };
