/**
 * The built command with a mark before and after every text of the program's own words. Code that reads, cuts or patches such
 * a text works otherwise there; code that works on data does not, so that without the marks both answer the same.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript';
import { inject } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Letters that no text of a test has, and that have a lower case, so that a text whose first letter is changed shows it. */
const [BEFORE, AFTER] = ['Ж', 'Ю'];
const MARKS = new RegExp(`[${BEFORE}${AFTER}]`, 'g');

export const withoutMarks = (text: string): string => text.replace(MARKS, '');

/**
 * Where words are made. What speaks to the engine or to the disk has texts that are no words, and so have two files that write
 * headers; what reads times, countries and tables goes by words of others.
 */
const MARKED =
  /^src\/(?:errors\.ts|(?:account\/(?!read-table)|analytics\/(?!chart|engine|resolve|sql|storage\/(?!coverage))|service\/(?!body|credentials)|(?:app|changes|config|mcp|text|page\/api)\/))/;

/** Words, and not a name, a list of values or a form of dates. */
const IS_WORDS = /[a-z]{2}[.:,;)]? |[ (][A-Za-z]{2}/;

/** Builds it: its `main.cjs`. */
export async function buildMarkedCommand(): Promise<{ readonly command: string; remove(): void }> {
  const { lazy, lazyUndici, noValidator } = (await import(`../../scripts/build/${'plugins'}.mjs`)) as Record<string, Plugin>; // what it exports
  const built = dirname(inject('command'));
  const folder = mkdtempSync(`${built}-marked-`);
  cpSync(built, folder, { recursive: true });
  await build({
    entryPoints: [join(root, 'src', 'mcp', 'serve.ts')],
    outfile: join(folder, 'server.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['@duckdb/*', '@resvg/*'],
    define: { 'import.meta.dirname': '__dirname' },
    // As in the build: its other form can’t be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    supported: { 'dynamic-import': false },
    plugins: [marks, lazy, lazyUndici, noValidator].filter((plugin) => plugin !== undefined),
    logLevel: 'error',
  });
  return { command: join(folder, 'main.cjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const marks: Plugin = {
  name: 'marks',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      if (!MARKED.test(relative(root, path).replaceAll(sep, '/'))) return undefined;
      return { contents: marked(readFileSync(path, 'utf8')), loader: 'ts' };
    });
  },
};

const MARK = `function __marked(text) { return '${BEFORE}' + text + '${AFTER}'; }`;

/** The source, where each literal that holds words stands in a call of `__marked`. */
function marked(source: string): string {
  const edits: { readonly at: number; readonly text: string }[] = [];
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const whole = wordsIn(node);
    if (whole !== undefined) edits.push({ at: whole.getStart(), text: ' __marked(' }, { at: whole.getEnd(), text: ')' });
    ts.forEachChild(node, visit);
  };
  visit(file);
  // From the end, so that the earlier places stay.
  const text = edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((before, edit) => before.slice(0, edit.at) + edit.text + before.slice(edit.at), source);
  return `${text}\n${MARK}`;
}

/** The expression to mark: a literal with words, together with its tag. */
function wordsIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTaggedTemplateExpression(node)) return node.tag.getText() === 'sentence' && hasWords(node.template) ? node : undefined;
  if (!(ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) || !hasWords(node)) return undefined;
  const { parent } = node;
  const isNoValue =
    ts.isTaggedTemplateExpression(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isImportDeclaration(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isPropertySignature(parent) && parent.name === node);
  return isNoValue ? undefined : node;
}

function hasWords(literal: ts.TemplateLiteral | ts.StringLiteral): boolean {
  const texts = ts.isTemplateExpression(literal)
    ? [literal.head.text, ...literal.templateSpans.map(({ literal: span }) => span.text)]
    : [literal.text];
  return texts.some((text) => IS_WORDS.test(text));
}
