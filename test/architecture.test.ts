/** Which part of the source may import which at run time. That there is no import cycle, types included, Biome checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHANGE_KINDS } from '../src/changes/plan/traits/index.ts';

const root = join(import.meta.dirname, '..', 'src');

/** What each part may import: other parts, and packages. All parts except the pure ones may import Node's own modules. */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  entry: '*',
  main: '*',
  errors: 'text',
  text: 'fastest-levenshtein string-width wrap-ansi',
  config: 'platform text fastest-levenshtein',
  platform: 'text zod',
  service: 'config errors platform text undici zod',
  files: 'errors platform text csv-parse',
  account: 'errors files platform text',
  changes: 'account config errors files platform service text csv-stringify jsonc-parser zod',
  people: 'changes errors platform text zod',
  privacy: '',
  analytics: 'account config errors files platform text @duckdb/node-api @resvg/resvg-js vega vega-lite csv-stringify @clickhouse/client',
  page: 'account analytics changes errors files platform text',
  // Browser code. Of the server’s parts it imports the contract and pure functions.
  'page/views': 'changes page platform @atlaskit/pragmatic-drag-and-drop @tanstack/virtual-core preact',
  // Opens an account and wires what works on it.
  app: 'account analytics changes config demo errors page people platform service text zod',
  mcp: 'account analytics app changes config errors page platform privacy service text @modelcontextprotocol/node @modelcontextprotocol/server zod',
  // A server for several people.
  http: 'changes config errors mcp page people platform text',
  commands: 'account analytics app changes config errors people platform text @decimalturn/toml-patch jsonc-parser read',
  // Also our test double: with shared code, one misreading of the API document would be on both sides of a test.
  demo: '',
};

/** Parts that may not import Node's own modules. */
const PURE = ['errors', 'page/views', 'privacy'];

