/** VIDEO_HOSTING_CONFIRM=wait: what is not covered waits on disk until a person decides, and the agent can’t. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { whatWaits } from '../../../src/app/what-waits.ts';
import type { ProposalPreview } from '../../../src/changes/proposals/decisions.ts';
import { NotificationSchema } from '../../../src/changes/standing/notify.ts';
import { fullText, questionOf, resultText, waitingText } from '../../../src/changes/tell/terminal.ts';
import { asSentence } from '../../../src/text/sentence.ts';
import type { Values } from '../../harness/client.ts';
import { homeWithFiles, start } from '../../harness/start.ts';
import { changesFolder, idsIn, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { fileOf, moveRule, writeApprovals } from '../standing/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { program } from '../support/program.ts';
import { channelAt, stateOf, writesOf } from '../support/world.ts';
import { approvedAndKilled, personOf, WAIT, waitingAgent } from './harness.ts';

const { signal } = new AbortController();
type Person = Awaited<ReturnType<typeof personOf>>;

const idIn = ({ data }: { readonly data?: Values | undefined }): string => String(data?.changeId);

async function previewOf({ decisions }: Person, changeId: string): Promise<ProposalPreview> {
  const change = await decisions.get(changeId);
  if (change === undefined) throw new Error(`${changeId} does not wait`);
  return decisions.preview(change, signal);
}

async function ended({ jobs, journal }: Person, changeId: string) {
  await jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  return journal.read(changeId);
}

test('nobody is asked: the change waits, says why and who decides, and the same call is the same change', async () => {
  const { move, demo, archive, client, home } = await waitingAgent();
  const asked = await move(4);
  expect([requestsOf(demo, MOVE), idsIn(demo, archive)]).toEqual([[], []]);
  expect(asked.data).toMatchObject({ status: 'waiting', changeId: expect.stringMatching(/^chg-/) });
  const text = String(asked.data?.message);
  expect(text).toMatch(/^NOT DONE YET\. Move 4 videos/);
  expect(text).toContain('no standing approvals are set');
  expect(text).toContain('video-hosting-mcp waiting');
  expect(text).toContain('The same call again changes nothing until');
  const again = await move(4);
  expect(idIn(again)).toBe(idIn(asked));
  expect(again.data?.message).toContain('waits already');
  const [account = ''] = readdirSync(join(home, 'data', 'accounts'));
  expect(readdirSync(join(home, 'data', 'accounts', account, 'kept')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  expect((await client.callTool('list_changes', { status: 'waiting' })).data).toMatchObject({
    changes: [{ changeId: idIn(asked), status: 'waiting', of: 4 }],
  });
  expect((await client.callTool('get_change', { changeId: idIn(asked) })).data).toMatchObject({ status: 'waiting', kind: 'move_videos' });
});

test('one move is one waiting change, in whatever order its videos are named and however its project is; with one notice', async () => {
  const { path, told } = program('cat >> TOLD');
  const { home, folder, env } = homeWithFiles({ VIDEO_HOSTING_NOTIFY: path });
  const { move, demo, ids, archive, elsewhere, person } = await waitingAgent({ home, env });
  const changeId = idIn(await move(3));
  const [one = '', other = '', third = ''] = ids;
  const reversed = [third, other, one];
  const nameOf = (id: string) => demo.world.projects.get(id)?.name;
  writeFileSync(join(folder, 'list.csv'), ['id,fromProject', ...reversed.map((id) => `${id},${elsewhere}`)].join('\n'));
  const alike = [
    { videoIds: reversed },
    { targetProject: nameOf(archive), fromProject: nameOf(elsewhere) },
    { videoIds: undefined, videoIdsFile: join(folder, 'list.csv'), fromProject: undefined },
  ];
  for (const more of alike) expect(idIn(await move(3, more)), JSON.stringify(more)).toBe(changeId);
  // Another move: of other videos, from somewhere else, or into another project.
  for (const more of [{ videoIds: [one, other] }, { fromProject: undefined }, { targetProject: elsewhere, fromProject: archive }])
    expect(idIn(await move(3, more)), JSON.stringify(more)).not.toBe(changeId);
  expect((await (await personOf(person)).decisions.list()).proposals).toHaveLength(4);
  await vi.waitFor(() => expect(told()).toHaveLength(4), { timeout: 300_000 });
});

test('a move that waits goes into the project that was meant, whatever is called so by then', async () => {
  const { move, demo, archive, ids, person } = await waitingAgent();
  const target = demo.world.projects.get(archive);
  if (target === undefined) throw new Error('no project');
  const { name } = target;
  const changeId = idIn(await move(3, { targetProject: name }));
  Object.assign(target, { name: 'Something else' });
  const { id: other } = demo.world.addProject({ name });
  const one = await personOf(person);
  await one.decisions.approve(await previewOf(one, changeId), 'terminal', signal);
  await ended(one, changeId);
  const inProject = (project: string) => ids.filter((id) => demo.world.videos.get(id)?.projectId === project);
  expect([inProject(other), inProject(archive)]).toEqual([[], ids.slice(0, 3)]);
});

test('a change of a channel that waits is of that channel, whatever it is called by then', async () => {
  const { client, demo, person } = await waitingAgent();
  const channel = channelAt(demo, 0);
  const { id, name, videoKeys } = channel;
  const changes = [{ channel: name, description: 'New', currentVideoKeys: videoKeys, currentProjectKeys: [] }];
  const changeId = idIn(await client.callTool('update_channels', { changes }));
  demo.world.editChannel(id, { name: 'Something else' });
  const one = await personOf(person);
  const { conflicts } = await previewOf(one, changeId);
  expect(conflicts).toEqual([expect.stringContaining('was changed meanwhile')]);
});

test('what a person approves ends what else waits for the same, also where it was asked for otherwise', async () => {
  const { move, demo, ids, archive, elsewhere, home, client, person } = await waitingAgent();
  const weekly = await waitingAgent(
    { home, env: { VIDEO_HOSTING_AGENT: 'weekly' } },
    { demo, ids, archive, elsewhere, poisoned: new Set() },
  );
  const [mine, theirs] = [idIn(await move(3)), idIn(await weekly.move(3, { videoIds: ids.slice(0, 3).toReversed() }))];
  expect(theirs).not.toBe(mine);
  const one = await personOf(person);
  await one.decisions.approve(await previewOf(one, mine), 'terminal', signal);
  await ended(one, mine);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
  expect((await client.callTool('list_changes', { status: 'waiting' })).data?.changes).toEqual([]);
});

test('of the list of a channel the order counts: in another one it is another change', async () => {
  const { client, demo } = await waitingAgent();
  const { id, videoKeys } = channelAt(demo, 0);
  const set = (setVideoKeys: readonly string[], channel = id) =>
    client.callTool('update_channels', { changes: [{ channel, setVideoKeys, currentVideoKeys: videoKeys, currentProjectKeys: [] }] });
  const [one = '', other = ''] = [...demo.world.videos.values()].map(({ key }) => key);
  const changeId = idIn(await set([one, other]));
  expect(changeId).toMatch(/^chg-/);
  expect(idIn(await set([one, other], channelAt(demo, 0).name))).toBe(changeId);
  expect(idIn(await set([other, one]))).not.toBe(changeId);
});

test('a program is told that a change waits, with no file of standing approvals', async () => {
  const { path, told } = program('cat >> TOLD');
  const { move } = await waitingAgent({ env: { VIDEO_HOSTING_NOTIFY: path } });
  const { data } = await move(4);
  await move(4);
  await vi.waitFor(() => expect(told()).not.toEqual([]), { timeout: 300_000 });
  const [{ version, at, ...notification } = {}] = told();
  expect(NotificationSchema.parse(notification)).toMatchObject({ kind: 'waits', changeId: data?.changeId, askedBy: 'nightly' });
  expect(told()).toHaveLength(1);
});

test('a process that runs on tells that a change expires within a day, though nobody looks at it', async () => {
  const { path, told } = program('cat >> TOLD');
  const { move, person } = await waitingAgent();
  const { data } = await move(4);
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    await personOf({ ...person, VIDEO_HOSTING_NOTIFY: path });
    vi.setSystemTime(Date.now() + 6 * 86_400_000 + 1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    await vi.waitFor(() => expect(told()).toMatchObject([{ kind: 'expires', changeId: data?.changeId }]), { timeout: 300_000 });
  } finally {
    vi.useRealTimers();
  }
});

test('with standing approvals what is covered goes through, and the rest waits with the reason', async () => {
  const account = await waitingAgent();
  const path = writeApprovals(fileOf([moveRule({ ...account, poisoned: new Set() }, { perDay: 6 })]));
  const { move, demo, archive } = await waitingAgent(
    { env: { VIDEO_HOSTING_STANDING_APPROVALS: path } },
    { ...account, poisoned: new Set() },
  );
  expect((await move(4)).data?.status).toBe('applied');
  const over = await move(4, { videoIds: [...demo.world.videos.keys()].slice(4, 8) });
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(over.data).toMatchObject({ status: 'waiting' });
  expect(over.data?.message).toContain('2 over today’s 6 of test-approval (move_videos), which starts again at 00:00 UTC');
});

test('a person approves in a process of their own, after the agent’s server has ended, under the same id', async () => {
  const { move, demo, archive, person, stop, home } = await waitingAgent();
  const changeId = idIn(await move(4));
  await stop();
  const one = await personOf(person);
  const preview = await previewOf(one, changeId);
  expect(preview.conflicts).toEqual([]);
  expect(idsIn(demo, archive)).toEqual([]);
  expect(await one.decisions.approve(preview, 'terminal', signal, 'well spotted')).toBe('started');
  expect(await ended(one, changeId)).toMatchObject({ status: 'applied', intent: { decided: { how: 'terminal' } } });
  expect(idsIn(demo, archive)).toHaveLength(4);
  const { client } = await waitingAgent({ home }, { demo, ids: [], archive, elsewhere: '', poisoned: new Set() });
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({
    ...{ status: 'applied', changeId, moved: 4, userNote: 'well spotted' },
    confirmed: expect.stringMatching(/^A person agreed at a terminal on /),
  });
  expect((await client.callTool('list_changes')).data).toMatchObject({
    changes: [{ changeId, status: 'applied', confirmedBy: 'terminal' }],
  });
});

test('a plan that moved since it was asked for, or while it was shown, is shown anew and not carried out', async () => {
  const { client, demo, person } = await waitingAgent();
  const channel = channelAt(demo, 0);
  const changeId = idIn(
    await client.callTool('update_channels', {
      changes: [{ channel: channel.id, name: 'Summer', currentVideoKeys: channel.videoKeys, currentProjectKeys: [] }],
    }),
  );
  const moveOn = (name: string) => {
    channel.name = name;
    channel.version += 1;
  };
  moveOn('Renamed by a colleague');
  const one = await personOf(person);
  const preview = await previewOf(one, changeId);
  expect(preview.conflicts.join(' ')).toContain('Renamed by a colleague');
  moveOn('Renamed once more');
  const result = await one.decisions.approve(preview, 'terminal', signal);
  expect(writesOf(demo)).toEqual([]);
  expect(result).toMatchObject({ conflicts: [expect.stringContaining('Renamed once more')] });
  expect((await one.decisions.get(changeId))?.status).toBe('waiting');
  if (typeof result === 'string') throw new Error('It was not shown anew.');
  expect(await one.decisions.approve(result, 'terminal', signal)).toBe('started');
  expect(await ended(one, changeId)).toMatchObject({ status: 'applied' });
  expect(channel.name).toBe('Summer');
});

test('a move of which some were moved by another change since says so in numbers, and an undo leaves those', async () => {
  const account = await waitingAgent();
  const path = writeApprovals(fileOf([moveRule({ ...account, poisoned: new Set() }, { perDay: 2 })]));
  const { demo, archive, elsewhere, ids, move, person, client } = await waitingAgent(
    { env: { VIDEO_HOSTING_STANDING_APPROVALS: path } },
    { ...account, poisoned: new Set() },
  );
  const changeId = idIn(await move(5));
  const covered = await move(2);
  expect(covered.data?.status).toBe('applied');
  const one = await personOf(person);
  const preview = await previewOf(one, changeId);
  const told = `2 of these were moved into "Archive" (${archive}) by ${idIn(covered)} already; an undo of this leaves them there.`;
  expect(preview.conflicts).toEqual([told]);
  expect(preview.plan.preview.undo.how).not.toContain('Archive');
  expect(await one.decisions.approve(preview, 'terminal', signal)).toBe('started');
  expect(await ended(one, changeId)).toMatchObject({ status: 'applied' });
  expect(idsIn(demo, archive)).toHaveLength(5);
  const undo = idIn(await client.callTool('undo_change', { changeId }));
  const undone = await previewOf(one, undo);
  expect(undone.plan).toMatchObject({ total: 3 });
  await one.decisions.approve(undone, 'terminal', signal);
  await ended(one, undo);
  expect([idsIn(demo, archive), idsIn(demo, elsewhere).length]).toEqual([ids.slice(0, 2), 8]);
});

test('of two persons who approve at once one carries it out, and the other is told', async () => {
  const { move, demo, archive, person } = await waitingAgent();
  const changeId = idIn(await move(4));
  const [one, other] = [await personOf(person), await personOf(person)];
  const previews = [await previewOf(one, changeId), await previewOf(other, changeId)] as const;
  const results = await Promise.allSettled([
    one.decisions.approve(previews[0], 'terminal', signal),
    other.decisions.approve(previews[1], 'terminal', signal),
  ]);
  await Promise.all([ended(one, changeId), ended(other, changeId)]);
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not_approved' } });
});

test('a decline, with its words, and an expiry are told apart, and neither sends anything', async () => {
  const { move, demo, client, person } = await waitingAgent();
  const before = stateOf(demo);
  const [declined, expired] = [idIn(await move(4)), idIn(await move(2))];
  await (await personOf(person)).decisions.decline(declined, 'not the first one');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 });
  try {
    const answers = await Promise.all([declined, expired].map((changeId) => client.callTool('get_change', { changeId })));
    expect(answers.map(({ data }) => data?.status)).toEqual(['declined', 'expired']);
    expect(answers[0]?.data?.message).toMatch(/A person declined it at a terminal on .* UTC\. .*"not the first one"/);
    expect(answers[1]?.data?.message).not.toContain('declined');
    for (const [status, changeId] of [
      ['declined', declined],
      ['expired', expired],
    ])
      expect((await client.callTool('list_changes', { status })).data).toMatchObject({ changes: [{ changeId, status }] });
    expect((await client.callTool('list_changes')).data?.changes).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
  expect(stateOf(demo)).toBe(before);
});

test('what was approved in a process that was killed before it began waits again, and can be approved once more', async () => {
  const { move, demo, client, dataDir, person, ids, archive } = await waitingAgent();
  const changeId = idIn(await move(4));
  approvedAndKilled(dataDir, changeId);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'waiting' });
  expect((await client.callTool('list_changes', { status: 'waiting' })).data?.changes).toMatchObject([{ changeId }]);
  // The same call is the same change.
  expect(idIn(await move(4))).toBe(changeId);
  const [one, other] = [await personOf(person), await personOf(person)];
  const { waiting } = await whatWaits(one);
  expect(waiting.map(waitingText).join()).toMatch(/A person approved it on .*, and the process ended before it was begun/);
  const previews = [await previewOf(one, changeId), await previewOf(other, changeId)] as const;
  const results = await Promise.allSettled([
    one.decisions.approve(previews[0], 'terminal', signal),
    other.decisions.approve(previews[1], 'terminal', signal),
  ]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const workspace of [one, other]) await ended(workspace, changeId);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
  expect(idsIn(demo, archive)).toEqual(ids.slice(0, 4));
});

test('one that was killed after its intent was written, or that is being begun by a process that lives, does not wait again', async () => {
  const { move, dataDir, person, client } = await waitingAgent();
  const [begun, beginning] = [idIn(await move(4)), idIn(await move(3))];
  const one = await personOf(person);
  expect(await one.decisions.approve(await previewOf(one, begun), 'terminal', signal)).toBe('started');
  await ended(one, begun);
  for (const changeId of [begun, beginning]) approvedAndKilled(dataDir, changeId, changeId === begun ? undefined : {});
  expect((await client.callTool('get_change', { changeId: begun })).data?.status).toBe('applied');
  expect((await client.callTool('get_change', { changeId: beginning })).data).toMatchObject({
    ...{ status: 'running', message: expect.stringContaining('about to begin') },
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  try {
    // However long that takes: it may be halted.
    expect((await client.callTool('get_change', { changeId: beginning })).data).toMatchObject({ status: 'running' });
    expect((await whatWaits(one)).neverBegun).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
  await expect(one.decisions.decline(beginning, '')).rejects.toMatchObject({ code: 'not_approved' });
});

test('an agent withdraws what it asked for, not what another asked for, and approves nothing', async () => {
  const { move, demo, archive, client, home, ids, elsewhere } = await waitingAgent();
  const changeId = idIn(await move(4));
  const account = { demo, archive, ids, elsewhere, poisoned: new Set<string>() };
  const weekly = await waitingAgent({ home, env: { VIDEO_HOSTING_AGENT: 'weekly' } }, account);
  const refused = await weekly.client.callTool('stop_change', { changeId });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('Another agent')]);
  await expect(client.callTool('confirm_change', { changeId, confirmationToken: 't000000000000000000', summary: 'x' })).rejects.toThrow(
    'Unknown tool',
  );
  expect((await client.callTool('resume_change', { changeId })).isError).toBe(true);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect((await client.callTool('get_change', { changeId })).data?.status).toBe('waiting');
  expect((await client.callTool('stop_change', { changeId })).data).toMatchObject({ status: 'withdrawn' });
  expect((await client.callTool('get_change', { changeId })).data?.status).toBe('withdrawn');
});

test('what waits in one account is not there in another', async () => {
  const { move, home, client } = await waitingAgent();
  const changeId = idIn(await move(4));
  const other = await waitingAgent({ home });
  expect((await other.client.callTool('get_change', { changeId })).isError).toBe(true);
  expect((await other.client.callTool('list_changes')).data?.changes).toEqual([]);
  expect((await (await personOf(other.person)).decisions.list()).proposals).toEqual([]);
  expect((await client.callTool('list_changes')).data?.changes).toHaveLength(1);
});

test('every kind of change is planned again from what was kept, and what is personal does not wait', async () => {
  const { client, demo, person, move, archive, ids } = await waitingAgent({ env: { VIDEO_HOSTING_PERSONAL_DATA: 'allowed' } });
  const channel = channelAt(demo, 0);
  const stated = channelAt(demo, 1);
  const state = { channel: stated.id, videoKeys: [...stated.videoKeys], projectKeys: [] };
  const answers = [
    await move(3),
    await client.callTool('update_channels', {
      changes: [{ channel: channel.id, setVideoKeys: channel.videoKeys.slice(0, 1), currentProjectKeys: [] }],
    }),
    await client.callTool('create_channels', { channels: [{ name: 'New one', videoKeys: channel.videoKeys.slice(0, 2) }] }),
    await client.callTool('create_project', { name: 'New folder', region: 'use-s' }),
    await client.callTool('copy_cta', { sourceVideoId: ids[0], targetVideoIds: ids.slice(1, 3) }),
    await client.callTool('state_contents', { channels: [state] }),
  ];
  expect(answers.map(({ data }) => data?.status)).toEqual(answers.map(() => 'waiting'));
  expect(writesOf(demo)).toEqual([]);
  const one = await personOf(person);
  for (const answer of answers) {
    const preview = await previewOf(one, idIn(answer));
    expect(preview.conflicts, preview.plan.kind).toEqual([]);
    expect(await one.decisions.approve(preview, 'terminal', signal), preview.plan.kind).toBe('started');
    const record = await ended(one, idIn(answer));
    expect([asSentence(record?.status), record?.items[0]?.reason, record?.ended?.message], preview.plan.kind).toEqual([
      'applied',
      undefined,
      undefined,
    ]);
  }
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect(channel.videoKeys).toHaveLength(1);
  const undone = await client.callTool('undo_change', { changeId: idIn(answers[0] ?? {}) });
  const preview = await previewOf(one, idIn(undone));
  expect(await one.decisions.approve(preview, 'terminal', signal)).toBe('started');
  await ended(one, idIn(undone));
  expect(idsIn(demo, archive)).toEqual([]);
  const emails = await client.callTool('get_collected_emails', { showRecords: true });
  expect([emails.isError, emails.text]).toEqual([true, expect.stringContaining('Personal data')]);
  expect((await client.callTool('list_changes', { status: 'waiting' })).data?.changes).toEqual([]);
});

test('what an agent states is not told a person as theirs', async () => {
  const { client, demo, person } = await waitingAgent();
  const [one, other] = [channelAt(demo, 0), channelAt(demo, 1)];
  const stated = (videoKeys: readonly string[]) =>
    client.callTool('state_contents', { channels: [one, other].map(({ id }) => ({ channel: id, videoKeys, projectKeys: [] })) });
  const answers = [
    await stated(one.videoKeys.slice(0, 2)),
    await client.callTool('update_channels', { changes: [{ channel: one.id, name: 'New', currentVideoKeys: one.videoKeys }] }),
  ];
  const shown = await personOf(person);
  for (const [index, words] of ['as stated', 'What was listed goes back as it was listed'].entries()) {
    const text = fullText(await previewOf(shown, idIn(answers[index] ?? {})));
    expect(text).toContain(words);
    expect(text).not.toMatch(/\byou(?:rs?)?\b/i);
  }
  const [statement = {}] = answers;
  await shown.decisions.approve(await previewOf(shown, idIn(statement)), 'terminal', signal);
  expect((await ended(shown, idIn(statement)))?.status).toBe('applied');
  const { data } = await client.callTool('get_change', { changeId: idIn(statement) });
  expect(data?.message).toBe('What 2 channels hold was recorded, as stated. Nothing in the account was changed.');
});

const renameOf = (
  { client, demo }: Pick<Awaited<ReturnType<typeof waitingAgent>>, 'client' | 'demo'>,
  name: string,
  { index = 0, ...more }: { index?: number; description?: string } = {},
) => {
  const { id, videoKeys, projectKeys } = channelAt(demo, index);
  const lists = { currentVideoKeys: videoKeys, currentProjectKeys: projectKeys };
  return client.callTool('update_channels', { changes: [{ channel: id, name, ...more, ...lists }] });
};

test('what was approved is told with its id and how it is undone, and as what it became later', async () => {
  const agent = await waitingAgent();
  const channel = channelAt(agent.demo, 0);
  const was = channel.name;
  const changeId = idIn(await renameOf(agent, 'Summer'));
  const one = await personOf(agent.person);
  const told = async () => {
    const change = await one.decisions.get(changeId);
    return change === undefined ? '' : resultText(change, one.journal);
  };
  await one.decisions.approve(await previewOf(one, changeId), 'terminal', signal);
  await ended(one, changeId);
  expect(channel.name).toBe('Summer');
  expect(await told()).toMatch(new RegExp(`^${changeId}: "${was}" was changed`));
  expect(await told()).toContain('An undo works until others change it.');
  expect(await told()).toContain('To undo it: Undo on the page (video-hosting-mcp page), or ask your assistant.');
  const undone = idIn(await agent.client.callTool('undo_change', { changeId }));
  await one.decisions.approve(await previewOf(one, undone), 'terminal', signal);
  await ended(one, undone);
  expect(channel.name).toBe(was);
  expect(await told()).toContain(`It was undone by ${undone}.`);
  expect(await told()).not.toContain('To undo it');
});

test('what was begun by another call meanwhile waits no more, and nothing of it is sent again', async () => {
  const account = await waitingAgent();
  const covered = { ...account, poisoned: new Set<string>() };
  const changeId = idIn(await account.move(4));
  const path = writeApprovals(fileOf([moveRule(covered, { perDay: 6 })]));
  const { move, client } = await waitingAgent({ home: account.home, env: { VIDEO_HOSTING_STANDING_APPROVALS: path } }, covered);
  const begun = await move(4);
  expect([begun.data?.status, idsIn(account.demo, account.archive).length]).toEqual(['applied', 4]);
  const { data } = await client.callTool('get_change', { changeId });
  expect(data).toMatchObject({
    status: 'withdrawn',
    message: expect.stringMatching(new RegExp(`${idIn(begun)} began the same, so this one was withdrawn.*Nothing was sent for this one`)),
  });
  const one = await personOf(account.person);
  const change = await one.decisions.get(changeId);
  expect(change && (await resultText(change, one.journal))).toContain(
    `${idIn(begun)} began the same, so this one needs no decision. Nothing was sent for this one.`,
  );
  const preview = await previewOf(one, changeId);
  await expect(one.decisions.approve(preview, 'terminal', signal)).rejects.toMatchObject({ code: 'not_approved' });
  expect(requestsOf(account.demo, MOVE)).toHaveLength(1);
});

test('what a person declined and the agent asks for again waits again, and says when it was declined', async () => {
  const agent = await waitingAgent();
  const one = await personOf(agent.person);
  const first = idIn(await renameOf(agent, 'Summer'));
  await one.decisions.decline(first, 'not now');
  const declinedAt = (await one.decisions.get(first))?.decidedAt?.slice(0, 16).replace('T', ' ');
  const asked = await renameOf(agent, 'Summer');
  expect(asked.data?.status).toBe('waiting');
  expect(idIn(asked)).not.toBe(first);
  const words = `A person declined the same on ${declinedAt} UTC.`;
  const preview = await previewOf(one, idIn(asked));
  for (const text of [String(asked.data?.message), fullText(preview), waitingText(preview.change)]) expect(text).toContain(words);
  expect((await renameOf(agent, 'Winter')).text).not.toContain('declined');
});

test('what a person declined is covered by no standing approval while that is kept', async () => {
  const account = await manyVideos(10);
  const path = writeApprovals(fileOf([moveRule(account, { perDay: 3 })]));
  const { move, demo, ids, archive, person } = await waitingAgent({ env: { VIDEO_HOSTING_STANDING_APPROVALS: path } }, account);
  await move(1, { videoIds: ids.slice(9) });
  const { decisions } = await personOf(person);
  await decisions.decline(idIn(await move(3)), 'Not these three.');
  // The next day’s limit has room for them.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  try {
    const again = await move(3);
    expect(idsIn(demo, archive)).toEqual([ids[9]]);
    expect(again.data?.status).toBe('waiting');
    expect(again.text).toMatch(/A person declined the same on .* UTC, so no standing approval covers it\./);
    // Some of them are no other change.
    expect((await move(2)).data?.status).toBe('waiting');
    expect((await move(2, { videoIds: ids.slice(3, 5) })).data?.status).toBe('applied');
    expect(idsIn(demo, archive)).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

test('what covers it now for its agent is told in the place of why it was not covered when it was asked for', async () => {
  const account = await waitingAgent();
  const covered = { ...account, poisoned: new Set<string>() };
  const path = writeApprovals(fileOf([moveRule(covered, { perDay: 3 })]));
  const { move } = await waitingAgent({ home: account.home, env: { VIDEO_HOSTING_STANDING_APPROVALS: path } }, covered);
  const changeId = idIn(await move(4));
  const shown = async (person: Person) => fullText(await previewOf(person, changeId));
  const one = await personOf({ ...account.person, VIDEO_HOSTING_STANDING_APPROVALS: path });
  expect(await shown(one)).toContain('For nightly this would not be covered. 1 over today’s 3 of test-approval');
  writeApprovals(fileOf([moveRule(covered, { perDay: 4 })]), dirname(path));
  expect(await shown(one)).toContain('For nightly this would be covered by test-approval');
  // Where the person’s settings name no file.
  expect(await shown(await personOf(account.person))).toContain('When it was asked for: 1 over today’s 3 of test-approval');
});

test('what is so already can be declined, and not approved', async () => {
  const agent = await waitingAgent();
  const channel = channelAt(agent.demo, 0);
  const changeId = idIn(await renameOf(agent, 'Summer'));
  agent.demo.world.editChannel(channel.id, { name: 'Summer' });
  const one = await personOf(agent.person);
  const preview = await previewOf(one, changeId);
  expect(fullText(preview)).toContain('Nothing is left to be done.');
  await expect(one.decisions.approve(preview, 'terminal', signal)).rejects.toMatchObject({ code: 'not_approved' });
  expect(writesOf(agent.demo)).toEqual([]);
  expect((await one.decisions.get(changeId))?.status).toBe('waiting');
  await one.decisions.decline(changeId, '');
});

test('the number to type and each list count the channels that are sent, not those that an undo leaves alone', async () => {
  const agent = await waitingAgent();
  const { demo, client } = agent;
  const { client: own } = await start({ demo, home: agent.home, forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  const changes = [0, 1, 2].map((at) => {
    const { id, videoKeys, projectKeys } = channelAt(demo, at);
    return { channel: id, name: `Changed ${at}`, currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] };
  });
  const done = await own.callTool('update_channels', { changes });
  for (const at of [1, 2]) demo.world.editChannel(channelAt(demo, at).id, { description: 'By somebody else' });
  const changeId = idIn(await client.callTool('undo_change', { changeId: done.data?.changeId }));
  const one = await personOf(agent.person);
  const preview = await previewOf(one, changeId);
  const listedOf = async () =>
    ((await client.callTool('list_changes')).data?.changes as Values[] | undefined)?.find((change) => change.changeId === changeId);
  expect([questionOf(preview, 'approve').size, (await listedOf())?.of]).toEqual([1, 1]);
  const before = writesOf(demo).length;
  await one.decisions.approve(preview, 'terminal', signal);
  await one.jobs.get(changeId)?.wait({ until: Date.now() + 60_000, signal, progress: () => undefined });
  expect(writesOf(demo)).toHaveLength(before + 1);
  expect(await listedOf()).toMatchObject({ status: 'applied', done: 1, of: 1 });
});

test('what waits is listed the oldest first, with the new name of one channel where that is short', async () => {
  const agent = await waitingAgent();
  const channel = channelAt(agent.demo, 0);
  const other = channelAt(agent.demo, 1);
  const short = idIn(await renameOf(agent, 'Summer'));
  const long = idIn(await renameOf(agent, 'Summer', { index: 1, description: 'and more '.repeat(20) }));
  const changes = [channel, other].map(({ id, videoKeys, projectKeys }, index) => ({
    ...{ channel: id, name: `News ${index}`, currentVideoKeys: videoKeys, currentProjectKeys: projectKeys },
  }));
  const several = idIn(await agent.client.callTool('update_channels', { changes }));
  const { waiting } = await whatWaits(await personOf(agent.person));
  expect(waiting.map(({ changeId }) => changeId)).toEqual([short, long, several]);
  const [first, second, third] = waiting.map(waitingText);
  expect(first).toContain(`Change 1 channel: "${channel.name}" (name → "Summer").\n`);
  expect(second).toContain(`Change 1 channel: "${other.name}" (name, description).\n`);
  expect(third).toContain(`Change 2 channels: "${channel.name}" (name), "${other.name}" (name).\n`);
  const { data } = await agent.client.callTool('get_change', { changeId: several, page: 1 });
  expect(data?.preview).toMatchObject({ lines: [expect.stringContaining('"News 0"'), expect.stringContaining('"News 1"')] });
});

test('a change that was begun days after it was asked for is found as one that was begun then', async () => {
  const { client, demo, person, archive, elsewhere, ids, home } = await waitingAgent();
  const account = { demo, ids, archive, elsewhere, poisoned: new Set<string>() };
  const other = await waitingAgent({ home, env: { VIDEO_HOSTING_CONFIRM: 'never' } }, account);
  const channel = channelAt(demo, 0);
  const rename = (by: typeof client, name: string) => {
    const lists = { currentVideoKeys: channel.videoKeys, currentProjectKeys: channel.projectKeys };
    return by.callTool('update_channels', { changes: [{ channel: channel.id, name, ...lists }] });
  };
  const changeId = idIn(await rename(client, 'Second'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  try {
    const first = idIn(await rename(other.client, 'First'));
    const one = await personOf(person);
    expect(await one.decisions.approve(await previewOf(one, changeId), 'terminal', signal)).toBe('started');
    expect(await ended(one, changeId)).toMatchObject({ status: 'applied' });
    expect(channel.name).toBe('Second');
    expect(readdirSync(changesFolder({ dataDir: join(home, 'data') }))).toContain(`${changeId}.late`);
    const since: string[] = [];
    const begun = await one.journal.read(first);
    if (begun === undefined) throw new Error('The other change is gone.');
    for await (const { intent } of one.journal.eachSince(['update_channels'], begun.intent)) since.push(intent.changeId);
    expect(since).toEqual([changeId]);
  } finally {
    vi.useRealTimers();
  }
});

test('the assistant is told once, in the instructions and by check_setup, that nobody is asked', async () => {
  const { client } = await waitingAgent();
  expect(client.instructions).toContain('Nobody is asked now.');
  expect((await client.callTool('check_setup')).data?.confirmation).toBe(
    'kept on disk until a person decides, at a terminal (video-hosting-mcp waiting) or on the page (video-hosting-mcp page) (VIDEO_HOSTING_CONFIRM is wait).',
  );
  expect(WAIT.VIDEO_HOSTING_CONFIRM).toBe('wait');
});

test('what was kept where no one is asked is told as that in a server that asks, and not as a setting of that server', async () => {
  const agent = await waitingAgent();
  const kept = await agent.move(2);
  expect(kept.text).toContain('It was asked for where no one is asked, and no standing approvals are set there.');
  const changeId = changeIdIn(kept);
  await agent.stop();
  const asking = await start({ demo: agent.demo, home: agent.home, env: { VIDEO_HOSTING_CONFIRM: 'ask' } });
  const reply = await asking.client.callTool('get_change', { changeId });
  expect(reply.data?.status).toBe('waiting');
  expect(reply.text).toContain('It was asked for where no one is asked, and');
});
