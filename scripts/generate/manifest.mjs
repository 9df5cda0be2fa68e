import { posix } from 'node:path';

/** The MCPB bundle's manifest: the same settings, defaults, tools and prompts as the command's. */
export function manifest({ kindOf, listing, missingSettings, packageJson, parseConfig, prompts, SETTINGS }) {
  const { name, version, description, license, keywords, engines } = packageJson;
  const required = missingSettings(parseConfig([], {}).settings);
  const fields = Object.entries(SETTINGS).flatMap(([id, row]) => (row.isOfHttp ? [] : [[snakeCase(id), row]]));
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Video hosting',
    version,
    description,
    author: { name: `The ${name} maintainers` },
    server: {
      type: 'node',
      entry_point: 'dist/main.cjs',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the bundle's host fills it in
        args: ['${__dirname}/dist/main.cjs'],
        env: Object.fromEntries(fields.map(([id, { variable }]) => [variable, `\${user_config.${id}}`])),
      },
    },
    tools: listing.tools.map((tool) => ({ name: tool.name, description: tool.description })),
    prompts: prompts.map(promptEntry),
    user_config: Object.fromEntries(fields.map(([id, row]) => [id, userConfig(row, kindOf(row), required.includes(row.variable))])),
    keywords,
    license,
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
  };
}

function promptEntry({ name, description, arguments: args, text }) {
  const names = args.map((arg) => arg.name);
  return { name, description, arguments: names, text: text(Object.fromEntries(names.map((arg) => [arg, `\${arguments.${arg}}`]))) };
}

/** One field of the host's settings form. A field without a default that is left empty counts as unset. */
function userConfig({ choices, title, description, secret, min, max, default: standard }, { field, read }, required) {
  return {
    type: field,
    title,
    description: describe(description, choices),
    required,
    ...(secret ? { sensitive: true } : {}),
    ...(standard === undefined ? {} : { default: read(standard, posix) }),
    ...(min === undefined ? {} : { min, max }),
  };
}

/** In a form, a folder is picked, and nothing stands between backticks. */
function describe(description, choices) {
  const plain = description.replaceAll('`', '').replace('The folder(s), separated as in PATH, that', 'The folder that');
  if (choices === undefined || choices.every((choice) => plain.includes(`${choice} `))) return plain;
  return `${plain} One of: ${choices.join(', ')}.`;
}

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
