import { code, table } from './markdown.mjs';

/**
 * What each package weighs for a user, rounded, and why it is there. One without a reason here, or a reason without its
 * package, is refused. In the bundles that is the most that one of them holds of it and of what comes with it.
 */
const RUN_TIME = {
  '@duckdb/node-api': ['72 MB', 'Answers questions about views on this machine: the API has records and no totals.'],
  '@resvg/resvg-js': ['4.4 MB', 'Turns a chart into an image.'],
};
const BUILT_IN = {
  '@clickhouse/client': ['80 kB', 'Talks to a ClickHouse store, where views are kept on one.'],
  '@decimalturn/toml-patch': ['160 kB', 'Changes a client’s TOML configuration and keeps its comments and layout.'],
  '@modelcontextprotocol/server': [
    '170 kB',
    'The protocol, by the official SDK’s second generation: one server answers 2026-07-28 and every earlier revision. No other run-time package speaks MCP.',
  ],
  'csv-parse': ['30 kB', 'Reads the CSV files that people export and hand over, with whatever quoting and separators they have.'],
  'csv-stringify': ['10 kB', 'Writes the CSV files that people get.'],
  'dejavu-fonts-ttf': ['1.5 MB', 'The charts’ typeface, so that they look the same everywhere.'],
  'fastest-levenshtein': ['2 kB', 'The nearest right name in every “did you mean”.'],
  'jsonc-parser': ['12 kB', 'Reads clients’ JSON configuration with its comments, as VS Code itself does.'],
  read: ['3 kB', 'Asks at a terminal, without echo where it is a credential; npm’s own. 5, since 6 needs Node 22.'],
  undici: [
    '280 kB',
    'The HTTP client: connection pools, and time limits for connecting, headers and bodies, for which the built-in `fetch` has no options. 7, since 8 needs Node 22.19.',
  ],
  vega: ['570 kB', 'Draws charts.'],
  'vega-lite': ['250 kB', 'Describes charts to vega.'],
  zod: ['110 kB', 'One schema for each shape: TypeScript’s type, the check at run time, and the JSON Schema that clients see.'],
};
const DEVELOPMENT = {
  '@biomejs/biome': 'Lints and formats.',
  '@modelcontextprotocol/client': 'The tests’, the tour’s and the smoke test’s client, for both eras of the protocol.',
  '@modelcontextprotocol/node': 'Puts the server on HTTP for the official conformance suite, which speaks nothing else; only there.',
  '@modelcontextprotocol/sdk': 'The first generation’s client, only in tests and the smoke test: today’s older clients are built on it.',
  '@types/node': 'Types of Node 20, so that nothing newer is used by accident.',
  esbuild: 'Builds the command into one small file that starts fast.',
  'fast-check': 'Tests with generated values: halving, masking, settings.',
  fflate: 'Packs the MCPB bundles, in the same bytes on every machine. The official tool packs with it too, but puts in the time.',
  'gpt-tokenizer': 'Counts what the tool list costs a model, as a test.',
  knip: 'Finds dead code. 5, since 6 needs Node 20.19.',
  typescript: 'What knip reads the code with: 6, since 7 has no interface for programs.',
  'typescript-7': 'Checks types: TypeScript 7, under a name of its own beside the one that knip needs.',
  vite: 'What vitest stands on, pinned: its newer majors need Node 20.19.',
  vitest: 'Runs the tests. 4, since 5 needs Node 22.12.',
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
