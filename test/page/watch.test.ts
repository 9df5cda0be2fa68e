/** A page that shows a change as running is told of its end, however old the change is and whenever the page was opened. */
import { expect, test } from 'vitest';
import { channelAt } from '../changes/support/world.ts';
import { enterPage } from '../harness/page.ts';
import { hold } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { rename, startWithPage } from './support.ts';

test('the end of a running change is told, also where many others were begun since', async () => {
  const { demo, client, browser, home } = await startWithPage();
  const release = hold(demo, ({ method }) => method === 'PUT');
  const call = client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  if (change === undefined) throw new Error('Nothing waits.');
  expect((await page.decide(change, 'apply')).change.status).toBe('running');
  const never = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  for (let count = 0; count < 21; count += 1)
    await never.client.callTool('create_channels', { channels: [{ name: `New ${count}`, videoKeys: [] }] });
  const events = await page.events();
  // A look at least has passed.
  await events.next(({ type }) => type === 'change');
  release();
  await call;
  await events.next((event) => event.type === 'change' && event.changeId === change.changeId && event.status === 'applied');
});

test('the end of a change is told that came between its view and the first look at the history', async () => {
  const { demo, client, browser } = await startWithPage();
  const release = hold(demo, ({ method }) => method === 'PUT');
  const call = client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  if (change === undefined) throw new Error('Nothing waits.');
  expect((await page.decide(change, 'apply')).change.status).toBe('running');
  release();
  await call;
  const events = await page.events();
  await events.next((event) => event.type === 'change' && event.changeId === change.changeId && event.status === 'applied');
});
