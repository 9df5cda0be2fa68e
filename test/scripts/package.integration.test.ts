/** The package that `npm publish` would send. `npm run check:package` tests it installed, which needs the registry. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { blockOf, documents, root, textOf } from './project.ts';

// Its shape is npm's.
const packageJson = JSON.parse(textOf('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
const built = (name: string): string => join(dirname(inject('command')), name);

test('the package contains exactly the expected files', () => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=silent'];
  const [archive] = JSON.parse(execFileSync(npm, args, { cwd: root, encoding: 'utf8' }));
  // npm's own format.
  const paths = (archive.files as { path: string }[]).map(({ path }) => path);
  const pictures = 'chart form-claude-code growth link-claude-code app-receipt page-approve page-contents page-phone'.split(' ');
  const code = 'main old-node seldom server http core later commands demo engine chart clickhouse undici'
    .split(' ')
    .map((name) => `${name}.cjs`);
  const others = 'page.html chat.html responses.tsv responses-read-only.tsv DejaVuSans.ttf DejaVuSans-Bold.ttf'.split(' ');
  const expected = [
    ...['package.json', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', ...documents(), 'docs/standing-approvals.schema.json'],
    ...pictures.map((name) => `docs/${name}.png`),
    ...['Caddyfile', 'environment.example', 'nginx.conf', 'video-hosting-mcp.service'].map((name) => `deploy/${name}`),
    ...[...code, ...others, 'THIRD-PARTY-LICENSES.txt'].map((name) => `dist/${name}`),
  ];
  expect(new Set(paths)).toEqual(new Set(expected));
});

test('the built files import only Node’s modules, each other and the declared dependencies', () => {
  const files = readdirSync(dirname(built('main.cjs'))).filter((name) => name.endsWith('.cjs'));
  const wanted = files.flatMap((name) => {
    const code = readFileSync(built(name), 'utf8');
    return [...code.matchAll(/\b(?:require|import)\("([^"]+)"\)/g)].map(([, target = '']) => target);
  });
  const packages = wanted.filter((target) => !isBuiltin(target) && !/^(node:|\.\/)/.test(target));
  expect(new Set(packages)).toEqual(new Set(Object.keys(packageJson.dependencies)));
  for (const target of wanted.filter((one) => one.startsWith('./'))) expect(files).toContain(target.slice(2));
});

test('the built code has ASCII characters alone, so that V8 keeps each in one byte', () => {
  const files = readdirSync(dirname(built('main.cjs'))).filter((name) => name.endsWith('.cjs'));
  const others = files.filter((name) => /[^\0-\x7F]/.test(readFileSync(built(name), 'utf8')));
  expect(others).toEqual([]);
});

test('the licences of all packages that are built in are included', () => {
  const text = readFileSync(built('THIRD-PARTY-LICENSES.txt'), 'utf8');
  const listed = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map(([, name = '']) => name);
  // Also those of packages that our own dependencies bring.
  expect(listed).toEqual(expect.arrayContaining(['@modelcontextprotocol/core', 'd3-array', 'vega-scenegraph']));
  for (const words of ['Permission is hereby granted', 'Apache License', 'University of Washington Interactive Data Lab', 'Bitstream Vera'])
    expect(text).toContain(words);
  const rows = [...blockOf('docs/dependencies.md', 'generated', 'dependencies').matchAll(/^\| `([^`]+)` \|[^|]*\| built in \|/gm)].map(
    ([, name = '']) => name,
  );
  expect(new Set(rows)).toEqual(new Set(Object.keys(packageJson.devDependencies).filter((name) => listed.includes(name))));
});
