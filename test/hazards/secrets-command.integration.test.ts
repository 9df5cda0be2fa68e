/** The built command reveals no credential in messages about arguments or settings, in crashes, or to child processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { API_KEY } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { TOKEN, tracesIn, withToken } from './secrets-support.ts';

describe('the command', () => {
  test.each(['VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD', 'VIDEO_HOSTING_ANALYTICS_SQL_PASSWORD'])(
    'masks a password in its messages: %s',
    async (variable) => {
      // The account is not set. The error says so and names the data folder, whose name is the password here.
      const password = 'pa55~W0rd+of=the-store';
      const { code, stderr } = await runCommand(['forget', '--all'], {
        VIDEO_HOSTING_DATA_DIR: join(freshHome(), password),
        [variable]: password,
      });
      expect(code).not.toBe(0);
      expect(stderr).toContain(join('[credential]', 'accounts'));
      expect(stderr).not.toContain(password);
    },
  );

  test('does not log a credential in a crash', async () => {
    // Loaded into the process before the command. It throws later, with the key in the error's message and properties.
    const home = freshHome();
    const bomb = join(home, 'bomb.cjs');
    for (const how of ['throw', 'reject']) {
      const act = how === 'throw' ? 'throw error' : 'Promise.reject(error)';
      const key = "process.env.KEPT = ''; const key = process.env.VIDEO_HOSTING_API_KEY;";
      writeFileSync(
        bomb,
        `${key} process.stdin.once('data', () => setTimeout(() => { const error = new Error('It has ' + key + '!'); error.key = key; error.headers = { authorization: 'Bearer ' + key }; ${act}; }, 50));`,
      );
      const session = await start({ via: 'process', env: { NODE_OPTIONS: `--require ${bomb}` } });
      await vi.waitFor(() => expect(session.log()).toContain('It has'), { timeout: 300_000 });
      expect(session.log()).toContain('It has [credential]!');
      expect(tracesIn(session.output())).toEqual([]);
      expect(
        Math.max(
          ...session
            .log()
            .split('\n')
            .map((line) => line.length),
        ),
      ).toBeLessThan(500);
      if (how === 'throw') expect(await session.server?.exit).toEqual({ code: 1, signal: null });
    }
  });

  test('does not pass a credential to child processes or diagnostic reports', async () => {
    const home = freshHome();
    const out = join(home, 'out.json');
    const spy = join(home, 'spy.cjs');
    writeFileSync(
      spy,
      `process.stdin.once('data', () => setTimeout(() => {
        const child = require('node:child_process').spawnSync(process.execPath, ['-p', 'JSON.stringify([process.env, process.argv])'], { env: { ...process.env, NODE_OPTIONS: '' } });
        require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify([String(child.stdout), process.report.getReport().environmentVariables, process.argv, process.execArgv, process.title]));
      }, 50));`,
    );
    const { demo, client } = await start({
      home,
      via: 'process',
      env: { NODE_OPTIONS: `--require ${spy}`, VIDEO_HOSTING_ACCESS_TOKEN: TOKEN, VIDEO_HOSTING_API_KEYS: API_KEY },
    });
    expect(demo.requests).toEqual([]);
    await client.listTools();
    await vi.waitFor(() => expect(readFileSync(out, 'utf8')).toContain('PATH'), { timeout: 300_000 });
    expect(tracesIn(readFileSync(out, 'utf8'))).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('does not pass a credential to the analytics engine', async () => {
    const { client, server } = await start({ via: 'process', ...withToken });
    const asked = client.callTool('query_analytics', { from: '2026-10-01', to: '2026-10-31', metrics: ['views'] });
    const childrenOf = (pid: number | undefined) =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    const [child] = await vi.waitFor(
      () => {
        // Between fork and exec, a child is a copy of its parent.
        const own = childrenOf(server?.child.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('engine'));
        expect(own.length).toBeGreaterThan(0);
        return own;
      },
      { timeout: 300_000 },
    );
    const about = ['environ', 'cmdline'].map((file) => readFileSync(`/proc/${child}/${file}`, 'latin1')).join('\n');
    expect(about.length).toBeGreaterThan(20);
    expect(tracesIn(about)).toEqual([]);
    await asked;
  });
});
