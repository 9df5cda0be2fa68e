import { posix } from 'node:path';

/**
 * The entry for the MCP registry, by its schema of 2025-12-11: the published package and the settings it takes. Who
 * publishes has to own the namespace of `mcpName` in package.json, which the registry looks up there.
 */
export function serverJson({ kindOf, missingSettings, packageJson, parseConfig, SETTINGS }) {
  const { name, version, mcpName } = packageJson;
  const required = missingSettings(parseConfig([], {}).settings);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Video hosting',
    // The registry takes up to 100 characters.
    description: 'Runs a video hosting account: channels, view analytics, bulk moves; a person confirms each change.',
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: Object.values(SETTINGS)
          .filter(({ isOfHttp }) => !isOfHttp)
          .map((row) => variable(row, kindOf(row), required.includes(row.variable))),
      },
    ],
  };
}

function variable({ variable: name, description, choices, secret, default: standard }, { format, read }, isRequired) {
  return {
    name,
    description: description.replaceAll('`', ''),
    format,
    ...(isRequired ? { isRequired } : {}),
    ...(secret ? { isSecret: true } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(standard === undefined ? {} : { default: String(read(standard, posix)) }),
  };
}
