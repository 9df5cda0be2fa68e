/** Changes that a person confirms on the approval page, in clients without forms. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changeIdIn } from '../changes/support/confirm.ts';
import { channelAt, contentOf, writesOf } from '../changes/support/world.ts';
import { ERAS } from '../harness/client.ts';
import { enterPage } from '../harness/page.ts';
import { freshHome } from '../harness/start.ts';
import { asked, rename, startWithPage } from './support.ts';

describe.each(ERAS)('%s', (kind) => {
  test('a change is applied when a person presses Apply on the page', async () => {
    const { demo, client, browser } = await startWithPage({ client: kind });
    const { id } = channelAt(demo, 0);
    const { call, page, change } = await asked({ client, browser }, 'update_channels', rename(channelAt(demo, 0), 'Renamed'));
    expect(writesOf(demo)).toEqual([]);
    expect(page.view).toBe(`#/changes/${change.changeId}`);
    const records = [{ id, fields: [{ name: 'Name', after: 'Renamed' }] }];
    expect(change).toMatchObject({ status: 'waiting', actionLabel: 'Change 1 channel', records });
    const decided = await page.decide(change, 'apply');
    expect(channelAt(demo, 0).name).toBe('Renamed');
    expect(decided).toMatchObject({
      status: 200,
      change: { status: 'applied', agreed: [{ words: 'Asked through test-client' }, { words: 'You agreed on the approval page' }] },
    });
    const { data } = await call;
    expect(data).toMatchObject({
      status: 'applied',
      changeId: change.changeId,
      confirmed: 'The user agreed on the approval page.',
    });
  });

  test('a person declines with a note, and the assistant receives it', async () => {
    const { demo, client, browser } = await startWithPage({ client: kind });
    const { call, page, change } = await asked({ client, browser }, 'update_channels', rename(channelAt(demo, 0), 'Renamed'));
    await page.decide(change, 'decline', 'not the third one');
    const { data, text } = await call;
    expect(writesOf(demo)).toEqual([]);
    expect(data?.status).toBe('declined');
    expect(text).toContain('In their words: "not the third one"');
  });
});

test('what the assistant states of a channel is on the page before the decision and after it, by title', async () => {
  const { demo, client, browser } = await startWithPage();
  const { id, videoKeys } = channelAt(demo, 0);
  const [held = '', ...others] = [...videoKeys];
  expect(others.length).toBeGreaterThan(1);
  const changes = [{ channel: id, name: 'Renamed', currentVideoKeys: [held], currentProjectKeys: [] }];
  const { call, page, change } = await asked({ client, browser }, 'update_channels', { changes });
  const stated = [
    { what: 'video', keys: [held], isChanged: false },
    { what: 'project', keys: [], isChanged: false },
  ];
  expect(change.records).toMatchObject([{ id, stated, fields: [{ name: 'Name', after: 'Renamed' }] }]);
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  const { change: over } = await page.decide(change, 'apply');
  expect(contentOf(demo, id).videoKeys).toEqual([held, ...others]);
  expect(over.records).toMatchObject([{ id, stated, outcome: 'not_done' }]);
  await call;
  // A change that is carried on shows it again.
  const resumed = client.callTool('resume_change', { changeId: change.changeId });
  const again = await page.firstWaiting();
  expect(again.records).toMatchObject([{ id, stated }]);
  await page.decide(again, 'decline');
  await resumed;
  // It is nobody's word, since it was not sent.
  expect((await client.callTool('get_channel', { channel: id })).data?.contents).toMatchObject({ known: false });
});

test('a change stays on the page after its call’s time budget, and get_change waits for the decision', async () => {
  // Long enough for the person to decide while get_change waits.
  const { demo, client, browser } = await startWithPage({ env: { VIDEO_HOSTING_CALL_BUDGET_MS: '5000' } });
  const asked = await client.callTool('update_channels', rename(channelAt(demo, 0), 'Renamed'));
  expect(writesOf(demo)).toEqual([]);
  expect(asked.data?.status).toBe('waiting');
  const changeId = changeIdIn(asked);
  expect((await client.callTool('list_changes', { status: 'waiting' })).data).toMatchObject({ changes: [{ changeId, status: 'waiting' }] });
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ changeId, status: 'waiting' });
  const page = await enterPage(await browser.opened());
  const waits = client.callTool('get_change', { changeId, waitSeconds: 30 });
  await page.decide(await page.firstWaiting(), 'apply', 'thanks');
  expect(channelAt(demo, 0).name).toBe('Renamed');
  expect((await waits).data).toMatchObject({ changeId, status: 'applied', userNote: 'thanks' });
});

test.each(ERAS)('%s: if a form is cancelled at once, the same call continues on the page', async (kind) => {
  const { demo, client, browser } = await startWithPage({ client: kind, forms: 'cancel' });
  const { call, page, change } = await asked({ client, browser }, 'update_channels', rename(channelAt(demo, 0)));
  expect(client.forms).toHaveLength(1);
  expect(writesOf(demo)).toEqual([]);
  await page.decide(change, 'apply');
  expect(channelAt(demo, 0).name).toBe('Renamed');
  expect((await call).data?.status).toBe('applied');
});

test.each(ERAS)('%s: if a form is declined at once, the next call asks on the page', async (kind) => {
  const { demo, client, browser } = await startWithPage({ client: kind, forms: 'decline' });
  const args = rename(channelAt(demo, 0));
  expect((await client.callTool('update_channels', args)).data?.status).toBe('declined');
  expect(browser.addresses()).toEqual([]);
  const call = client.callTool('update_channels', args);
  const page = await enterPage(await browser.opened());
  await page.decide(await page.firstWaiting(), 'apply');
  expect((await call).data?.status).toBe('applied');
});

test('an export and a statement wait on the page like a change', async () => {
  const files = freshHome();
  const { demo, client, browser } = await startWithPage({ shortCalls: true, env: { VIDEO_HOSTING_FILES_DIR: files } });
  const asked = await client.callTool('get_collected_emails', { exportAs: 'csv' });
  const changeId = changeIdIn(asked);
  expect(asked.data?.status).toBe('waiting');
  expect(readdirSync(files)).toEqual([]);
  const page = await enterPage(await browser.opened());
  const change = await page.firstWaiting();
  const [data, where] = change.notices;
  expect(change).toMatchObject({ actionLabel: 'Write the file' });
  expect([data, where]).toMatchObject([
    { text: 'This is personal data of viewers.' },
    { text: expect.stringMatching(/^Into the folder /) },
  ]);
  expect(JSON.stringify(change)).not.toContain('@');
  await page.decide(change, 'apply');
  expect(readdirSync(files)).toHaveLength(1);
  expect((await client.callTool('get_change', { changeId })).text).toContain(readdirSync(files)[0] ?? '?');
  const stated = await client.callTool('state_contents', { channels: [{ channel: channelAt(demo, 0).id, videoKeys: [] }] });
  expect(stated.data?.status).toBe('waiting');
});

test('a request to show personal records is withdrawn when its call ends', async () => {
  const { client, browser } = await startWithPage({ shortCalls: true, env: { VIDEO_HOSTING_PERSONAL_DATA: 'allowed' } });
  const asked = await client.callTool('get_collected_emails', { showRecords: true });
  expect(asked.data?.status).toBe('declined');
  const page = await enterPage(await browser.opened());
  expect((await page.changes()).changes).toEqual([expect.objectContaining({ status: 'withdrawn' })]);
});
