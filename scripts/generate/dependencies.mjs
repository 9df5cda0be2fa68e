import { code, table } from './markdown.mjs';

/**
 * What each package weighs for a user, rounded, and why it is there. A package without a reason here, or a reason without
 * a package, is an error. The weight of a built-in package is the most that one built file holds of it and what it needs.
 */
const RUN_TIME = {
  '@duckdb/node-api': ['72 MB', 'Answers questions about views on this machine, since the API has records and no totals.'],
  '@resvg/resvg-js': ['4.4 MB', 'Turns a chart into an image.'],
};
const BUILT_IN = {
  '@atlaskit/pragmatic-drag-and-drop': [
    '18 kB',
    'Sorting by drag on the approval page. It moves no elements itself, so it works with a list of which only a part is in the document; native drag and drop, also by touch.',
  ],
  '@clickhouse/client': ['80 kB', 'Queries the ClickHouse store, where one is set.'],
  '@decimalturn/toml-patch': ['160 kB', 'Changes a client’s TOML configuration and keeps its comments and layout.'],
  '@modelcontextprotocol/node': 'The SDK’s adapter between its handler of requests and `node:http`, for `serve --http`.',
  '@modelcontextprotocol/server': [
    '170 kB',
    'The protocol, by the official SDK’s second generation: one server answers 2026-07-28 and every earlier revision. No other run-time package speaks MCP.',
  ],
  '@tanstack/virtual-core': ['33 kB', 'Lists of 20,000 rows on the approval page, rows of any height, without a framework.'],
  'csv-parse': ['30 kB', 'Reads the CSV files that people export and hand over, with whatever quoting and separators they have.'],
  'csv-stringify': ['10 kB', 'Writes the CSV files that people get.'],
  'dejavu-fonts-ttf': ['1.5 MB', 'The charts’ typeface, so that they look the same everywhere.'],
  'fastest-levenshtein': ['2 kB', 'Finds the nearest valid name for “did you mean”.'],
  'jsonc-parser': ['12 kB', 'Reads clients’ JSON configuration with its comments, as VS Code itself does.'],
  preact: ['14 kB', 'Draws the approval page.'],
  read: ['3 kB', 'Prompts at a terminal, without echo for a credential; npm’s own. Version 5, since 6 needs Node 22.'],
  'string-width': [
    '6 kB',
    'The columns that a text takes on a terminal: wide characters, emoji, combining marks. Version 8, since 9 needs Node 22.',
  ],
  undici: [
    '280 kB',
    'The HTTP client: connection pools, and time limits for connecting, headers and bodies, for which the built-in `fetch` has no options. Version 7, since 8 needs Node 22.19.',
  ],
  vega: ['570 kB', 'Draws charts.'],
  'vega-lite': ['250 kB', 'Describes charts for vega.'],
  'wrap-ansi': ['15 kB', 'Breaks lines between words, for terminals and forms. Version 10, which counts as `string-width` 8 does.'],
  zod: ['110 kB', 'One schema for each shape: TypeScript’s type, the check at run time, and the JSON Schema that clients see.'],
};
const DEVELOPMENT = {
  '@biomejs/biome': 'Lints and formats.',
  '@modelcontextprotocol/client': 'The client of the tests, the tour and the smoke test, for all protocol revisions.',
  '@modelcontextprotocol/sdk': 'The client of the first SDK, only in tests and the smoke test, since many assistants are built on it.',
  '@sparticuz/chromium':
    'A Chromium inside an npm package, for the tests of the approval page: no browser has to be installed, and no install script is run. Version 138, since later ones need Node 22.',
  '@types/node': 'Types of Node 20, so that no newer API is used by accident.',
  'axe-core': 'Finds what the approval page withholds from people who don’t see it or use no mouse.',
  esbuild: 'Builds the command into one small file that starts fast.',
  'fast-check': 'Property tests: halving, masking, settings.',
  fflate: 'Zips the MCPB bundles reproducibly. The official tool uses it too, but writes the time into the file.',
  'gpt-tokenizer': 'Counts the tokens of the tool list in a test.',
  knip: 'Finds dead code. Version 5, since 6 needs Node 20.19.',
  'playwright-core': 'Drives the browser of those tests.',
  typescript: 'The compiler API that knip uses. Version 6, since 7 has none.',
  'typescript-7': 'Checks types. TypeScript 7, under an alias beside the version that knip needs.',
  vite: 'Vitest’s bundler, pinned, since newer major versions need Node 20.19.',
  vitest: 'Runs the tests. Version 4, since 5 needs Node 22.12.',
};

export function dependencyTable({ packageJson: { dependencies, devDependencies } }) {
  const development = Object.fromEntries(Object.entries(DEVELOPMENT).map(([name, why]) => [name, ['–', why]]));
  checkNames(dependencies, RUN_TIME);
  checkNames(devDependencies, { ...BUILT_IN, ...development });
  return table(
    ['Package', 'Version', 'For', 'Weight', 'Why'],
    [
      ...rowsOf(RUN_TIME, 'installed with it', dependencies),
      ...rowsOf(BUILT_IN, 'built in', devDependencies),
      ...rowsOf(development, 'development', devDependencies),
    ],
  );
}

function checkNames(packages, reasons) {
  const unused = Object.keys(reasons).filter((name) => !(name in packages));
  const without = Object.keys(packages).filter((name) => !(name in reasons));
  if (unused.length > 0)
    throw new Error(`scripts/generate/dependencies.mjs gives reasons for packages that are not there: ${unused.join(', ')}.`);
  if (without.length > 0) throw new Error(`scripts/generate/dependencies.mjs gives no reason for ${without.join(', ')}.`);
}

function rowsOf(reasons, use, versions) {
  return Object.entries(reasons).map(([name, [weight, why]]) => [code(name), versions[name], use, weight, why]);
}
