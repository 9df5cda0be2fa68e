import { expect, test } from 'vitest';
import { start } from '../../../harness/start.ts';
import { agree } from '../../support/confirm.ts';
import { type Account, idsIn, MOVE, manyVideos } from './harness.ts';

const ON_MOVE_FAILURE =
  'If some fail, the others are moved all the same, and those are named. If the service can’t be reached, the rest is not sent.';
/** A project’s name and id. */
const labels = ({ archive, elsewhere }: Account) => ({ to: `"Archive" (${archive})`, from: `"Marketing" (${elsewhere})` });
const quoted = (ids: readonly string[]) => ids.map((id) => JSON.stringify(id)).join(', ');

test('the preview of an undo says how many videos are moved where, and what it relies on', async () => {
  const account = await manyVideos(1_001, 1);
  const { demo, ids, poisoned } = account;
  const moved = ids.filter((id) => !poisoned.has(id));
  const { client } = await start({ demo });
  const { data: first } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
  const { data } = await client.callTool('undo_change', { changeId: first?.changeId });
  expect(data?.preview).toEqual({
    summary: 'Undo: move 1,000 videos back',
    meaning: expect.stringContaining(
      `Undo ${String(first?.changeId)}: move 1,000 videos back into ${labels(account).from}. What is undone: Move `,
    ),
    notes: ['Where each of them was before can’t be checked; it goes by what was said when they were moved.'],
    lines: [`${quoted(moved.slice(0, 3))} and 997 more`],
    more: '… and all ids: get_change with page 1 of 11',
    onFailure: ON_MOVE_FAILURE,
    undo: { possible: 'yes', how: `An undo of this moves them to ${labels(account).to} again.` },
  });
});

test('the preview of a resumed move says what is done, what will be sent, and how to undo it', async () => {
  const account = await manyVideos(12_000);
  const { demo, ids, archive } = account;
  const { to, from } = labels(account);
  const { client } = await start({ demo });
  demo.faults.always({ match: MOVE, skip: 11, do: { kind: 'status', code: 401 } });
  const { data: first } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
  expect(first).toMatchObject({ moved: 11_000, notSentCount: 1_000 });
  const there = new Set(idsIn(demo, archive));
  const open = ids.filter((id) => !there.has(id));
  const { data } = await client.callTool('resume_change', { changeId: first?.changeId });
  expect(data?.preview).toEqual({
    summary: 'Carry on: Move 1,000 videos into Archive',
    meaning: expect.stringContaining(`Carry on ${String(first?.changeId)} (Move 12,000 videos into ${to}, of `),
    // Ids that are done are not listed any more.
    lines: [`${quoted(open.slice(0, 3))} and 997 more`],
    more: '… and all ids: get_change with page 1 of 11',
    onFailure: ON_MOVE_FAILURE,
    undo: {
      possible: 'yes',
      how: `An undo moves what was moved, or may have been, back to ${from}, and nothing else. That goes for the whole change: what was moved before, too.`,
    },
  });
});
