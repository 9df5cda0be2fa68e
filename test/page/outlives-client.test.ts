/** What waits on the approval page is on disk: it can be decided on after its client has ended, and from elsewhere before. */
import { expect, test, vi } from 'vitest';
import { whatWaits } from '../../src/app/what-waits.ts';
import { resultText, waitingText } from '../../src/changes/tell/terminal.ts';
import { personOf } from '../changes/proposals/harness.ts';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { recordsIn } from '../harness/client.ts';
import { NO_BROWSER, settingsFor } from '../harness/service.ts';
import { type Session, start } from '../harness/start.ts';
import { asked, rename, startWithPage, waitingRename } from './support.ts';

const { signal } = new AbortController();
const NO_MATTER = { timeout: 300_000 };

/** A person’s own terminal, with the data folder of a server. */
const personBeside = ({ demo, home, dataDir }: Pick<Session, 'demo' | 'home' | 'dataDir'>) =>
  personOf({ ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir });

async function waitsAt(person: Awaited<ReturnType<typeof personOf>>, changeId: string) {
  const change = await person.decisions.get(changeId);
  if (change === undefined) throw new Error(`${changeId} does not wait.`);
  return change;
}

test('whoever closes the client finds what waits, and applies it', async () => {
  const session = await waitingRename();
  const { changeId } = session.change;
  await session.stop();
  expect(writesOf(session.demo)).toEqual([]);
  const person = await personBeside(session);
  const { waiting } = await whatWaits(person);
  expect(waiting.map((change) => change.changeId)).toEqual([changeId]);
  const change = await waitsAt(person, changeId);
  expect(waitingText(change)).toMatch(/asked through test-client on .* expires on /);
  expect(change.expiresAt - change.at).toBe(30 * 60_000);
  await person.decisions.approve(await person.decisions.preview(change, signal), 'terminal', signal);
  await person.jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  expect(channelAt(session.demo, 0).name).toBe('Renamed');
  const { client } = await start({ demo: session.demo, home: session.home });
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({
    status: 'applied',
    asked: expect.stringContaining('Asked through test-client'),
    confirmed: expect.stringContaining('A person agreed at a terminal'),
  });
  expect((await whatWaits(person)).waiting).toEqual([]);
});

test('a client that is started later reads what waits, and nobody is asked twice', async () => {
  const first = await waitingRename();
  await first.stop();
  const session = await startWithPage({ demo: first.demo, home: first.home });
  const listed = recordsIn((await session.client.callTool('list_changes', { status: 'waiting' })).data, 'changes');
  expect(listed).toMatchObject([{ changeId: first.change.changeId, status: 'waiting' }]);
  const { data } = await session.client.callTool('get_change', { changeId: first.change.changeId });
  expect(data).toMatchObject({ status: 'waiting', message: expect.stringContaining('The client in which it was asked for has ended') });
  // The same, asked for anew, takes its place.
  const again = await asked(session, 'update_channels', rename(channelAt(first.demo, 0)));
  expect((await again.page.changes()).changes.filter(({ status }) => status === 'waiting').map(({ changeId }) => changeId)).toEqual([
    again.change.changeId,
  ]);
  await again.page.decide(again.change, 'apply');
  expect((await again.call).data).toMatchObject({ status: 'applied' });
  expect(writesOf(first.demo)).toHaveLength(1);
  expect((await whatWaits(await personBeside(session))).waiting).toEqual([]);
});

test('a call that is given up withdraws what it asked for, wherever it waits', async () => {
  const session = await startWithPage();
  const giveUp = new AbortController();
  const { change, page } = await asked(session, 'update_channels', rename(channelAt(session.demo, 0)), giveUp.signal);
  const person = await personBeside(session);
  expect(await waitsAt(person, change.changeId)).toMatchObject({ status: 'waiting' });
  giveUp.abort();
  await vi.waitFor(async () => expect(await waitsAt(person, change.changeId)).toMatchObject({ status: 'withdrawn' }), NO_MATTER);
  expect((await page.change(change.changeId)).status).toBe('withdrawn');
  await session.stop();
  expect((await whatWaits(person)).waiting).toEqual([]);
  expect(writesOf(session.demo)).toEqual([]);
});

