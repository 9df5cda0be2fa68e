import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readmeBlock, root, textOf } from './project.ts';

test('the README has its two commands where the CI script looks for them', () => {
  expect(readmeBlock('command', 'demo')).toBe('npm ci && npm run demo');
  expect(readmeBlock('command', 'test')).toBe('npm ci && npm test');
});

test('the CI script can be run, and reads the test command out of the README', () => {
  const script = join(root, '.ci', 'run');
  expect(statSync(script).mode & 0o111).not.toBe(0);
  execFileSync('bash', ['-n', script]);
  expect(textOf('.ci/run')).toContain('readme_command test');
});

test('what the README shows and links to is there', () => {
  const targets = [...textOf('README.md').matchAll(/\]\(([^)#][^)]*)\)/g)].map(([, target = '']) => target);
  expect(targets).toContain('docs/chart.png');
  for (const target of targets.filter((one) => !one.includes(':'))) expect(existsSync(join(root, target)), target).toBe(true);
});

test('headings that the README links to are there', () => {
  const readme = textOf('README.md');
  const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  for (const [, anchor = ''] of readme.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor);
});
