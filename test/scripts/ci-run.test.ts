import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freshHome } from '../harness/cleanup.ts';
import { blockOf, root, textOf } from './project.ts';

test('the README has the test command where the CI script looks for it', () => {
  expect(blockOf('README.md', 'command', 'test')).toBe('npm ci && npm test');
});

test('the CI script is executable and reads the test command from the README', () => {
  const script = join(root, '.ci', 'run');
  expect(statSync(script).mode & 0o111).not.toBe(0);
  execFileSync('bash', ['-n', script]);
  expect(textOf('.ci/run')).toContain('readme_command test');
});

test('the test command and the CI script’s other tests are all tests together, each once', () => {
  const scripts: Record<string, string> = JSON.parse(textOf('package.json')).scripts;
  const projectsOf = (script: string) => [...(scripts[script] ?? '').matchAll(/--project (\w+)/g)].map(([, name]) => String(name));
  const run = [...projectsOf('test'), ...projectsOf('test:rest')];
  const configured = [...textOf('vitest.config.ts').matchAll(/\bname: '(\w+)'/g)].map(([, name]) => String(name));
  expect(run).toEqual(configured);
  expect(textOf('.ci/run').match(/^npm (?:test|run test(?::(?:all|rest|unit|integration|slow))?)$/gm)).toEqual(['npm run test:rest']);
  expect(scripts['test:all']).toBe('npm test && npm run test:rest');
});

/** The CI script's own ways to run a part, with parts of a test's own in place of its parts. */
function runParts(parts: string) {
  const [, ways = ''] = /^(folder=.*?\n)# The command between the markers/ms.exec(textOf('.ci/run')) ?? [];
  const temporary = freshHome();
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -euo pipefail\n${ways}${parts}\necho passed`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TMPDIR: temporary },
  });
  expect(readdirSync(temporary)).toEqual([]);
  return { status, stdout, stderr };
}

test('parts that run beside others are shown whole, one after another, and a failure of any of them is the script’s', () => {
  const two = `beside bash -c 'echo first; while [ ! -e "$0" ]; do sleep 0.02; done; echo first ends' "$folder/go"`;
  const parts = (code: number) => `${two}\nbeside bash -c 'echo second >&2; exit ${code}'\nstep third\ntouch "$folder/go"\ntogether`;
  const { status, stdout } = runParts(parts(0));
  expect(status).toBe(0);
  expect(stdout).toMatch(/==> third\n.*first\nfirst ends\n.*second\n.*passed\n$/s);
  const failed = runParts(parts(3));
  expect(failed.status).toBe(1);
  expect(failed.stdout).toMatch(/first ends\n.*second\n/s);
  expect(failed.stdout).not.toContain('passed');
  expect(failed.stderr).toMatch(/^\nFailed: bash -c echo second >&2; exit 3 \(exit code 3\);$/m);
});

test('a part that fails ends the script and what runs beside it', async () => {
  const { status, stdout } = runParts(`beside bash -c 'echo $$ >"$0"; exec sleep 600' "$folder/pid"
until [ -s "$folder/pid" ]; do sleep 0.02; done
cat "$folder/pid"
step broken
false`);
  expect(status).toBe(1);
  expect(stdout).not.toContain('passed');
  const beside = Number(stdout.split('\n')[0]);
  await vi.waitFor(() => expect(() => process.kill(beside, 0)).toThrow('ESRCH'), { timeout: 60_000 });
});
