import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.mjs';

// Both servers, over stdio and over HTTP, are made of nearly the same modules, of which a first call that reads a list needs the
// smaller half. V8 reads a file whole, so they are four files: server.cjs and http.cjs, each what it has of its own; core.cjs, what
// they need from the first call on; later.cjs, what is loaded by the first call that needs it. Each module is in one of them alone.

const src = (path) => join(root, 'src', path);

/** What the first call of a list never needs, though it is imported statically, and the functions that are taken of each. */
const CALLED_LATER = {
  'csv-parse': ['parse'],
  'csv-parse/sync': ['parse'],
  'csv-stringify/sync': ['stringify'],
  // What it makes when it is loaded takes a twelfth of a first call’s CPU time.
  'string-width': ['default'],
  'wrap-ansi': ['default'],
  [src('changes/asking/ask-by-form.ts')]: ['askByForm'],
  [src('changes/asking/ask-by-page.ts')]: ['askByPage', 'pageOutcomeText'],
  [src('changes/asking/ask-by-token.ts')]: ['askByToken'],
  [src('changes/kinds/earlier/undoable.ts')]: ['assertUndoable', 'plannedUndo', 'undoOf'],
  [src('changes/kinds/index.ts')]: ['kindOf'],
  [src('changes/kinds/planners.ts')]: ['canBeKept', 'plannerOf', 'argumentsById', 'planOf'],
  [src('changes/tell/form.ts')]: ['formText', 'formTitle', 'untoldInForm'],
  [src('mcp/complete.ts')]: ['complete'],
  [src('mcp/resources/index.ts')]: ['readResource'],
  [src('text/nearest.ts')]: ['mistyped', 'nearest'],
};

/** The same where one module alone keeps the first call from being without it. */
const CALLED_LATER_BY = {
  [src('analytics/questions/whose-views.ts')]: { [src('analytics/resolve/filters.ts')]: ['seenValues'] },
  [src('changes/life/jobs.ts')]: { [src('changes/kinds/videos/outcomes-file.ts')]: ['writeOutcomes'] },
  [src('mcp/call/call-tool.ts')]: { [src('mcp/call/change-reply.ts')]: ['confirmedCall', 'guardedCall', 'runChange', 'runRelease'] },
};

/** What is imported where it is needed. */
const IMPORTED_LATER = [
  'analytics/engine/engine.ts',
  'analytics/ingest/view-sync.ts',
  'analytics/storage/clickhouse/open.ts',
  'analytics/storage/folder/reader.ts',
  'analytics/storage/folder/views-folder.ts',
  'analytics/storage/folder/writer.ts',
  'analytics/workers/worker-pool.ts',
  'changes/standing/read-file.ts',
  'changes/standing/revocations.ts',
  'changes/standing/standing.ts',
  'page/api/api.ts',
  'page/page-problem.ts',
  'page/page.ts',
  'page/server/document.ts',
  'page/shared-page.ts',
].map(src);

/** Imported where it is needed too, and that is with the first call. */
const FIRST_IMPORT = src('mcp/app.ts');

/** The tools of lists, which are in core.cjs; each of the others is loaded when it is called. */
const FIRST_TOOLS = ['list-channels', 'list-projects', 'list-channel-templates', 'list-plans', 'get-channel', 'get-project'];

/** Node’s own that most processes never need, with the functions that are taken. */
const OF_NODE = {
  'node:child_process': ['spawn'],
  'node:zlib': ['crc32', 'createBrotliDecompress', 'createGunzip'],
};

/** The name and the file of each tool in `src/mcp/tools/index.ts`. */
const TOOLS = [
  ...readFileSync(src('mcp/tools/index.ts'), 'utf8').matchAll(/^import \{ (?<tool>\w+) \} from '\.\/(?<file>[\w-]+)\.ts';$/gm),
].map(({ groups }) => groups);
const fileOfTool = (file) => src(`mcp/tools/${file}.ts`);
const isFirst = ({ file }) => FIRST_TOOLS.includes(file);

/** What later.cjs answers, by the number that it has here. */
const UNITS = [
  ...Object.keys(CALLED_LATER),
  ...Object.values(CALLED_LATER_BY).flatMap((rows) => Object.keys(rows)),
  ...IMPORTED_LATER,
  ...TOOLS.filter((tool) => !isFirst(tool)).map(({ file }) => fileOfTool(file)),
];

const LATER_ENTRY = 'entry of later.cjs';

/**
 * Builds the four files into a folder, in two steps: esbuild splits the modules into parts by who needs them, and then puts each file
 * together of its parts. Answers the metafile of the first step, which names the modules.
 */
export async function buildServers(folder, common, plugins) {
  const entryPoints = { server: src('mcp/serve.ts'), http: src('http/serve-http.ts'), later: LATER_ENTRY };
  const split = { format: 'esm', splitting: true, minify: false, supported: {}, write: false, outdir: folder, entryPoints };
  const { outputFiles, metafile } = await build({ ...common, ...split, plugins: [...plugins, intoLater] });
  const parts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const core = reachedFrom(['server.js', 'http.js'], metafile);
  const files = {
    'server.cjs': ['server.js'],
    'http.cjs': ['http.js'],
    'core.cjs': [...core],
    'later.cjs': [...parts.keys()].filter((part) => !core.has(part) && part !== 'server.js' && part !== 'http.js'),
  };
  // Of another build are those of a package that was replaced while a server runs.
  const id = createHash('sha256')
    .update([...parts].flat().join('\n'))
    .digest('hex')
    .slice(0, 16);
  const fileOf = (part) => Object.keys(files).find((file) => files[file].includes(part));
  const contents = {
    'server.cjs': `export * from './server.js';`,
    'http.cjs': `export * from './http.js';`,
    'core.cjs': `export const build = ${JSON.stringify(id)}; export const parts = { ${files['core.cjs'].map((part) => `${JSON.stringify(part)}: () => require('./${part}')`).join(', ')} };`,
    'later.cjs': `export * from './later.js';`,
  };
  for (const file of Object.keys(files)) {
    const stdin = { contents: contents[file], resolveDir: root };
    await build({ ...common, stdin, outfile: join(folder, file), plugins: [together(file, parts, fileOf, id)] });
  }
  return { metafile };
}

