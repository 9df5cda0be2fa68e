/** Standing approvals on the page: the same data as the command `approvals`, and what ends them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { StandingView } from '../../src/page/contract.ts';
import type { Account } from '../changes/kinds/videos/harness.ts';
import { idsIn } from '../changes/kinds/videos/harness.ts';
import { AGENT, daysAhead, fileOf, moveRule, nightly, writeApprovals } from '../changes/standing/harness.ts';
import { createTestBrowser, type TestPage } from '../harness/page.ts';
import { openPage, startWithPage, waitingRename } from './support.ts';

/** A server of an agent, and a person who has opened its page. */
async function withPage(file: (account: Account) => unknown, env: Readonly<Record<string, string>> = {}) {
  const browser = createTestBrowser();
  const session = await nightly(file, { env: { ...browser.env, ...env } });
  return { ...session, page: await openPage({ ...session, browser }) };
}

const ofAgent = (id: string) => ({ id, for: AGENT, until: daysAhead(30) });
const approvals = async (page: TestPage): Promise<StandingView> => JSON.parse((await page.get('api/approvals')).text);

test('each rule is told with its sentence, what is used of it today and in all, until when, its last use and its state', async () => {
  const { page, move, path } = await withPage((account) => ({
    ...fileOf([]),
    approvals: [
      { ...ofAgent('new'), allow: [moveRule(account, { perDay: 6, total: 50 }), { kind: 'undo_own', perDay: 2 }] },
      { id: 'old', for: 'weekly', until: daysAhead(0), allow: [{ kind: 'undo_own', perDay: 3 }] },
    ],
  }));
  const before = Date.now();
  await move(4);
  const view = await approvals(page);
  expect(view).toEqual({
    path,
    problems: [],
    approvals: [
      {
        ...{ id: 'new', agent: AGENT, state: 'counts', until: daysAhead(30) },
        rules: [
          {
            text: expect.stringMatching(/^new: nightly may move videos into "Archive" .*; at most 6 videos a day \(UTC\), 50 in all;/),
            allows: expect.stringMatching(/^move videos into "Archive" .*; at most 6 videos a day \(UTC\), 50 in all$/),
            today: { used: 4, limit: 6 },
            inAll: { used: 4, limit: 50 },
            lastUse: expect.any(String),
          },
          {
            text: expect.stringContaining('undo what it did itself'),
            allows: expect.stringMatching(/^undo what it did itself/),
            today: { used: 0, limit: 2 },
            inAll: { used: 0 },
          },
        ],
      },
      expect.objectContaining({ id: 'old', agent: 'weekly', state: 'ended' }),
    ],
  });
  expect(Date.parse(view.approvals[0]?.rules[0]?.lastUse ?? '')).toBeGreaterThanOrEqual(before);
  expect(JSON.parse((await page.get('api/session')).text)).toMatchObject({ hasStandingApprovals: true });
});

test('what is revoked on the page covers nothing more, and the others still do', async () => {
  const { page, move, demo, archive } = await withPage((account) => ({
    ...fileOf([]),
    approvals: [
      { ...ofAgent('texts'), allow: [{ kind: 'undo_own', perDay: 1 }] },
      { ...ofAgent('moves'), allow: [moveRule(account)] },
    ],
  }));
  const revoked = await page.post('api/approvals/texts/revoke');
  expect(JSON.parse(revoked.text)).toMatchObject({ approvals: [{ state: 'revoked' }, { state: 'counts' }] });
  // Pressed again where the page has not seen it yet.
  expect((await page.post('api/approvals/texts/revoke')).text).toBe(revoked.text);
  expect((await move(1)).data?.status).toBe('applied');
  await page.post('api/approvals/moves/revoke');
  const asked = await move(2);
  expect(idsIn(demo, archive)).toHaveLength(1);
  const standing = expect.stringContaining('moves was revoked');
  expect(asked.data).toMatchObject({ status: 'confirmation_required', preview: { standing } });
});

test('what the file does not have is not revoked, and nothing is written for it, nor for what was revoked before', async () => {
  const { page, home, move, path } = await withPage((account) => fileOf([moveRule(account)]));
  const written = () => {
    const [file] = readdirSync(home, { recursive: true }).filter((name) => String(name).endsWith('revoked-approvals.jsonl'));
    return file === undefined ? '' : readFileSync(join(home, String(file)), 'utf8');
  };
  for (const id of ['test-aproval', 'x'.repeat(1_500), '..%2F..%2Fetc', '%00', 'TEST-APPROVAL', '__proto__', 'constructor'])
    expect([id, await page.post(`api/approvals/${id}/revoke`)]).toEqual([
      id,
      expect.objectContaining({
        status: 404,
        text: expect.stringMatching(/The file has no such approval now, so none was revoked\. Load this page anew/),
      }),
    ]);
  expect(written()).toBe('');
  expect((await move(1)).data?.status).toBe('applied');
  for (let press = 0; press < 3; press += 1) {
    expect((await page.post('api/approvals/test-approval/revoke')).status).toBe(200);
    expect((await page.post('api/approvals/stop')).status).toBe(200);
  }
  expect(written().trim().split('\n')).toHaveLength(1);
  writeFileSync(path, '{');
  expect(await page.post('api/approvals/test-approval/revoke')).toMatchObject({
    status: 409,
    text: expect.stringContaining('None was revoked.'),
  });
  expect(written().trim().split('\n')).toHaveLength(1);
});

