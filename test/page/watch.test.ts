/** A page that shows a change as running is told of its end, however old the change is and whenever the page was opened. */
import { expect, test } from 'vitest';
import { hold } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { waitingRename } from './support.ts';

/** A rename that was approved, and whose request the service holds until `release` is called. */
async function runningRename() {
  const session = await waitingRename();
  const release = hold(session.demo, ({ method }) => method === 'PUT');
  expect((await session.page.decide(session.change, 'apply')).change.status).toBe('running');
  return { ...session, release };
}

test('the end of a running change is told, also where many others were begun since', async () => {
  const { demo, home, page, change, call, release } = await runningRename();
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
  const { page, change, call, release } = await runningRename();
  release();
  await call;
  const events = await page.events();
  await events.next((event) => event.type === 'change' && event.changeId === change.changeId && event.status === 'applied');
});
