// Makes what is told from code: the README's tables, the examples in CONTRIBUTING.md, manifest.json and server.json. With --check nothing is written, and a
// difference is an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from './generate/commands.mjs';
import { dependencyTable } from './generate/dependencies.mjs';
import { exampleTool } from './generate/example-tool.mjs';
import { figures } from './generate/figures.mjs';
import { firstDifference } from './generate/first-difference.mjs';
import { installLinks } from './generate/install-links.mjs';
import { manifest } from './generate/manifest.mjs';
import { promptTable, resourceTable } from './generate/prompts-and-resources.mjs';
import { replaceBlocks } from './generate/readme-blocks.mjs';
import { serverJson } from './generate/server-json.mjs';
import { settingsTable } from './generate/settings-table.mjs';
import { toolTable } from './generate/tool-table.mjs';
import { loadSource } from './load-source.mjs';
import { root } from './root.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

/** Every generated file as it should be: its name and its text. */
export async function generated() {
  const source = await loadSource(`
    export { clientOf } from './commands/install/clients.ts';
    export { entryFor, SERVER } from './commands/install/entry.ts';
    export { helpText } from './config/help.ts';
    export { missingSettings, SETTINGS } from './config/settings.ts';
    export { parseConfig } from './config.ts';
    export { listing } from './mcp/listing.ts';
    export { prompts } from './mcp/prompts/index.ts';
    export { tools } from './mcp/tools/index.ts';`);
  const made = { ...source, listing: source.listing(), packageJson: JSON.parse(read('package.json')) };
  const blocks = {
    links: installLinks(made),
    figures: figures(read('bench/results.md')),
    tools: toolTable(made),
    prompts: promptTable(made),
    resources: resourceTable(made),
    commands: commands(made),
    settings: settingsTable(made),
    dependencies: dependencyTable(made),
  };
  return {
    'README.md': replaceBlocks(read('README.md'), blocks),
    'CONTRIBUTING.md': replaceBlocks(read('CONTRIBUTING.md'), {
      'a tool that reads': exampleTool(read('test/mcp/examples/get-plan.ts')),
      'a tool that changes': exampleTool(read('test/mcp/examples/rename-channel.ts')),
    }),
    'manifest.json': `${JSON.stringify(manifest(made), null, 2)}\n`,
    'server.json': `${JSON.stringify(serverJson(made), null, 2)}\n`,
  };
}

const checking = process.argv.includes('--check');
const stale = Object.entries(await generated()).filter(([name, text]) => text !== current(name));

if (!checking) {
  for (const [name, text] of stale) writeFileSync(join(root, name), text);
  console.log(stale.length === 0 ? 'Everything generated is up to date.' : `Written: ${stale.map(([name]) => name).join(', ')}.`);
} else if (stale.length > 0) {
  for (const [name, text] of stale) console.error(`${name} is not what the code says. ${firstDifference(current(name), text)}`);
  console.error('Run `npm run generate` and commit what it writes.');
  process.exit(1);
}

function current(name) {
  try {
    return read(name);
  } catch {
    return '';
  }
}
