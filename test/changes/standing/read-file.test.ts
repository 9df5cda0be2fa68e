/** The file of standing approvals, as it is opened, and how often. */
import { rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Receipt } from '../../../src/changes/plan/receipt.ts';
import { problemWith, readStandingFile } from '../../../src/changes/standing/read-file.ts';
import { createStillCovered } from '../../../src/changes/standing/still-covered.ts';
import { ruleDigest } from '../../../src/changes/standing/uses.ts';
import { freshHome } from '../../harness/start.ts';
import { AGENT, fileOf, nightly, standingIn, writeApprovals } from './harness.ts';

test('a file that has no name any more, as a mount of it shows once it is replaced, is not trusted', async () => {
  const file = join(freshHome(), 'approvals.json');
  writeFileSync(file, '{}', { mode: 0o600 });
  const handle = await open(file);
  try {
    expect(await problemWith(handle, file, [])).toBeUndefined();
    rmSync(file);
    expect(await problemWith(handle, file, [])).toContain('was replaced where it is mounted from: mount its folder');
  } finally {
    await handle.close();
  }
});

/** A file of so many bytes that is right. */
const fileWith = (bytes: number): string => JSON.stringify(fileOf([{ kind: 'undo_own', perDay: 1 }])).padEnd(bytes);

test('a file of up to a megabyte counts, and a larger one is refused with what belongs elsewhere', async () => {
  expect(await readStandingFile(writeApprovals(fileWith(1_000_000)), [], new Date())).toMatchObject({ ok: true });
  const read = await readStandingFile(writeApprovals(fileWith(1_000_001)), [], new Date());
  expect(read).toMatchObject({ ok: false, problems: [expect.stringContaining('has more than 1 MB')] });
  expect(read).toMatchObject({ problems: [expect.stringContaining('onlyIdsIn')] });
});

test('nothing is covered by a file that is too large, and previews say why', async () => {
  const { move, demo } = await nightly(() => fileWith(1_000_001));
  const asked = await move(1);
  expect(asked.data?.status).toBe('confirmation_required');
  expect(standingIn(asked)).toContain('has more than 1 MB');
  expect(demo.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('while a change runs the file is read once a minute and whenever it changed, also twice within one step of its times', async () => {
  const path = writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }]));
  const read = vi.fn(async () => [await readStandingFile(path, [], new Date()), new Set<string>()] as const);
  const rule = { kind: 'undo_own', perDay: 1 } as const;
  const receipt: Receipt = {
    ...{ agent: AGENT, file: '' },
    rules: [{ approval: 'test-approval', kind: 'undo_own', rule: ruleDigest(rule), number: 1, today: { used: 1, limit: 1 } }],
  };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    const { seenNow, begins, assertStillCovered } = createStillCovered({
      ...{ path, revoked: join(freshHome(), 'revoked'), read, notify: () => undefined, now: () => new Date() },
    });
    begins(receipt, { timeZone: 'UTC', lists: new Map(), seen: seenNow() });
    const readsOf = async (batches: number) => {
      read.mockClear();
      for (let batch = 0; batch < batches; batch += 1) await assertStillCovered('chg-1', receipt);
      return read.mock.calls.length;
    };
    // It was written a moment ago: a further edit may leave its times as they are.
    expect(await readsOf(3)).toBe(3);
    vi.setSystemTime(Math.ceil(Date.now() / 60_000) * 60_000 + 60_000);
    expect(await readsOf(1_000)).toBe(1);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await readsOf(1_000)).toBe(1);
    writeApprovals(fileOf([{ kind: 'undo_own', perDay: 2 }]), join(path, '..'));
    expect(await readsOf(1_000)).toBe(1);
    writeApprovals(fileOf([]), join(path, '..'));
    await expect(assertStillCovered('chg-1', receipt)).rejects.toMatchObject({ code: 'not_approved' });
  } finally {
    vi.useRealTimers();
  }
});
