// Writes what follows from the code: tables in README.md and docs/, the examples in CONTRIBUTING.md, manifest.json and
// server.json. With --check it writes nothing and fails where a file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from './generate/commands.mjs';
import { costs } from './generate/costs.mjs';
import { dependencyTable } from './generate/dependencies.mjs';
import { exampleTool } from './generate/example-tool.mjs';
import { firstDifference } from './generate/first-difference.mjs';
import { manifest } from './generate/manifest.mjs';
import { promptTable, resourceTable } from './generate/prompts-and-resources.mjs';
import { replaceBlocks } from './generate/replace-blocks.mjs';
import { serverJson } from './generate/server-json.mjs';
import { settingsSummary, settingsTable } from './generate/settings-table.mjs';
import { questionWords, toolSummary, toolTable } from './generate/tool-table.mjs';
import { loadSource } from './load-source.mjs';
import { root } from './root.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

/** Every generated file as it should be: its name and its text. */
export async function generated() {
  const source = await loadSource(`
    import * as z from 'zod';
    import { StandingFileSchema } from './changes/standing/rules.ts';
    export const standingSchema = () => ({ $id: 'urn:video-hosting-mcp:standing-approvals:1', ...z.toJSONSchema(StandingFileSchema) });
    export { helpText } from './config/help.ts';
    export { kindOf } from './config/kinds.ts';
    export { missingSettings, SETTINGS } from './config/settings.ts';
    export { parseConfig } from './config/parse-config.ts';
    export { listing } from './mcp/listing/listing.ts';
    export { prompts } from './mcp/prompts/index.ts';
    export { tools } from './mcp/tools/index.ts';`);
  const made = { ...source, listing: source.listing(), packageJson: JSON.parse(read('package.json')) };
  const blocks = {
    'README.md': { costs: costs(made), tools: toolSummary(made), settings: settingsSummary(made) },
    'CONTRIBUTING.md': {
      'a tool that reads': exampleTool(read('test/mcp/examples/get-plan.ts')),
      'a tool that changes': exampleTool(read('src/mcp/tools/create-project.ts')),
    },
    'docs/tools.md': { tools: toolTable(made), questions: questionWords(made), prompts: promptTable(made), resources: resourceTable(made) },
    'docs/settings.md': { settings: settingsTable(made), commands: commands(made) },
    'docs/dependencies.md': { dependencies: dependencyTable(made) },
  };
  return {
    ...Object.fromEntries(Object.entries(blocks).map(([name, content]) => [name, replaceBlocks(read(name), generatedNames(content))])),
    'manifest.json': `${JSON.stringify(manifest(made), null, 2)}\n`,
    'server.json': `${JSON.stringify(serverJson(made), null, 2)}\n`,
    'docs/standing-approvals.schema.json': `${JSON.stringify(source.standingSchema(), null, 2)}\n`,
  };
}

const generatedNames = (content) => Object.fromEntries(Object.entries(content).map(([name, text]) => [`generated: ${name}`, text]));

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
