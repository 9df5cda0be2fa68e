import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { NotificationSchema } from '../../src/changes/standing/notify.ts';
import { RULE_KINDS } from '../../src/changes/standing/rules.ts';
import { CONFIRM_MODE_NAMES } from '../../src/config/confirm-routes.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { documents, root, textOf } from './project.ts';

/** Names that are no files of the repository: a protocol method, a registry name, and build outputs. */
const OTHERS = /^(server\/discover|io\.github\..*|dist\/.*|bundles\/.*)$/;
const MAX_README_BYTES = 16 * 1024;
const everyDocument = [...documents(), 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

test('the README is not longer than 16 KiB', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES);
});

test('the README installs the file that npm packs', () => {
  const { name, version } = JSON.parse(textOf('package.json'));
  expect(textOf('README.md').match(/\.\/\S+\.tgz/g)).toEqual([`./${name}-${version}.tgz`]);
});

test.each(['CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md'])('every file and folder that %s names exists', (document) => {
  const names = [...textOf(document).matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !OTHERS.test(name) && !['', 'src'].some((folder) => existsSync(join(root, folder, name))));
  expect(names.length).toBeGreaterThan(10);
  expect(missing, 'Names are relative to the root or to src/.').toEqual([]);
});

test('each threat of a shared server has its measure, and a test that holds it', () => {
  const [, section = ''] = textOf('SECURITY.md').split('\n### A shared server\n');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:Threat|---)/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '').trim()));
  for (const [threat, measure, tests = ''] of cells) {
    const files = codeIn(tests);
    expect({ threat, measured: measure !== '', files: files.length > 0 }).toEqual({ threat, measured: true, files: true });
    for (const file of files) expect(file).toMatch(/^test\/[\w/.-]+\.test\.ts$/);
  }
});

/** The files that a row names without their folder, and that are in none of the folders that it named before. */
function misplacedIn(row: string): string[] {
  const folders = new Set<string>();
  return codeIn(row).filter((name) => {
    if (/^[\w.-]+\/[\w./-]*$/.test(name)) folders.add(name.endsWith('/') ? name : dirname(name));
    return /^[\w.-]+\.tsx?$/.test(name) && ![...folders].some((folder) => existsSync(join(root, 'src', folder, name)));
  });
}

function whereToLook(): string[] {
  const [, section = ''] = textOf('docs/architecture.md').split('\n## Where to look\n');
  return section.split('\n').filter((line) => line.startsWith('| '));
}

test('every file that “Where to look” names without its folder is in one that its row named before', () => {
  const rows = whereToLook();
  expect(rows.length).toBeGreaterThan(50);
  expect(misplacedIn('| add | `changes/asking/`: `ask.ts`, `routes.ts` |')).toEqual(['routes.ts']);
  expect(rows.flatMap((row) => misplacedIn(row).map((name) => `${name}: ${row.slice(0, 60)}`))).toEqual([]);
});

/** Two lines of a wide terminal. */
const MAX_ROW = 250;

test('no row of “Where to look” is longer than two lines', () => {
  expect(whereToLook().filter((row) => row.length > MAX_ROW)).toEqual([]);
});

/** The anchors of a document, as GitHub makes them of its headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): string[] => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test.each(everyDocument)('every link in %s leads to a file and heading that exist', (document) => {
  const broken = [...textOf(document).matchAll(/\]\(([^)]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? document : join(dirname(document), file);
      return !existsSync(join(root, path)) || (anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor));
    });
  expect(broken).toEqual([]);
});

/** The name is not ours in any registry, so following such a command or link would run a stranger's package. `./` is a file. */
test.each([...everyDocument, 'manifest.json'])('%s contains no command or link that fetches this package from a registry', (document) => {
  const text = textOf(document);
  expect(text).not.toMatch(
    /\b(npx|npm (install|i|exec|x|create)|bunx|pnpm (dlx|add)|yarn (dlx|add))\b[^`\n]*(?<!\.\/)\bvideo-hosting-mcp\b/,
  );
  expect(text).not.toMatch(/\/mcp\/install\?|install-mcp\?/);
});

/** The words between backticks. */
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

/** The code in the first cell of each row of the first table of a section whose head begins with `head`. */
function firstColumn(document: string, heading: string, head: string): string[] {
  const [, section = ''] = textOf(document).split(`\n## ${heading}\n`);
  const [, table = ''] = section.split(`\n| ${head} |`);
  const [, , ...lines] = (table.split('\n\n')[0] ?? '').split('\n');
  return lines.map((line) => codeIn(line.split('|')[1] ?? '').join());
}

test('each value of VIDEO_HOSTING_CONFIRM has a row that says how it confirms', () => {
  expect(firstColumn('docs/settings.md', 'How a change is confirmed', 'Value').toSorted()).toEqual(CONFIRM_MODE_NAMES.toSorted());
});

test('each kind of rule of a standing approval has a row that says what it allows', () => {
  expect(firstColumn('docs/standing-approvals.md', 'What a rule allows', '`kind`').toSorted()).toEqual(RULE_KINDS.toSorted());
});

test('each event of which a program is told has a row with its fields, and is named by the setting', () => {
  const [, section = ''] = textOf('docs/standing-approvals.md').split('\n## Being told\n');
  const [, table = ''] = section.split(/^\| `kind` \|.*\n.*\n/m);
  const [rows = ''] = table.split('\n\n');
  const fields = new Map<string, string[]>();
  for (const line of rows.split('\n')) {
    const [first = '', , last = ''] = line.split('|').slice(1, -1);
    const [[kind = ''], named] = [codeIn(first), codeIn(last)];
    // A row may say: as that of another.
    fields.set(kind, last.trim().startsWith('as `') ? (fields.get(named[0] ?? '') ?? []) : named);
  }
  const shapes = NotificationSchema.options.map(({ shape }) => shape);
  expect([...fields.keys()].toSorted()).toEqual(shapes.map(({ kind }) => kind.value).toSorted());
  for (const { kind, changeId: _changeId, ...others } of shapes)
    expect(fields.get(kind.value), `Fields of ${kind.value}.`).toEqual(expect.arrayContaining(Object.keys(others)));
  expect(codeIn(SETTINGS.notify.description).toSorted(), 'The setting’s description.').toEqual([...fields.keys()].toSorted());
});