test('a channel that the file gives by its id alone is told by its name, unless the service can’t be asked', async () => {
  const { page, demo } = await withPage(({ demo: { world } }) =>
    fileOf([{ kind: 'add_videos', channels: [{ id: [...world.channels.keys()][0] }], perDay: 2 }]),
  );
  const [channel] = demo.world.channels.values();
  expect((await approvals(page)).names).toEqual({ [channel?.id ?? '']: channel?.name });
  demo.faults.always({ match: { api: 'main' }, do: { kind: 'status', code: 401 } });
  const view = await approvals(page);
  expect([view.names, view.approvals[0]?.rules[0]?.unnamed]).toEqual([{}, [channel?.id]]);
});

test('all are stopped at once', async () => {
  const { page, move, demo, archive } = await withPage((account) => fileOf([moveRule(account)]));
  const stopped = await page.post('api/approvals/stop');
  expect(JSON.parse(stopped.text)).toMatchObject({ approvals: [{ id: 'test-approval', state: 'revoked' }] });
  await move(2);
  expect(idsIn(demo, archive)).toEqual([]);
});

test('what is wrong with the file is told with its line, and nothing can be stopped that is not known', async () => {
  const { page, path } = await withPage((account) => fileOf([moveRule(account)]));
  writeFileSync(path, JSON.stringify({ version: 1, timeZone: 'UTC', approvals: [], perHour: 3 }, null, 2));
  const { problems, approvals: found } = await approvals(page);
  expect(found).toEqual([]);
  expect(problems.join('\n')).toMatch(/Line \d+, .*perHour/);
  const stopped = await page.post('api/approvals/stop');
  expect(stopped).toMatchObject({ status: 409, text: expect.stringContaining('None was revoked.') });
});

test('that nobody was asked is told with the standing approval that covers it, by its name', async () => {
  const { page, move } = await withPage((account) => fileOf([moveRule(account, { perDay: 6, total: 50 })]));
  const { data } = await move(4);
  expect(await page.change(String(data?.changeId))).toMatchObject({
    agreed: [
      { words: 'Asked by nightly through test-client' },
      {
        words:
          'Nobody was asked to agree: it is covered by the standing approval test-approval (move_videos: 4; 4 of today’s 6, 4 of 50 in all).',
        isCovered: true,
      },
    ],
  });
});

test('of what waits it is told what would cover it now', async () => {
  const session = await withPage((account) => fileOf([moveRule(account, { perDay: 3 })]), { VIDEO_HOSTING_CONFIRM: 'wait' });
  const { data } = await session.move(4);
  const shown = async () => (await session.page.change(String(data?.changeId))).standing;
  expect(await shown()).toMatch(/^For nightly this would not be covered\. 1 over today’s 3 of test-approval/);
  writeApprovals(fileOf([moveRule(session, { perDay: 4 })]), dirname(session.path));
  expect(await shown()).toBe('For nightly this would be covered by test-approval (move_videos: 4; 4 of today’s 4).');
});

test('of what nobody by name asked for, nothing is said of the standing approvals of others', async () => {
  const path = writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }]));
  const { change } = await waitingRename({ env: { VIDEO_HOSTING_STANDING_APPROVALS: path } });
  expect(change.asked).toBe('through test-client');
  expect(change.standing).toBeUndefined();
  expect(JSON.stringify(change)).not.toMatch(/nightly|VIDEO_HOSTING_AGENT/);
});

test('a request without the page’s token revokes nothing', async () => {
  const { page, move } = await withPage((account) => fileOf([moveRule(account)]));
  for (const path of ['api/approvals/stop', 'api/approvals/test-approval/revoke'])
    expect((await page.post(path, {}, { 'x-page-token': undefined })).status).toBe(403);
  expect((await move(1)).data?.status).toBe('applied');
});

test('without a file there is nothing of it on the page', async () => {
  const page = await openPage(await startWithPage());
  expect(JSON.parse((await page.get('api/session')).text)).toMatchObject({ hasStandingApprovals: false });
  expect((await page.get('api/approvals')).status).toBe(404);
  expect((await page.post('api/approvals/stop')).status).toBe(404);
});
