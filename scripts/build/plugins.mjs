import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../root.mjs';

const src = (path) => join(root, 'src', path);

/** Modules that are files of their own beside the command, loaded when they are first imported. */
const LAZY = {
  [src('mcp/serve.ts')]: './server.cjs',
  [src('http/serve-http.ts')]: './http.cjs',
  [src('commands/run-command.ts')]: './commands.cjs',
  [src('demo/service.ts')]: './demo.cjs',
  [src('mcp/protocol/old-node.ts')]: './old-node.cjs',
  [src('analytics/storage/clickhouse/client.ts')]: './clickhouse.cjs',
};

export const lazy = {
  name: 'lazy',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = LAZY[resolve(resolveDir, path)];
      return kind === 'dynamic-import' && file !== undefined ? { path: file, external: true } : undefined;
    });
  },
};

/** Node’s own modules by their names without `node:`, which an old Node does not know. */
export const plainNames = {
  name: 'plain names',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path: path.slice('node:'.length), external: true }));
  },
};

/** Of `package.json` the version alone, which is all that is read of it. */
export const onlyVersion = {
  name: 'only-version',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) =>
      path === join(root, 'package.json')
        ? { contents: JSON.stringify({ version: JSON.parse(readFileSync(path, 'utf8')).version }), loader: 'json' }
        : undefined,
    );
  },
};

/** Puts what a function of `src/mcp/` answers in its module's place, so that it is worked out here and not in each process. */
export const ahead = (module, name, answer) => ({
  name: `ahead ${name}`,
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]mcp[\\/]/ }, ({ path }) =>
      path === src(`mcp/${module}`)
        ? { contents: `const made = ${JSON.stringify(answer)};\nexport const ${name} = () => made;`, loader: 'js' }
        : undefined,
    );
  },
});

/** Puts a module of our own in the place of a package's. */
const instead = (name, filter, contents) => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, () => ({ path: name, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, () => ({ contents, loader: 'js', resolveDir: root }));
  },
});

/**
 * The SDK imports a JSON Schema validator that we replace by our own checks (see server.ts); it is a third of its size. With it a
 * first call takes 22 % more CPU time. That is a median of starts of builds with and without, in turn, as are the figures below;
 * a start up to the list of tools takes the same with and without each of them.
 */
export const noValidator = instead(
  'no-validator',
  /^@modelcontextprotocol\/server\/_shims$/,
  'import process from "node:process"; export { process }; export class DefaultJsonSchemaValidator {}',
);

/** All that we use of undici. The rest of it (`fetch`, WebSocket, mocks) is half of its size; with it a first call takes 30 % more CPU time. */
const UNDICI_EXPORTS = {
  EnvHttpProxyAgent: 'undici/lib/dispatcher/env-http-proxy-agent.js',
  Pool: 'undici/lib/dispatcher/pool.js',
};

/** What `undici.cjs` is made of; its `request` and the like are put on every dispatcher, as its own index does. */
export const undiciEntry = {
  contents: [
    `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';`,
    `import api from 'undici/lib/api/index.js';`,
    'Object.assign(Dispatcher.prototype, api);',
    ...Object.entries(UNDICI_EXPORTS).map(([name, file]) => `export { default as ${name} } from '${file}';`),
  ].join('\n'),
  resolveDir: root,
};

/** No connection of ours speaks HTTP/2, for which undici would load Node's own too: a first call takes 15 % more CPU time with it. */
export const noHttp2 = instead('no-http2', /^\.\/client-h2\.js$/, 'export default undefined;');

/**
 * undici asserts what it expects of the service's bytes. A failed assertion without words has Node parse the source around
 * it for some, which in a file of one long line takes seconds of CPU time, all of them in one go. To load Node's own makes a
 * first call take 17 % more.
 */
export const plainAssert = instead(
  'plain-assert',
  /^node:assert$/,
  `module.exports = (holds, message = 'what was expected does not hold') => {
    if (!holds) throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
  };`,
);

/** The parts of the views with which a person acts are left out where the views only show. */
export const lookOnly = instead(
  'look-only',
  /\/(contents-editor|decision-bar|other-bars)\.tsx$/,
  'const None = () => null; export { None as ContentsEditor, None as DecisionBar, None as OverBar, None as RunningBar };',
);

/**
 * What most starts never call, of what the command is made of, and the functions that are taken of each. To read it would take
 * longer, so it is a file of its own (`seldomEntry`), loaded by the first call of one. It has its own copy of what it imports: nothing
 * that remembers may be among that.
 */
const SELDOM = {
  [src('config/http-address.ts')]: ['isLoopback', 'readListenAddress', 'readPublicUrl', 'readServerUrl'],
  [src('config/second-person.ts')]: ['readSecondPerson'],
  [src('config/store-address.ts')]: ['readStoreAddress', 'storeAddressText'],
  [src('platform/find-own-command.ts')]: ['findOwnCommand', 'findRemovalCommand', 'shellWord'],
  [src('platform/node-permissions.ts')]: ['deniedByNode'],
  [src('text/nearest.ts')]: ['mistyped', 'nearest'],
};

/** What `seldom.cjs` is made of. */
export const seldomEntry = {
  contents: Object.entries(SELDOM)
    .map(([file, names]) => `export { ${names.join(', ')} } from ${JSON.stringify(file)};`)
    .join('\n'),
  resolveDir: root,
};

export const seldom = {
  name: 'seldom',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      const file = resolve(resolveDir, path);
      return kind === 'import-statement' && Object.hasOwn(SELDOM, file) ? { path: file, namespace: 'seldom' } : undefined;
    });
    onResolve({ filter: /^\.\/seldom\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'seldom' }, ({ path }) => ({
      contents: SELDOM[path].map((name) => `export const ${name} = (...given) => require('./seldom.cjs').${name}(...given);`).join('\n'),
      loader: 'js',
      resolveDir: root,
    }));
  },
};

/** undici is a file of its own beside the command, loaded by the first request and shared by all that send one. */
export const lazyUndici = {
  name: 'lazy-undici',
  setup({ onResolve }) {
    onResolve({ filter: /^undici$/ }, ({ importer }) => {
      // What a dynamic import takes is not checked by esbuild: it would just be undefined.
      const taken = [...readFileSync(importer, 'utf8').matchAll(/\{([^{}]*)\}\s*=\s*await import\('undici'\)/g)].flatMap(([, names]) =>
        names.split(','),
      );
      const missing = taken.map((name) => name.trim()).filter((name) => name !== '' && !(name in UNDICI_EXPORTS));
      const errors = missing.map((name) => ({ text: `Of undici only what UNDICI_EXPORTS lists is built in, and ${name} is not there.` }));
      return { path: './undici.cjs', external: true, errors };
    });
  },
};
