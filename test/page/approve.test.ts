/** Changes that a person confirms on the approval page, in clients without forms. */
import { describe, expect, test } from 'vitest';
import { changeIdIn } from '../changes/support/confirm.ts';
import { channelAt, contentOf, writesOf } from '../changes/support/world.ts';
import { CLIENT_KINDS } from '../harness/client.ts';
import { enterPage } from '../harness/page.ts';
import { rename, startWithPage } from './support.ts';

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('a person presses Apply on the page, and the change is carried out', async () => {
    const { demo, client, browser } = await startWithPage({ client: kind });
    const { id } = channelAt(demo, 0);
    const call = client.callTool('update_channels', rename(id, 'Renamed'));
    const page = await enterPage(await browser.opened());
    const [change] = await page.waiting();
    expect(writesOf(demo)).toEqual([]);
    expect(page.view).toBe(`#/changes/${change?.changeId}`);
    expect(change).toMatchObject({
      status: 'waiting',
      actionLabel: 'Change 1 channel',
      records: [{ id, fields: [{ name: 'Name', after: 'Renamed' }] }],
    });
    if (change === undefined) return;
    const decided = await page.decide(change, 'apply');
    expect(channelAt(demo, 0).name).toBe('Renamed');
    expect(decided).toMatchObject({ status: 200, change: { status: 'applied', confirmed: 'The user agreed on the approval page.' } });
    const { data } = await call;
    expect(data).toMatchObject({ status: 'applied', changeId: change.changeId, confirmed: 'The user agreed on the approval page.' });
  });

  test('a person declines with words, and the assistant reads them', async () => {
    const { demo, client, browser } = await startWithPage({ client: kind });
    const call = client.callTool('update_channels', rename(channelAt(demo, 0).id, 'Renamed'));
    const page = await enterPage(await browser.opened());
    const [change] = await page.waiting();
    if (change !== undefined) await page.decide(change, 'decline', 'not the third one');
    const { data, text } = await call;
    expect(writesOf(demo)).toEqual([]);
    expect(data?.status).toBe('declined');
    expect(text).toContain('In their words: "not the third one"');
  });
});

test('a call whose budget ends leaves the change on the page, and get_change waits for the press', async () => {
  const { demo, client, browser } = await startWithPage({ env: { VIDEO_HOSTING_CALL_BUDGET_MS: '1000' } });
  const { id } = channelAt(demo, 0);
  const asked = await client.callTool('update_channels', rename(id, 'Renamed'));
  expect(writesOf(demo)).toEqual([]);
  expect(asked.data?.status).toBe('waiting');
  const changeId = changeIdIn(asked);
  expect((await client.callTool('list_changes', { status: 'waiting' })).data).toMatchObject({ changes: [{ changeId, status: 'waiting' }] });
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ changeId, status: 'waiting' });
  const page = await enterPage(await browser.opened());
  const waits = client.callTool('get_change', { changeId, waitSeconds: 30 });
  const [change] = await page.waiting();
  if (change !== undefined) await page.decide(change, 'apply', 'thanks');
  expect(channelAt(demo, 0).name).toBe('Renamed');
  expect((await waits).data).toMatchObject({ changeId, status: 'applied', userNote: 'thanks' });
});

test('40 channels are one page and one press', async () => {
  const { demo, client, browser } = await startWithPage({ channels: 40 });
  const changes = [...demo.world.channels.values()].map(({ id, videoKeys }) => ({ channel: id, setVideoKeys: videoKeys.toReversed() }));
  const wanted = new Map(changes.map(({ channel, setVideoKeys }) => [channel, setVideoKeys]));
  const call = client.callTool('update_channels', { changes });
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  if (change !== undefined) await page.decide(change, 'apply');
  await call;
  for (const [id, keys] of wanted) expect(contentOf(demo, id).videoKeys).toEqual(keys);
  expect(browser.addresses()).toHaveLength(1);
});
