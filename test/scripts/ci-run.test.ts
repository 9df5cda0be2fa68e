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
