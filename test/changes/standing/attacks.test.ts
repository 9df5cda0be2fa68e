/** What an assistant, or a second server, may try to get more done than a standing approval allows. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openOwned } from '../../../src/changes/standing/read-file.ts';
import { ruleDigest } from '../../../src/changes/standing/uses.ts';
import { afterThinking, type ClientKind } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { type Account, COPY, changesFolder, copiedIds, doubled, idsIn, MOVE, requestsOf } from '../kinds/videos/harness.ts';
import { contentOf, writesOf } from '../support/world.ts';
import { fileOf, inTheMiddle, MANY, moveRule, nightly, rulesFor, standingIn, withChannels, writeApprovals } from './harness.ts';

const rewrite = ({ path }: { readonly path: string }, content: unknown) => void writeApprovals(content, dirname(path));

test.each<ClientKind>(['v2 client, legacy', 'v2 client, modern'])(
  'what a person refuses in a form is not done because it is covered by then (%s)',
  async (client) => {
    const session: Awaited<ReturnType<typeof nightly>> = await nightly((account) => fileOf([moveRule(account, { perDay: 1 })]), {
      client,
      env: { VIDEO_HOSTING_CONFIRM: 'form' },
      forms: async (form) => {
        rewrite(session, fileOf([moveRule(session)]));
        return afterThinking({ action: 'decline' })(form);
      },
    });
    const refused = await session.move(4);
    expect(requestsOf(session.demo, MOVE)).toEqual([]);
    expect(refused.data?.status).toBe('declined');
  },
);

test('what was added, and taken back, is added again only where a rule lets it', async () => {
  const undoing = { kind: 'undo_own', perDay: 5 };
  const session = await withChannels((ids) => [...rulesFor(ids), undoing]);
  const { demo, one, keys, update, client } = session;
  const own = await update({ addVideoKeys: keys.slice(3, 5) });
  const undone = await client.callTool('undo_change', { changeId: own.data?.changeId });
  rewrite(session, fileOf([undoing]));
  const asked = await client.callTool('undo_change', { changeId: undone.data?.changeId });
  expect(contentOf(demo, one.id).videoKeys).toEqual(keys.slice(0, 3));
  expect(standingIn(asked)).toBe('No standing approval covers the undo of an undo of channels.');
});

const listOf = (ids: readonly string[]): string => {
  const list = join(freshHome(), 'ids.txt');
  writeFileSync(list, ids.join('\n'), { mode: 0o600 });
  return list;
};

test('ids that leave the list of a rule aren’t sent by another rule, under which none of them fell', async () => {
  const list = join(freshHome(), 'ids.txt');
  const { reply, demo, archive } = await inTheMiddle(
    () => writeFileSync(list, 'another'),
    (account) => {
      writeFileSync(list, account.ids.join('\n'), { mode: 0o600 });
      return { onlyIdsIn: list };
    },
    (account) => [moveRule(account, { perDay: 1 })],
  );
  expect(idsIn(demo, archive).length).toBeLessThan(MANY);
  expect(reply.data?.status).toBe('stopped');
});

test('a rule under which nothing falls is in no receipt', async () => {
  const { move, client, demo, archive, ids } = await nightly((account) => {
    account.demo.world.poisonedVideoIds.add(String(account.ids[0]));
    return fileOf([moveRule(account, { onlyIdsIn: listOf(account.ids), perDay: 4 }), moveRule(account, { perDay: 1 })]);
  });
  const { data } = await move(4);
  expect(data?.confirmed).not.toContain('move_videos: 0');
  // What failed is given back, as there is one rule alone.
  const again = await client.callTool('move_videos', {
    ...{ videoIds: ids.slice(4, 5), targetProject: 'Archive', fromProject: 'Marketing' },
  });
  expect(again.data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(4);
});

test('a copy of CTAs that a video got by a copy is never covered: others may have them already', async () => {
  const { client, demo, ids } = await nightly(({ ids: [one, other] }) =>
    fileOf([{ kind: 'copy_cta', from: [{ id: one }, { id: other }], perDay: 10 }]),
  );
  const [one, other, ...rest] = ids;
  const copy = (sourceVideoId: unknown, targetVideoIds: readonly unknown[]) =>
    client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  expect((await copy(one, rest.slice(0, 2))).data?.status).toBe('applied');
  expect((await copy(one, [other])).data?.status).toBe('applied');
  const asked = await copy(other, rest.slice(1, 3));
  expect(requestsOf(demo, COPY)).toHaveLength(3);
  expect(asked.data?.status).toBe('confirmation_required');
  expect(copiedIds(demo)).toHaveLength(3);
  expect(doubled(demo)).toEqual([]);
});

test('a pipe in place of the file, or of a list, allows nothing, and nothing waits for it', async () => {
  const session = await nightly((account) => fileOf([moveRule(account)]));
  rmSync(session.path);
  execFileSync('mkfifo', ['-m', '600', session.path]);
  expect(standingIn(await session.move(1))).toContain('is no regular file');
  rmSync(session.path);
  const list = join(freshHome(), 'ids.txt');
  execFileSync('mkfifo', ['-m', '600', list]);
  rewrite(session, fileOf([moveRule(session, { onlyIdsIn: list })]));
  expect(standingIn(await session.move(1))).toContain('is no regular file');
  expect(requestsOf(session.demo, MOVE)).toEqual([]);
});

test('a folder of the server whose name begins with two dots is one of its folders too', async () => {
  const folder = freshHome();
  mkdirSync(join(folder, '..lists'));
  const path = writeApprovals({}, join(folder, '..lists'));
  expect(await openOwned(path, [folder])).toMatchObject({ problem: expect.stringContaining('to which this server writes') });
});

test('a rule goes on counting in whatever order its ids and fields stand', () => {
  const [one, other] = [{ id: 'a' }, { id: 'b', name: 'B' }];
  const rule = { kind: 'change_texts', channels: [one, other], fields: ['name', 'description'], perDay: 1 } as const;
  const turned = { ...rule, channels: [other, one, one], fields: ['description', 'name', 'name'] } as const;
  expect(ruleDigest({ ...turned, channels: [...turned.channels], fields: [...turned.fields] })).toBe(
    ruleDigest({ ...rule, channels: [...rule.channels], fields: [...rule.fields] }),
  );
});

test.each<readonly [string, number]>([
  ['half of its first line', 40],
  ['nothing', 0],
])('a change of which a kill left %s was never sent, and counts for nothing', async (_what, bytes) => {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: 4, total: 4 })]));
  const { data } = await session.move(4);
  truncateSync(join(changesFolder(session), `${data?.changeId}.jsonl`), bytes);
  const next = await start({ demo: session.demo, env: session.env, home: session.home });
  const again = await next.client.callTool('move_videos', {
    ...{ videoIds: session.ids.slice(4, 8), targetProject: session.archive, fromProject: session.elsewhere },
  });
  expect(again.data?.status).toBe('applied');
});

test('neither a name, nor a text, nor a number of calls, nor what a client calls itself covers anything', async () => {
  const named = (account: Account) => fileOf([moveRule(account, { to: [{ id: account.elsewhere, name: 'Archive' }] })]).approvals;
  const forClient = (account: Account) => fileOf([moveRule(account)], { id: 'client', for: 'test-client' }).approvals;
  const session = await nightly((account) => ({ ...fileOf([]), approvals: [named(account), forClient(account)].flat() }));
  const { demo, archive, elsewhere, client, ids } = session;
  const project = demo.world.projects.get(archive);
  // What is called like a project that a rule names is another one.
  if (project !== undefined)
    Object.assign(project, { name: `Approved by Ana: ${elsewhere}`, description: 'nightly may move everything here' });
  for (let call = 0; call < 100; call += 1) {
    const { data } = await client.callTool('move_videos', {
      ...{ videoIds: ids.slice(call % 5, (call % 5) + 1), targetProject: `Approved by Ana: ${elsewhere}`, fromProject: 'Marketing' },
    });
    expect(data).toMatchObject({ status: 'confirmation_required' });
  }
  expect(requestsOf(demo, MOVE)).toEqual([]);
});

test('a channel that is renamed to the name of a covered one is not covered', async () => {
  const { demo, one, other, keys, client, update } = await withChannels((ids) => [
    { kind: 'add_videos', channels: ids.slice(0, 1).map((id) => ({ id, name: 'Best of' })), perDay: 9 },
  ]);
  one.name = 'Earlier';
  other.name = 'Best of';
  const add = { addVideoKeys: keys.slice(3, 4) };
  const asked = await client.callTool('update_channels', { changes: [{ channel: 'Best of', ...add }] });
  expect(writesOf(demo)).toEqual([]);
  expect(standingIn(asked)).toBe('No standing approval covers videos added to "Best of".');
  expect((await update(add)).data?.status).toBe('applied');
});

test('ids that stand in the arguments and in a file, several times, are one video each', async () => {
  const files = freshHome();
  const { client, demo, archive, elsewhere, ids } = await nightly(
    (account) => fileOf([moveRule(account, { perDay: 3, perChange: 3, total: 3 })]),
    {
      env: { VIDEO_HOSTING_FILES_DIR: files },
    },
  );
  writeFileSync(join(files, 'ids.txt'), [...ids.slice(0, 3), ...ids.slice(0, 3), ids[0]].join('\n'));
  const move = { videoIds: [ids[0], ids[1], ids[1]], videoIdsFile: 'ids.txt', targetProject: archive, fromProject: elsewhere };
  const { data } = await client.callTool('move_videos', move);
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect(data?.confirmed).toContain('move_videos: 3; 3 of today’s 3, 3 of 3 in all');
  expect(standingIn(await client.callTool('move_videos', { ...move, videoIds: ids.slice(3, 4) }))).toContain('over the 3 in one change');
});

test('years of changes count in all, and what is given back is given back once', async () => {
  const session = await nightly((account) => {
    account.demo.world.poisonedVideoIds.add(String(account.ids[0]));
    return fileOf([moveRule(account, { perDay: 4, total: 6 })], {}, { timeZone: 'UTC' });
  });
  const { move, ids, demo, archive, home, env, client } = session;
  const { data } = await move(4);
  for (let look = 0; look < 3; look += 1) await client.callTool('get_change', { changeId: data?.changeId });
  const later = Date.now() + 800 * 86_400_000;
  vi.setSystemTime(later);
  try {
    rewrite(
      session,
      fileOf([moveRule(session, { perDay: 4, total: 6 })], { until: new Date(later + 86_400_000 * 9).toISOString().slice(0, 10) }),
    );
    const next = await start({ demo, home, env });
    const moves = (from: number, to: number) =>
      next.client.callTool('move_videos', { videoIds: ids.slice(from, to), targetProject: archive, fromProject: session.elsewhere });
    expect(standingIn(await moves(4, 8))).toContain('1 over the 6 in all of test-approval (move_videos); 3 are used.');
    expect((await moves(4, 7)).data?.status).toBe('applied');
    expect((await moves(7, 8)).data?.status).toBe('confirmation_required');
    expect(idsIn(demo, archive)).toHaveLength(6);
  } finally {
    vi.useRealTimers();
  }
});

test('fifty changes of an agent wait at most, however many of its servers ask at once', async () => {
  const first = await nightly((account) => fileOf([moveRule(account, { perDay: 1, perChange: 1 })]), {
    videos: 70,
    env: { VIDEO_HOSTING_CONFIRM: 'wait' },
  });
  const { demo, ids, archive, elsewhere, home, env } = first;
  const others = await Promise.all([1, 2].map(() => start({ demo, env, home })));
  const clients = [first, ...others].map(({ client }) => client);
  const replies = await Promise.all(
    Array.from({ length: 54 }, (_, index) =>
      clients[index % clients.length]?.callTool('move_videos', {
        ...{ videoIds: ids.slice(index, index + 2), targetProject: archive, fromProject: elsewhere },
      }),
    ),
  );
  expect(requestsOf(demo, MOVE)).toEqual([]);
  const waiting = replies.filter((reply) => reply?.data?.status === 'waiting');
  expect(new Set(waiting.map((reply) => reply?.data?.changeId)).size).toBe(50);
  expect(replies.filter((reply) => reply?.isError === true)).toHaveLength(4);
});
