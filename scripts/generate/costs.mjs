import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * What this server costs, for README.md. The tool list is counted, to five hundred, so that a word more changes nothing here;
 * the other figures were measured with `bench/answers.mjs`, `npm run check:package` and the made-up account.
 */
export function costs({ listing: { tools }, packageJson: { license } }) {
  const tokens = tools.map(({ name, description, inputSchema }) => encode(JSON.stringify({ name, description, inputSchema })).length);
  const sum = tokens.reduce((total, one) => total + one, 0);
  return [
    `**Costs** about ${(Math.round(sum / 500) * 500).toLocaleString('en')} tokens of each conversation for ${tools.length} tools, and 100 to 800 for most answers, a fifteenth of what the service sends ([figures](docs/benchmarks.md));`,
    'about ten requests to the service for a change of a channel, one for each 1,000 videos moved or views read, none for views that were read before;',
    `80 MB of disk, and 40 bytes a view. ${license} licence, no telemetry.`,
  ].join(' ');
}