test('what is applied on the page waits nowhere, and is listed once', async () => {
  const session = await waitingRename();
  const person = await personBeside(session);
  expect(recordsIn((await session.client.callTool('list_changes')).data, 'changes')).toHaveLength(1);
  await session.page.decide(session.change, 'apply');
  expect((await session.call).data).toMatchObject({ status: 'applied', confirmed: 'The user agreed on the approval page.' });
  expect((await whatWaits(person)).waiting).toEqual([]);
  await expect(
    person.decisions.approve(await person.decisions.preview(await waitsAt(person, session.change.changeId), signal), 'terminal', signal),
  ).rejects.toMatchObject({ code: 'not_approved' });
  expect(writesOf(session.demo)).toHaveLength(1);
  expect(recordsIn((await session.client.callTool('list_changes')).data, 'changes')).toHaveLength(1);
});

test('what is declined on the page is declined for everybody, in the person’s words', async () => {
  const session = await waitingRename();
  const { changeId } = session.change;
  await session.page.decide(session.change, 'decline', 'not this one');
  await session.call;
  const person = await personBeside(session);
  await vi.waitFor(
    async () => expect(await waitsAt(person, changeId)).toMatchObject({ status: 'declined', note: 'not this one' }),
    NO_MATTER,
  );
  expect(await resultText(await waitsAt(person, changeId), person.journal)).toContain('It was declined');
});

test.each(['approve', 'decline'] as const)(
  'while its client runs, somebody decides at a terminal (%s), and the call is answered',
  async (how) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const session = await waitingRename();
      const { changeId } = session.change;
      const person = await personBeside(session);
      const change = await waitsAt(person, changeId);
      if (how === 'approve') {
        await person.decisions.approve(await person.decisions.preview(change, signal), 'terminal', signal);
        await person.jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
      } else await person.decisions.decline(changeId, 'not now', change);
      // The server looks from time to time.
      await vi.advanceTimersByTimeAsync(10_000);
      const { data } = await session.call;
      expect(writesOf(session.demo)).toHaveLength(how === 'approve' ? 1 : 0);
      if (how === 'approve') expect(data).toMatchObject({ status: 'applied', changeId, confirmed: 'A person agreed at a terminal.' });
      else expect(data).toMatchObject({ status: 'declined', message: expect.stringContaining('"not now"') });
    } finally {
      vi.useRealTimers();
    }
  },
);

test('what the user asked for on the page outlives the client too, and no assistant withdraws it', async () => {
  const session = await waitingRename();
  await session.page.decide(session.change, 'apply');
  const { changeId } = (await session.call).data ?? {};
  const undo: { readonly changeId: string } = JSON.parse((await session.page.post(`api/changes/${changeId}/undo`)).text);
  await session.stop();
  const { client } = await start({ demo: session.demo, home: session.home });
  const refused = await client.callTool('stop_change', { changeId: undo.changeId });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('only they can cancel it') });
  const person = await personBeside(session);
  expect(await waitsAt(person, undo.changeId)).toMatchObject({ status: 'waiting', isOwn: true });
  await person.decisions.approve(await person.decisions.preview(await waitsAt(person, undo.changeId), signal), 'page', signal);
  await person.jobs.get(undo.changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  expect(channelAt(session.demo, 0).name).not.toBe('Renamed');
});

test('nobody decided in half an hour: it expired, which is no refusal', async () => {
  const session = await waitingRename();
  const { changeId } = session.change;
  await session.stop();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(Date.now() + 31 * 60_000);
    const { client } = await start({ demo: session.demo, home: session.home });
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({
      status: 'expired',
      message: expect.stringContaining('Nobody answered on the approval page in half an hour.'),
    });
  } finally {
    vi.useRealTimers();
  }
});
