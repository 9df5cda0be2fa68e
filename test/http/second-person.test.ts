/** Who may decide on a change of a server for several people, which changes need somebody else than who asked, and who is named afterwards. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.ts';
import type { Decider } from '../../src/changes/proposals/second-person.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { serveHttp } from '../../src/http/serve-http.ts';
import { addPerson, type WithSecrets } from '../../src/people/change-people.ts';
import type { Role } from '../../src/people/roles.ts';
import { idsIn, manyVideos } from '../changes/kinds/videos/harness.ts';
import { fileOf, moveRule, savedNow, writeApprovals } from '../changes/standing/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles, linesOf } from '../changes/support/journal-files.ts';
import { atEnd, freshHome } from '../harness/cleanup.ts';
import { recordsIn } from '../harness/client.ts';
import { startHttp } from '../harness/http.ts';
import { runInProcess } from '../harness/run-command.ts';
import { settingsFor, startService } from '../harness/service.ts';

const RULE = { VIDEO_HOSTING_SECOND_PERSON: 'move_videos>2' };

/** Bob’s and Ann’s assistants ask for moves, and the page’s process, which has the same folder, decides. */
async function team(env: Record<string, string> = RULE) {
  const account = await manyVideos(10);
  const { demo, ids, archive, elsewhere } = account;
  const session = await startHttp({ demo, env });
  const { home, dataDir } = session;
  const settings = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, ...env };
  const workspace = await openWorkspace({ config: parseConfig([], settings), version: '0.0.0-test', log: () => undefined });
  atEnd(() => workspace.close());
  const { decisions } = workspace;
  const never = new AbortController().signal;
  const get = async (changeId: string) => {
    const change = await decisions.get(changeId);
    if (change === undefined) throw new Error(`${changeId} does not wait.`);
    return change;
  };
  return {
    ...{ ...session, account, decisions, workspace, auditEnv: { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir } },
    moved: () => idsIn(demo, archive).length,
    /** What waits is on disk once the call is answered. */
    async move(who: WithSecrets, count: number, from = 0) {
      const client = await session.connect(who);
      const videoIds = ids.slice(from, from + count);
      return client.callTool('move_videos', { videoIds, targetProject: archive, fromProject: elsewhere });
    },
    apply: async (changeId: string, by?: Decider, note?: string) =>
      decisions.approve(await decisions.preview(await get(changeId), never), 'page', never, note, by),
    decline: async (changeId: string, by: Decider, note = '') => decisions.decline(changeId, note, await get(changeId), 'page', by),
    async ended(changeId: string) {
      await workspace.jobs.get(changeId)?.wait({ until: Date.now() + 60_000, signal: never, by: 'terminal', progress: () => undefined });
      return workspace.journal.read(changeId);
    },
  };
}

