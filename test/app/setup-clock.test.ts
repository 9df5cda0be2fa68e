/** What `check_setup` and `doctor` tell of a clock that is not the service’s. */
import { expect, test } from 'vitest';
import { runInProcess } from '../harness/run-command.ts';
import { type DemoService, setClock, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

async function startAhead(aheadMs: number): Promise<DemoService> {
  const demo = await startService({ channels: 1, views: 0 });
  setClock(demo, aheadMs);
  return demo;
}

const checked = async (demo: DemoService, env = {}) => (await (await start({ demo, env })).client.callTool('check_setup')).data;

test.each([
  [
    3 * HOUR_MS,
    false,
    /^Clock: The clock of this server’s machine is 3 hours behind the service’s: here it is .* UTC, there .* UTC\. What goes by it/,
  ],
  [-3 * DAY_MS, false, /^Clock: The clock of this server’s machine is 3 days ahead of the service’s/],
  [-5 * MINUTE_MS, true, /^Clock: The clock of this server’s machine is 5 minutes ahead of the service’s/],
])('a service whose clock is %d ms ahead', async (aheadMs, ok, says) => {
  const demo = await startAhead(aheadMs);
  expect(await checked(demo)).toMatchObject({ ok, problems: [expect.stringMatching(says)] });
  const { stdout } = await runInProcess(['doctor', '--json'], { HOME: freshHome(), ...settingsFor(demo) });
  const found = expect.objectContaining({ about: 'Clock', level: ok ? 'note' : 'wrong' });
  expect(JSON.parse(stdout)).toMatchObject({ findings: expect.arrayContaining([found]) });
});

test.each([0, 20_000, -20_000])('some seconds are nothing to tell (%d ms)', async (aheadMs) => {
  expect(await checked(await startAhead(aheadMs))).not.toHaveProperty('problems');
});

test('whether a JWT has expired goes by the service’s clock', async () => {
  const demo = await startAhead(-3 * DAY_MS);
  const payload = Buffer.from(JSON.stringify({ exp: Math.floor((Date.now() - DAY_MS) / 1_000) })).toString('base64url');
  const jwt = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.c2lnbmF0dXJl`;
  const data = await checked(demo, { VIDEO_HOSTING_ACCESS_TOKEN: jwt });
  expect(data).toMatchObject({ ok: false, problems: [expect.stringMatching(/^Clock: /)] });
  expect(JSON.stringify(data?.credential)).not.toContain('expired');
});
