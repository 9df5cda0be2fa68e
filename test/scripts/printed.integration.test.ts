/** What the commands of package.json that run tests and the linter print where nobody looks at a terminal. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.ts';

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|CI$|TEST$|NODE_ENV$|FORCE_COLOR$|NO_COLOR$)/.test(name)),
);
const runTests = (...args: string[]): string =>
  execFileSync(process.execPath, [join('scripts', 'vitest.mjs'), 'run', ...args], { cwd: root, env, encoding: 'utf8' });

test('tests that pass are counted and not listed, without colours, unless a reporter is named', () => {
  const one = ['--project', 'unit', join('test', 'page', 'figures.test.ts')];
  const printed = runTests(...one);
  expect(printed).toMatch(/Tests\s+9 passed \(9\)/);
  expect(printed).not.toContain('\u001b');
  expect(printed).not.toContain('figures');
  expect(runTests(...one, '--reporter=verbose')).toContain('figures');
});

test('the linter colours what it prints only on a terminal, or where colours are forced', () => {
  const lint = (more: NodeJS.ProcessEnv = {}): string => {
    const args = [join('scripts', 'biome.mjs'), 'format', 'biome.jsonc'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env: { ...env, ...more }, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  };
  expect(lint()).toMatch(/^Checked 1 file/);
  expect(lint({ NO_COLOR: '1' })).toMatch(/^Checked 1 file/);
  expect(lint({ FORCE_COLOR: '1' })).toContain('\u001b');
});