test('what needs a second person is applied by nobody who asked for it, and waits on for somebody else', async () => {
  const { people, move, apply, moved, ended, connect, dataDir } = await team();
  const asked = await move(people.ann, 3);
  expect(asked.data?.status).toBe('waiting');
  const changeId = changeIdIn(asked);
  await expect(apply(changeId, people.ann.person)).rejects.toMatchObject({
    code: 'not_approved',
    message:
      'Here, a move of videos needs a second person where it is of more than 2 videos: ann asked for it, so somebody else has to apply it.',
  });
  expect([moved(), changeFiles(dataDir)]).toEqual([0, []]);
  expect(await apply(changeId, people.dan.person, 'as agreed')).toBe('started');
  expect((await ended(changeId))?.status).toBe('applied');
  expect(moved()).toBe(3);
  const [file = ''] = changeFiles(dataDir);
  expect(linesOf(file)[0]).toMatchObject({
    asked: { by: { id: people.ann.person.id, name: 'ann' }, client: 'test-client' },
    decided: { by: { id: people.dan.person.id, name: 'dan' }, how: 'page', note: 'as agreed' },
    shown: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const client = await connect(people.bob);
  const told = await client.callTool('get_change', { changeId });
  expect(told.data?.confirmed).toMatch(/^dan approved on the approval page what ann’s assistant \(test-client\) asked for on /);
  const [listed] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  expect(listed).toMatchObject({ asked: 'by ann through test-client', confirmedBy: 'page', decidedBy: 'dan' });
});

test('what is smaller can be applied by who asked for it, where they have the role', async () => {
  const { people, move, apply, moved, ended } = await team();
  const own = changeIdIn(await move(people.ann, 2));
  expect(await apply(own, people.ann.person)).toBe('started');
  await ended(own);
  expect(moved()).toBe(2);
  const other = changeIdIn(await move(people.bob, 2, 5));
  for (const one of [people.bob, people.eve])
    await expect(apply(other, one.person)).rejects.toMatchObject({
      code: 'not_approved',
      message: expect.stringContaining('Only somebody who may approve'),
    });
  await expect(apply(other, people.eve.person)).rejects.toThrow('and eve may only read.');
  expect(moved()).toBe(2);
});

test('who may not approve can’t decline, and whoever asked may withdraw', async () => {
  const { people, move, decline, decisions, auditEnv } = await team();
  const changeId = changeIdIn(await move(people.bob, 3));
  await expect(decline(changeId, people.eve.person)).rejects.toThrow('Only somebody who may approve');
  expect((await decisions.get(changeId))?.status).toBe('waiting');
  await decline(changeId, people.bob.person);
  expect(await decisions.get(changeId)).toMatchObject({ status: 'withdrawn' });
  const other = changeIdIn(await move(people.bob, 4));
  await decline(other, people.dan.person, 'not now');
  expect(await decisions.get(other)).toMatchObject({ status: 'declined', decided: { by: { name: 'dan' }, how: 'page' }, note: 'not now' });
  // It is recorded for good, without the words.
  const audit = () => runInProcess(['audit', '--json'], auditEnv);
  await expect.poll(async () => (await audit()).stdout).toContain('"status":"declined"');
  const [withdrawn, entry] = (await audit()).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(withdrawn).toMatchObject({ change: changeId, status: 'withdrawn', asked: { by: { name: 'bob' } } });
  expect(entry).toMatchObject({
    ...{ change: other, kind: 'move_videos', status: 'declined', outcome: { total: 4, done: 0, notDone: 4 } },
    ...{ asked: { by: { name: 'bob' } }, decided: { by: { name: 'dan' }, how: 'page' }, shown: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(JSON.stringify(entry)).not.toContain('not now');
  expect(await runInProcess(['audit', 'verify'], auditEnv)).toMatchObject({ code: 0 });
});

test('a person who was removed and added again under the same name is somebody else', async () => {
  const { people, move, apply } = await team();
  const changeId = changeIdIn(await move(people.ann, 3));
  expect(await apply(changeId, { ...people.ann.person, id: 'person-other' })).toBe('started');
});

test('where nobody knows who decides, as at a terminal, nothing that needs a second person is applied', async () => {
  const { people, move, apply, moved, decisions } = await team();
  const changeId = changeIdIn(await move(people.ann, 3));
  await expect(apply(changeId)).rejects.toThrow('who decides is not known here: somebody else than ann has to apply it');
  expect([moved(), (await decisions.get(changeId))?.status]).toEqual([0, 'waiting']);
});

test('what was asked for under a rule keeps to it in a process that does not know it', async () => {
  const { people, move, moved, auditEnv } = await team();
  const changeId = changeIdIn(await move(people.ann, 3));
  const beside = await openWorkspace({ config: parseConfig([], auditEnv), version: '0.0.0-test', log: () => undefined });
  atEnd(() => beside.close());
  const never = new AbortController().signal;
  const change = await beside.decisions.get(changeId);
  if (change === undefined) throw new Error('It does not wait there.');
  const shown = await beside.decisions.preview(change, never);
  for (const by of [undefined, people.ann.person])
    await expect(beside.decisions.approve(shown, 'terminal', never, '', by)).rejects.toThrow(
      'a move of videos needs a second person where it is of more than 2 videos',
    );
  expect([moved(), (await beside.decisions.get(changeId))?.status]).toEqual([0, 'waiting']);
});

test('an undo counts as what it does', async () => {
  const { people, move, apply, ended, connect, moved } = await team();
  const changeId = changeIdIn(await move(people.ann, 3));
  await apply(changeId, people.dan.person);
  await ended(changeId);
  const undo = await (await connect(people.ann)).callTool('undo_change', { changeId });
  const undoId = changeIdIn(undo);
  await expect(apply(undoId, people.ann.person)).rejects.toThrow(
    'a move of videos needs a second person where it is of more than 2 videos',
  );
  expect(moved()).toBe(3);
  expect(await apply(undoId, people.dan.person)).toBe('started');
  await ended(undoId);
  expect(moved()).toBe(0);
});

test('a standing approval for the person’s name is a second person’s word', async () => {
  const account = await manyVideos(10);
  const path = writeApprovals(fileOf([moveRule(account)], { for: 'ann' }));
  const session = await startHttp({ demo: account.demo, env: { ...RULE, VIDEO_HOSTING_STANDING_APPROVALS: path } });
  savedNow(path);
  const call = async (who: WithSecrets) =>
    (await session.connect(who)).callTool('move_videos', {
      videoIds: account.ids.slice(0, 3),
      targetProject: account.archive,
      fromProject: account.elsewhere,
    });
  expect((await call(session.people.bob)).data?.status).toBe('waiting');
  expect((await call(session.people.ann)).data?.status).toBe('applied');
  expect(idsIn(account.demo, account.archive)).toHaveLength(3);
});

test('always is refused at the start where fewer than two may approve, with how to add a second', async () => {
  const demo = await startService();
  const home = freshHome();
  const file = join(home, 'people.json');
  const env = { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data'), VIDEO_HOSTING_PEOPLE: file };
  const started = (rule: string) => {
    const ended = new AbortController();
    const config = parseConfig(['serve', '--http'], {
      ...env,
      VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0',
      VIDEO_HOSTING_SECOND_PERSON: rule,
    });
    const onListening = () => ended.abort();
    return serveHttp({
      config,
      version: '0.0.0-test',
      log: () => undefined,
      logRequest: () => undefined,
      signal: ended.signal,
      onListening,
    });
  };
  const add = (name: string, roles: readonly Role[]) => addPerson(file, name, roles, new AbortController().signal);
  await add('bob', ['read', 'propose']);
  await expect(started('always')).rejects.toMatchObject({
    code: 'settings_invalid',
    message:
      'VIDEO_HOSTING_SECOND_PERSON is always. Each change needs a second person, and nobody may approve, so some could be applied by nobody.',
  });
  await add('ann', ['read', 'approve']);
  await expect(started('always')).rejects.toThrow('and only ann may approve');
  await started('move_videos>10');
  await add('dan', ['read', 'approve']);
  await started('always');
});
