/**
 * The manifest of one platform's bundle: the project's, with its platform and icon.
 *
 * On macOS Claude Desktop runs what is started as plain `node` inside its own application, which refuses native
 * libraries that others signed, and whose binary can't be started as Node (modelcontextprotocol/mcpb#229). So there a
 * script looks for an installed Node.
 */
export function bundleManifest(manifest, { os }) {
  const { server, compatibility } = manifest;
  const config = server.mcp_config;
  return {
    ...manifest,
    icon: 'icon.png',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the bundle's host fills it in
    server: { ...server, mcp_config: os === 'darwin' ? { ...config, command: '/bin/sh', args: ['${__dirname}/start.sh'] } : config },
    compatibility: { ...compatibility, platforms: [os] },
  };
}

/** That script. A program with a window doesn't have the PATH of a terminal, so it looks where Node is usually put. */
export function startScript({ cpu }, { engines }) {
  const [major, minor, patch] = engines.node.replace('>=', '').split('.');
  const check = [
    'const [a, b, c] = process.versions.node.split(".").map(Number)',
    `process.exit(process.arch === "${cpu}" && (a - ${major} || b - ${minor} || c - ${patch}) >= 0 ? 0 : 1)`,
  ];
  return `#!/bin/sh
# Starts the server on the first Node ${engines.node} for ${cpu} that is installed here.
folder=\${0%/*}
for node in "$(command -v node)" /opt/homebrew/bin/node /usr/local/bin/node /opt/local/bin/node \\
  "$HOME/.volta/bin/node" "$HOME"/.nvm/versions/node/*/bin/node "$HOME"/.local/share/fnm/node-versions/*/installation/bin/node \\
  "$HOME"/.asdf/installs/nodejs/*/bin/node "$HOME"/.local/share/mise/installs/node/*/bin/node; do
  [ -x "$node" ] || continue
  "$node" -e '${check.join('; ')}' </dev/null >/dev/null 2>&1 || continue
  exec "$node" "$folder/dist/main.cjs" "$@"
done
echo 'video-hosting-mcp: found no Node ${engines.node} for ${cpu}. Install it from https://nodejs.org and restart the client.' >&2
exit 1
`;
}