/** The parts that are loaded with these, without these. */
function reachedFrom(entries, { outputs }) {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.imports]));
  const reached = new Set(entries);
  for (const part of reached) for (const { path, external } of imports.get(part)) if (!external) reached.add(basename(path));
  return new Set([...reached].filter((part) => !entries.includes(part)));
}

/** In the first step: what later.cjs has is asked of it by its number. */
const intoLater = {
  name: 'into later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^later:/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /./ }, ({ path, kind, importer, namespace, resolveDir }) => {
      const from = path.startsWith('.') ? resolve(resolveDir, path) : path;
      const names = CALLED_LATER[from] ?? CALLED_LATER_BY[importer]?.[from] ?? OF_NODE[from];
      if (path === LATER_ENTRY) return { path, namespace: LATER_ENTRY };
      if (kind === 'dynamic-import' && UNITS.includes(from)) return { path: `later:${UNITS.indexOf(from)}`, external: true };
      if (kind === 'import-statement' && names !== undefined && namespace !== 'package')
        return { path: from, namespace: 'called later', pluginData: names };
      const isAsked = kind === 'dynamic-import' && path.startsWith('.') && path.endsWith('.ts') && from !== FIRST_IMPORT;
      return isAsked
        ? { errors: [{ text: `${path} is imported where it is needed: IMPORTED_LATER in scripts/build/servers.mjs lacks it.` }] }
        : undefined;
    });
    onLoad({ filter: /./, namespace: LATER_ENTRY }, () => ({
      contents: `export const units = [${UNITS.map((path) => `() => require(${JSON.stringify(isAbsolute(path) ? path : `package:${path}`)})`).join(', ')}];`,
      loader: 'js',
      resolveDir: root,
    }));
    // A package may have another form for who requires it, which would be built in beside the one that is imported.
    onResolve({ filter: /^package:/ }, ({ path }) => ({ path: path.slice('package:'.length), namespace: 'package' }));
    onLoad({ filter: /./, namespace: 'package' }, ({ path }) => ({
      contents: `export { ${CALLED_LATER[path].join(', ')} } from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
    onLoad({ filter: /./, namespace: 'called later' }, ({ path, pluginData: names }) => ({
      contents: Object.hasOwn(OF_NODE, path)
        ? callsOf(names, `require(${JSON.stringify(path)})`)
        : `import { unit } from 'later:';\n${callsOf(names, `unit(${UNITS.indexOf(path)})`)}`,
      loader: 'js',
      resolveDir: root,
    }));
    onLoad({ filter: /[\\/]src[\\/]mcp[\\/]tools[\\/]tool-named\.ts$/ }, () => {
      const rows = TOOLS.map(({ tool, file }) => {
        const loaded = isFirst({ file }) ? `require('./${file}.ts')` : `unit(${UNITS.indexOf(fileOfTool(file))})`;
        return `${file.replaceAll('-', '_')}: () => ${loaded}.${tool},`;
      });
      return {
        contents: `import { unit } from 'later:';\nconst load = { __proto__: null, ${rows.join(' ')} };\nexport const toolNamed = (name) => load[name]?.();`,
        loader: 'js',
        resolveDir: src('mcp/tools'),
      };
    });
  },
};

const callsOf = (names, module) =>
  names.map((name) => `export ${name === 'default' ? 'default' : `const ${name} =`} (...given) => ${module}.${name}(...given);`).join('\n');

/** In the second step: the parts of one file, which asks the others for theirs. */
const together = (file, parts, fileOf, id) => ({
  name: 'together',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/[\w-]+\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^later:/ }, ({ path }) => ({ path, namespace: 'later' }));
    onLoad({ filter: /./, namespace: 'later' }, ({ path }) => {
      const number = path.slice('later:'.length);
      const contents =
        number === ''
          ? `exports.unit = (number) => require('./later.cjs').units[number]();`
          : `module.exports = require('./later.cjs').units[${number}]();`;
      return { contents, resolveDir: root };
    });
    onResolve({ filter: /^\.\// }, ({ path }) => {
      const part = path.slice(2);
      if (!parts.has(part)) return undefined;
      return { path: part, namespace: fileOf(part) === file ? 'own' : 'of another' };
    });
    onLoad({ filter: /./, namespace: 'own' }, ({ path }) => ({ contents: parts.get(path), resolveDir: root }));
    onLoad({ filter: /./, namespace: 'of another' }, ({ path }) => ({
      contents: `const { build, parts } = require('./core.cjs');
        if (build !== ${JSON.stringify(id)}) throw new Error('This program was replaced by another version while it ran: restart it.');
        module.exports = parts[${JSON.stringify(path)}]();`,
      resolveDir: root,
    }));
  },
});
