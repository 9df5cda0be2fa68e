/** What ended long ago is read once, before the lock is taken that all servers of a data folder share, and not while it is held. */
import { expect, test } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import type { ChangePlan } from '../../../src/changes/plan/plan.ts';
import { createStanding } from '../../../src/changes/standing/standing.ts';
import { changesFolder } from '../kinds/videos/harness.ts';
import { AGENT, fileOf, moveRule, nightly } from './harness.ts';

test.each([{ total: 50 }, {}])('the first decision of a process reads no journal under the lock (%j)', async (limits) => {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: 20, ...limits })]));
  for (let moved = 0; moved < 3; moved += 1) await session.move(1);
  const journal = createJournal(changesFolder(session));
  const read = { before: 0, underLock: 0 };
  let isLocked = false;
  const standing = createStanding({
    ...{ path: session.path, agent: AGENT, outside: [], revoked: '/no/such', addedAt: () => undefined },
    journal: {
      ...journal,
      read: (changeId) => {
        read[isLocked ? 'underLock' : 'before'] += 1;
        return journal.read(changeId);
      },
      withLock: (key, stop, act) =>
        journal.withLock(key, stop, async () => {
          isLocked = true;
          return act();
        }),
    },
  });
  const { archive: id, ids } = session;
  const plan = {
    ...{
      kind: 'move_videos',
      facts: { move: { targetProjects: [{ id, label: 'Archive' }], fromProjects: [{ id: 'elsewhere', label: 'Elsewhere' }] } },
      ids,
    },
    preview: { notices: [], undo: { possible: 'yes', how: '' } },
  } as unknown as ChangePlan;
  const { signal } = new AbortController();
  expect(await standing.judge(plan, signal)).toBeUndefined();
  const begun = await standing.begin(plan, signal, async ({ receipt }) => ({ changeId: '', receipt }));
  expect(begun).toMatchObject({ receipt: { rules: [{ today: { used: 3 + ids.length } }] } });
  // The server read the two others when it decided on what came after them.
  expect(read).toEqual({ before: 1, underLock: 0 });
});