const IMPORT =
  /^\s*(?:import|export)\s+(?!type\b)([^'";]*?)\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** What a file imports at run time. */
function importsOf(code: string): string[] {
  return [...code.matchAll(IMPORT)].flatMap(([, names, from, bare, dynamic]) => {
    const inBraces = /^\{([^}]*)\}\s*$/.exec(names ?? '')?.[1];
    const allTypes = inBraces?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false;
    return allTypes ? [] : [from ?? bare ?? dynamic ?? ''];
  });
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8') }));
const partOf = (path: string): string =>
  /^page[\\/]views[\\/]/.test(path) ? 'page/views' : (path.split(/[\\/]/)[0]?.replace(/\.ts$/, '') ?? '');

/** A part of the source, the name of a package, or `node:…`. */
function targetOf(path: string, specifier: string): string {
  if (!specifier.startsWith('.'))
    return specifier.startsWith('node:')
      ? specifier
      : specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
  const target = relative(root, join(root, dirname(path), specifier));
  return target.startsWith('..') ? target : partOf(target);
}

test('importsOf finds every form of import and leaves out types', () => {
  const code = `import './a.ts';\nimport { b } from './b.ts';\nimport type { C } from './c.ts';\nimport { type D, type E } from './d.ts';
    import {\n  type F,\n  g,\n} from './g.ts';\nexport { h } from './h.ts';\nexport type { I } from './i.ts';\nimport * as z from 'zod';
    const x = await import('./lazy.ts');\nimport data from '../package.json' with { type: 'json' };`;
  expect(importsOf(code)).toEqual(['./a.ts', './b.ts', './g.ts', './h.ts', 'zod', './lazy.ts', '../package.json']);
});

test('every file in src belongs to a known part', () => {
  expect(files.length).toBeGreaterThan(50);
  expect([...new Set(files.map(({ path }) => partOf(path)))].filter((part) => !(part in MAY_IMPORT))).toEqual([]);
});

describe.each(Object.keys(MAY_IMPORT))('src/%s', (part) => {
  const may = MAY_IMPORT[part]?.split(' ') ?? [];
  const imported = files
    .filter(({ path }) => partOf(path) === part)
    .flatMap(({ path, code }) => importsOf(code).map((specifier) => ({ path, target: targetOf(path, specifier) })));

  test('imports only what the table allows', () => {
    const wrong = imported
      .filter(() => !may.includes('*'))
      .filter(({ target }) => target !== part && !may.includes(target) && (PURE.includes(part) || !target.startsWith('node:')));
    expect(wrong).toEqual([]);
  });

  test('imports everything that the table allows', () => {
    const targets = new Set(imported.map(({ target }) => target));
    expect(may.filter((target) => target !== '' && target !== '*' && !targets.has(target))).toEqual([]);
  });
});

/** The files that a file imports, for their types too. */
function importedFiles(path: string, code: string): string[] {
  const specifiers = [...withoutComments(code).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+\.tsx?)['"]/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers.map((specifier) => join(dirname(path), specifier));
}

test.each([
  ['analytics/storage/folder', 'analytics/storage/clickhouse'],
  ['analytics/storage/clickhouse', 'analytics/storage/folder'],
  ['page/api', 'page/server'],
  ['page/server', 'page/api'],
])('%s imports nothing from %s', (one, other) => {
  const own = files.filter(({ path }) => path.startsWith(join(`${one}/`)));
  const isOther = (file: string): boolean => file.startsWith(join(`${other}/`));
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter(({ path, code }) => importedFiles(path, code).some(isOther)).map(({ path }) => path)).toEqual([]);
});

/** The folder of `changes/` that a file is in; undefined of any other file. */
const folderOfChanges = (path: string): string | undefined => /^changes[\\/]([\w-]+)[\\/]/.exec(path)?.[1];

test('no two folders of the changes import each other at run time', () => {
  const edges = new Set(
    files.flatMap(({ path, code }) => {
      const from = folderOfChanges(path);
      const targets = importsOf(withoutComments(code))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => folderOfChanges(join(dirname(path), specifier)));
      return targets.filter((to) => from !== undefined && to !== undefined && to !== from).map((to) => `${from} > ${to}`);
    }),
  );
  expect(edges.size).toBeGreaterThan(15);
  expect([...edges].filter((edge) => edges.has(edge.split(' > ').toReversed().join(' > ')))).toEqual([]);
});

test('every file of the changes is in a folder', () => {
  expect(files.filter(({ path }) => /^changes[\\/][^\\/]+$/.test(path)).map(({ path }) => path)).toEqual([]);
});

test('the journal imports nothing from what stands on it, for its types neither', () => {
  const own = files.filter(({ path }) => path.startsWith(join('changes', 'journal')));
  const isAbove = (file: string): boolean => /^changes[\\/](?:kinds|standing|proposals|tell|asking|life)[\\/]/.test(file);
  expect(own.flatMap(({ path, code }) => importedFiles(path, code)).filter(isAbove)).toEqual([]);
});

test('the guard imports nothing from the kinds of changes', () => {
  const own = files.filter(({ path }) => [join('changes', 'life', 'guard.ts'), join('changes', 'life', 'begin.ts')].includes(path));
  const isOfKinds = (file: string): boolean => file.startsWith(join('changes', 'kinds'));
  expect(own).toHaveLength(2);
  expect(own.flatMap(({ path, code }) => importedFiles(path, code)).filter(isOfKinds)).toEqual([]);
});

const filesWith = (pattern: RegExp): string[] => files.filter(({ code }) => pattern.test(withoutComments(code))).map(({ path }) => path);
const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('the start of the server loads no package except fastest-levenshtein', () => {
  const loaded = new Set<string>(['main.ts']);
  const packages = new Set<string>();
  for (const path of loaded) {
    const code = files.find((file) => file.path === path)?.code ?? '';
    // Dynamic imports are not loaded at the start.
    for (const specifier of importsOf(code.replaceAll(/\bimport\([^)]*\)/g, ''))) {
      if (!specifier.startsWith('.')) packages.add(specifier);
      else if (specifier.endsWith('.ts')) loaded.add(join(dirname(path), specifier));
    }
  }
  expect([...loaded]).toContain(join('mcp', 'protocol', 'handshake.ts'));
  expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual(['fastest-levenshtein']);
});

