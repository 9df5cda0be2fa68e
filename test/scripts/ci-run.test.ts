import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
