/** What a person declined is covered by no standing approval, in whichever way it is asked for then. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangePlan } from '../../../src/changes/plan/plan.ts';
import { doesAll, doesSome, effectOf } from '../../../src/changes/proposals/declined-effect.ts';
import { sentence } from '../../../src/text/sentence.ts';
import type { ToolReply } from '../../harness/client.ts';
import { NO_BROWSER, settingsFor } from '../../harness/service.ts';
import { freshHome } from '../../harness/start.ts';
import { idsIn } from '../kinds/videos/harness.ts';
import { fileOf, moveRule, nightly, rulesFor, withChannels } from '../standing/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { everythingIn } from '../support/journal-files.ts';
import { contentOf, writesOf } from '../support/world.ts';
import { personOf } from './harness.ts';

const WAIT = { env: { VIDEO_HOSTING_CONFIRM: 'wait' } };
const SOME_DECLINED = /A person declined this, or some of it, on .* UTC, so no standing approval covers it\./;

type Session = Pick<Awaited<ReturnType<typeof nightly>>, 'demo' | 'home'>;
const personAt = ({ demo, home }: Session) =>
  personOf({ ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data') });

/** A person declines what waits. */
async function decline(session: Session, asked: ToolReply): Promise<void> {
  expect(asked.data?.status).toBe('waiting');
  await (await personAt(session)).decisions.decline(changeIdIn(asked), 'No.');
}

test('a move that was declined is not made once it names where its videos are', async () => {
  const session = await nightly((account) => fileOf([moveRule(account)]), WAIT);
  const { move, demo, archive, ids } = session;
  const asked = await move(4, { fromProject: undefined });
  expect(asked.text).toContain('it would be covered');
  await decline(session, asked);
  for (const again of [await move(4, { fromProject: undefined }), await move(4), await move(5)]) {
    expect(again.data?.status).toBe('waiting');
    expect(again.text).not.toContain('it would be covered');
    expect(again.text.match(/A person declined/g)).toHaveLength(1);
  }
  expect(idsIn(demo, archive)).toEqual([]);
  expect((await move(2, { videoIds: ids.slice(6, 8) })).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toEqual(ids.slice(6, 8));
});

test('nothing is covered of which only a newer version can tell whether it was declined', async () => {
  const session = await nightly((account) => fileOf([moveRule(account)]), WAIT);
  const { move, demo, archive, dataDir } = session;
  await decline(session, await move(4, { fromProject: undefined }));
  const [file = ''] = everythingIn(dataDir).filter((path) => /action-[^/]*\.json$/.test(path));
  const { effect: _, ...declined } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...declined, effect: { shares: ['v1'] } }));
  const again = await move(4);
  expect(again.text).toMatch(
    /What a person declined on .* UTC was written by a newer version of this program, so no standing approval covers/,
  );
  expect(idsIn(demo, archive)).toEqual([]);
});

test('nor once its file says where they are', async () => {
  const folder = freshHome();
  const env = { ...WAIT.env, VIDEO_HOSTING_FILES_DIR: folder };
  const session = await nightly((account) => fileOf([moveRule(account)]), { env });
  const { client, demo, archive, ids } = session;
  writeFileSync(join(folder, 'list.csv'), ['Video ID,Project', ...ids.map((id) => `${id},Marketing`)].join('\n'));
  const args = { videoIdsFile: 'list.csv', targetProject: archive };
  await decline(session, await client.callTool('move_videos', args));
  const again = await client.callTool('move_videos', { ...args, fromProjectColumn: 'Project' });
  expect(idsIn(demo, archive)).toEqual([]);
  expect(again.text).toMatch(SOME_DECLINED);
});

test('a move back that was declined is not made as an undo', async () => {
  const rulesOf = (backs: number) => (account: Parameters<typeof moveRule>[0]) =>
    fileOf([moveRule(account), moveRule(account, { to: [{ id: account.elsewhere }], perChange: backs }), { kind: 'undo_own', perDay: 5 }]);
  const session = await nightly(rulesOf(3), WAIT);
  const { move, client, demo, archive, elsewhere, ids, path } = session;
  const moved = await move(6);
  const back = { videoIds: ids.slice(0, 6), targetProject: elsewhere, fromProject: archive };
  await decline(session, await client.callTool('move_videos', back));
  writeFileSync(path, JSON.stringify(rulesOf(50)({ ...session, poisoned: new Set() })));
  const undone = await client.callTool('undo_change', { changeId: changeIdIn(moved) });
  expect(idsIn(demo, archive)).toHaveLength(6);
  expect(undone.text).toMatch(SOME_DECLINED);
});

test('a list that was declined is not set by another argument, nor is one of its videos added alone', async () => {
  const session = await withChannels(rulesFor, WAIT);
  const { update, keys, demo, one } = session;
  await decline(session, await update({ setVideoKeys: keys.slice(0, 5) }));
  for (const addVideoKeys of [keys.slice(3, 5), keys.slice(4, 5)]) {
    const again = await update({ addVideoKeys });
    expect(writesOf(demo)).toEqual([]);
    expect(again.text).toMatch(SOME_DECLINED);
  }
  expect((await update({ addVideoKeys: keys.slice(5, 6) })).data?.status).toBe('applied');
  expect(contentOf(demo, one.id).videoKeys).toEqual([...keys.slice(0, 3), keys[5]]);
});

test('what was declined counts no more once a person approved more than that', async () => {
  const session = await nightly((account) => fileOf([moveRule(account, { perChange: 3 })]), WAIT);
  const { move, demo, archive, ids, elsewhere, client } = session;
  await decline(session, await move(2, { fromProject: undefined }));
  const person = await personAt(session);
  const change = await person.decisions.get(changeIdIn(await move(4)));
  if (change === undefined) throw new Error('It does not wait.');
  const preview = await person.decisions.preview(change, new AbortController().signal);
  expect(await person.decisions.approve(preview, 'terminal', new AbortController().signal)).toBe('started');
  await expect.poll(() => idsIn(demo, archive)).toHaveLength(4);
  const back = { videoIds: ids.slice(0, 2), targetProject: elsewhere, fromProject: archive };
  const asked = await client.callTool('move_videos', back);
  expect(asked.data?.status).toBe('waiting');
  await expect.poll(async () => (await move(2)).text).not.toContain('declined');
});

/** A move of some ids into a project. */
function moveOf(ids: readonly string[], target = 'archive'): ChangePlan {
  const targetProjects = [{ id: target, label: sentence`Archive`, count: ids.length }];
  const undo = { possible: 'yes', how: sentence`Back.` } as const;
  return {
    ...{ kind: 'move_videos', facts: { move: { digest: ids.join(' '), targetProjects, fromProjects: [] } }, ids },
    preview: { summary: sentence`Move`, notices: [], undo, onFailure: sentence`` },
    apply: async () => undefined,
  };
}

test('of more videos than are kept, the project counts alone', () => {
  const many = Array.from({ length: 20_001 }, (_, index) => String(index));
  const [some, all] = [effectOf(moveOf(many.slice(1))), effectOf(moveOf(many))];
  if (some === undefined || all === undefined) throw new Error('There is no effect.');
  expect([doesSome(moveOf(['0']), some), doesSome(moveOf(['1']), some), doesSome(moveOf(['1'], 'other'), some)]).toEqual([
    false,
    true,
    false,
  ]);
  expect([doesSome(moveOf(['new']), all), doesSome(moveOf(['new'], 'other'), all)]).toEqual([true, false]);
  expect([doesAll(moveOf(many), some), doesAll(moveOf(many), all), doesAll(moveOf(['new']), all)]).toEqual([true, true, false]);
});
