import { code, table } from './markdown.mjs';

/** Why each package is there. One without a reason here, or a reason without its package, is refused. */
const WHY = {
  '@duckdb/node-api': 'Answers questions about views on this machine: the API has records and no totals.',
  '@modelcontextprotocol/server':
    'The protocol, by the official SDK’s second generation: one server answers 2026-07-28 and every earlier revision. No other run-time package speaks MCP.',
  '@resvg/resvg-js': 'Turns a chart into an image.',
  'csv-parse': 'Reads the CSV files that people export and hand over, with whatever quoting and separators they have.',
  'csv-stringify': 'Writes the CSV files that people get.',
  'fastest-levenshtein': 'The nearest right name in every “did you mean”.',
  undici:
    'The HTTP client: connection pools, and time limits for connecting, headers and bodies, for which the built-in `fetch` has no options. 7, since 8 needs Node 22.19.',
  zod: 'One schema for each shape: TypeScript’s type, the check at run time, and the JSON Schema that clients see.',
  '@biomejs/biome': 'Lints and formats.',
  '@modelcontextprotocol/client': 'The tests’, the tour’s and the smoke test’s client, for both eras of the protocol.',
  '@modelcontextprotocol/sdk': 'The first generation’s client, only in tests and the smoke test: today’s older clients are built on it.',
  '@types/node': 'Types of Node 20, so that nothing newer is used by accident.',
  'dejavu-fonts-ttf': 'The charts’ typeface, so that they look the same everywhere.',
  esbuild: 'Builds the command into one small file that starts fast.',
  'fast-check': 'Tests with generated values: halving, masking, settings.',
  fflate: 'Packs the MCPB bundles, in the same bytes on every machine. The official tool packs with it too, but puts in the time.',
  'gpt-tokenizer': 'Counts what the tool list costs a model, as a test.',
  knip: 'Finds dead code. 5, since 6 needs Node 20.19.',
  typescript: 'What knip reads the code with: 6, since 7 has no interface for programs.',
  'typescript-7': 'Checks types: TypeScript 7, under a name of its own beside the one that knip needs.',
  vega: 'Draws charts.',
  'vega-lite': 'Describes charts to vega.',
  vite: 'What vitest stands on, pinned: its newer majors need Node 20.19.',
  vitest: 'Runs the tests. 4, since 5 needs Node 22.12.',
};

export function dependencyTable({ packageJson: { dependencies, devDependencies } }) {
  const rows = [...rowsOf(dependencies, 'run time'), ...rowsOf(devDependencies, 'development')];
  const unused = Object.keys(WHY).filter((name) => !(name in dependencies) && !(name in devDependencies));
  if (unused.length > 0)
    throw new Error(`scripts/generate/dependencies.mjs gives reasons for packages that are not there: ${unused.join(', ')}.`);
  return table(['Package', 'Version', 'For', 'Why'], rows);
}

function rowsOf(packages, use) {
  return Object.entries(packages).map(([name, version]) => {
    if (WHY[name] === undefined) throw new Error(`scripts/generate/dependencies.mjs gives no reason for ${name}.`);
    return [code(name), version, use, WHY[name]];
  });
}
