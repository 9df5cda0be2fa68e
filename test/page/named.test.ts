/** People read names and words on the page where the account has keys, numbers and ids of changes. */
import { expect, test } from 'vitest';
import { changeIdIn } from '../changes/support/confirm.ts';
import { channelAt } from '../changes/support/world.ts';
import { enterPage } from '../harness/page.ts';
import { start } from '../harness/start.ts';
import { asked, rename, startWithPage } from './support.ts';

test('a template is shown by its name and its key, before a change and after it', async () => {
  const { demo, client, browser } = await startWithPage();
  const channel = channelAt(demo, 0);
  const [template] = [...demo.world.templates.values()].filter(({ status }) => status === 1);
  const label = `${JSON.stringify(template?.name)} (${template?.key}`;
  const changes = rename(channel).changes.map(({ name: _, ...change }) => ({ ...change, template: template?.key }));
  const { call, page, change } = await asked({ client, browser }, 'update_channels', { changes });
  const shown = [{ fields: [{ name: 'Template', before: 'default', after: expect.stringContaining(label) }] }];
  expect(change.records).toMatchObject(shown);
  // As changes that are carried on are.
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  expect((await page.decide(change, 'apply')).change.records).toMatchObject(shown);
  await call;
  const resumed = client.callTool('resume_change', { changeId: change.changeId });
  const again = await page.firstWaiting();
  expect(again.records).toMatchObject(shown);
  await page.decide(again, 'decline');
  await resumed;
  const created = client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: [], template: template?.key }] });
  const creation = await page.firstWaiting();
  expect(creation.records[0]?.fields).toContainEqual({ name: 'Template', after: expect.stringContaining(label) });
  await page.decide(creation, 'decline');
  await created;
});

test('the plan type of a new project is shown by its name', async () => {
  const { client, browser } = await startWithPage();
  const { call, page, change } = await asked({ client, browser }, 'create_project', { name: 'New', region: 'use-s', planType: 'edge' });
  expect(change.records[0]?.fields).toContainEqual({ name: 'Plan type', after: 'edge' });
  await page.decide(change, 'decline');
  await call;
});

test('what is undone or carried on is told without the id of a change, before it and after it', async () => {
  const { demo, client, browser, home } = await startWithPage();
  const [one, two] = [channelAt(demo, 0), channelAt(demo, 1)];
  const never = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  demo.faults.always({ match: { method: 'PUT' }, skip: 1, do: { kind: 'status', code: 401 } });
  const changes = [...rename(one, 'One').changes, ...rename(two, 'Two').changes];
  const changeId = changeIdIn(await never.client.callTool('update_channels', { changes }));
  demo.faults.clear();
  const rest = client.callTool('resume_change', { changeId });
  const page = await enterPage(await browser.opened());
  const waiting = await page.firstWaiting();
  expect(waiting.summary).toMatch(/^Carry on: Change 2 channels, of [\d-]+ [\d:]+ UTC \(1 of 2 done, 1 channel to be sent\): /);
  // What its button does, and what a no leaves.
  expect(waiting).toMatchObject({ actionLabel: 'Carry on: Change 1 channel', declining: expect.stringMatching(/^leaves it as it is: /) });
  await page.decide(waiting, 'apply');
  await rest;
  const undo = client.callTool('undo_change', { changeId, only: ['name'] });
  const undoing = await page.firstWaiting();
  expect(undoing.summary).toMatch(/^Undo \(name\): set 2 channels back: /);
  expect(undoing).toMatchObject({ actionLabel: 'Set 2 channels back', declining: 'leaves all as it is: nothing is set back.' });
  // The assistant, which knows changes by their ids, reads the id.
  expect((await client.callTool('get_change', { changeId: String(undoing.changeId) })).text).toContain(`Undo name of ${changeId}`);
  expect((await page.decide(undoing, 'apply')).change.summary).toBe(undoing.summary);
  await undo;
  expect((await page.changes()).changes.map(({ summary }) => summary).join()).not.toContain(changeId);
});

test('what was asked for to carry a change on and declined says so, and what the person wrote', async () => {
  const { demo, client, browser, home } = await startWithPage();
  const never = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  const changeId = changeIdIn(await never.client.callTool('update_channels', rename(channelAt(demo, 0))));
  const call = client.callTool('resume_change', { changeId });
  const page = await enterPage(await browser.opened());
  const waiting = await page.firstWaiting();
  expect((await page.change(changeId)).notes[0]).toBe(`It is asked for as ${waiting.changeId} to carry it on, which waits for a decision.`);
  const { change } = await page.decide(waiting, 'decline', 'not now');
  await call;
  expect(change).toMatchObject({
    changeId: waiting.changeId,
    outcome: expect.stringMatching(/^It was declined on the approval page on .* UTC, and the assistant is told so\. Nothing was sent\.$/),
    notes: ['Your note: "not now"'],
  });
  expect((await page.change(changeId)).notes.join()).not.toContain('to carry it on');
});