test('the page loads no package but those of its views: what compiles code is refused there', () => {
  const codeOf = new Map(files.map(({ path, code }) => [path, withoutComments(code)]));
  const [reached, packages] = [new Set([join('page', 'views', 'main.tsx')]), new Set<string>()];
  for (const path of reached)
    for (const specifier of importsOf(codeOf.get(path) ?? ''))
      if (specifier.startsWith('.')) reached.add(join(dirname(path), specifier));
      else packages.add(targetOf(path, specifier));
  expect(reached.size).toBeGreaterThan(30);
  expect([...packages].toSorted()).toEqual(['@atlaskit/pragmatic-drag-and-drop', '@tanstack/virtual-core', 'preact']);
});

test('only main.ts, and the entry that loads it, reads the environment, ends the process and uses console', () => {
  expect(filesWith(/\bprocess\s*\.\s*(env|exit|argv|exitCode|abort)\b|\bprocess\s*\[|from 'node:process'/)).toEqual([
    'entry.ts',
    'main.ts',
  ]);
  expect(filesWith(/\bconsole\b/)).toEqual(['main.ts']);
});

test('only main.ts uses process.stdout', () => {
  expect(filesWith(/process\.stdout/)).toEqual(['main.ts']);
});

test('only the guard creates approvals, in a file that nothing else imports', () => {
  expect(new Set(filesWith(/\bmintApproval\b/))).toEqual(new Set(['changes/life/begin.ts', 'service/approval.ts']));
  const begin = join('changes', 'life', 'begin.ts');
  const users = files.filter(({ path, code }) => importedFiles(path, code).includes(begin));
  expect(users.map(({ path }) => path)).toEqual([join('changes', 'life', 'guard.ts')]);
});

test.each([
  ['the embedded database', /['"]@duckdb\//, /^analytics.engine\b/],
  ['the ClickHouse client', /['"]@clickhouse\//, /^analytics.storage.clickhouse\b/],
  ['the chart renderer', /['"](vega|vega-lite|@resvg\/resvg-js)['"]/, /^analytics.chart\b/],
])('%s is imported in one folder only', (_name, itsPackages, itsFolder) => {
  const users = filesWith(itsPackages);
  expect(users).not.toEqual([]);
  expect(users.filter((path) => !itsFolder.test(path))).toEqual([]);
});

test('no name of a way to ask a person is compared outside its own files', () => {
  const names = 'form|page|token|wait|never';
  const compared = new RegExp(
    [
      `\\broute(?:s\\[\\w+\\])?(?:\\?\\.name)?\\s*[!=]==\\s*['"]`,
      `\\broute(?:\\.name)?\\s*[!=]==\\s*\\w+Route\\.name`,
      `['"](?:${names})['"]\\s*[!=]==\\s*\\w*[rR]oute`,
      `\\bswitch \\((?:\\w+\\.)?route\\)`,
      `\\broutes?(?:For|Of)?\\b[^;\\n]*\\.includes\\(['"](?:${names})`,
    ].join('|'),
  );
  const own = join('changes', 'proposals', 'routes');
  expect(compared.test("route === 'page'")).toBe(true);
  expect(filesWith(compared).filter((path) => !path.startsWith(own))).toEqual([]);
});

test('no code is compiled from text at run time', () => {
  expect(filesWith(/\beval\(|new Function\(|from 'node:vm'/)).toEqual([]);
});

test('only the worker processes, the browser and the program of notifications are started', () => {
  expect(new Set(filesWith(/['"]node:(child_process|cluster|worker_threads)['"]/))).toEqual(
    new Set(['analytics/workers/worker.ts', 'changes/standing/notify.ts', 'platform/open-browser.ts']),
  );
});

test('no name of a kind of change is compared outside of the kinds: everybody asks the object or the traits', () => {
  // A kind of rule may be called as a kind of change.
  const names = CHANGE_KINDS.join('|');
  const compared = new RegExp(
    `(?:(?<!\\brule\\.kind\\s*)[=!]==\\s*|\\bcase\\s+|\\bincludes\\(|\\beach\\(\\[)'(?:${names})'|'(?:${names})'\\s*[=!]==`,
  );
  expect(["kind === 'move_videos'", "rule.kind === 'move_videos'"].map((code) => compared.test(code))).toEqual([true, false]);
  expect(filesWith(compared)).toEqual([]);
});
