import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { createStanding } from '../../../src/changes/standing/standing.ts';
import { DAY_MS } from '../../../src/platform/time-units.ts';
import { freshHome } from '../../harness/start.ts';
import { AGENT, daysAhead, fileOf, writeApprovals } from './harness.ts';

test('an approval whose time is over covers nothing any more where the clock is set back while the server runs', async () => {
  const rule = { kind: 'move_videos', to: [{ id: 'archive' }], perDay: 10 };
  const path = writeApprovals(fileOf([rule], { until: daysAhead(2) }));
  let nowMs = Date.now();
  const standing = createStanding({
    ...{ path, agent: AGENT, outside: [], revoked: '/no/such', addedAt: () => undefined },
    journal: createJournal(join(freshHome(), 'changes')),
    now: () => new Date(nowMs),
  });
  const state = async () => (await standing.report()).approvals[0]?.state;
  const before = await state();
  nowMs += 3 * DAY_MS;
  const over = await state();
  expect(over).not.toBe(before);
  nowMs -= 3 * DAY_MS;
  expect([before, await state()]).toEqual(['counts', over]);
});
