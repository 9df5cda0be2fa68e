// How clients are given a server at an address, as `install --url` writes it, for a person who does it by hand.

/** The variable of a client’s environment that has the token: none of these texts holds one. */
export const TOKEN_VARIABLE = 'VIDEO_HOSTING_CLIENT_TOKEN';
const NAME = 'video-hosting';
const INPUT = `${NAME}-client-token`;

export interface ClientEntry {
  /** As `install --client` calls it. */
  readonly id: string;
  readonly title: string;
  /** What is done with the text, a sentence without its full stop. */
  readonly how: string;
  /** A command for a terminal, or the text of a file. */
  readonly text: string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** What connects each client that can send a token. */
export function clientEntries(address: string): readonly ClientEntry[] {
  // In single quotes the shell leaves it alone: the client puts the token in.
  const header = `--header 'Authorization: Bearer \${${TOKEN_VARIABLE}}'`;
  return [
    {
      ...{ id: 'claude-code', title: 'Claude Code', how: 'At a terminal' },
      text: `claude mcp add --transport http --scope user ${NAME} ${address} ${header}`,
    },
    {
      ...{ id: 'codex', title: 'Codex', how: 'At a terminal' },
      text: `codex mcp add ${NAME} --url ${address} --bearer-token-env-var ${TOKEN_VARIABLE}`,
    },
    {
      ...{ id: 'gemini', title: 'Gemini CLI', how: 'At a terminal' },
      text: `gemini mcp add --transport http --scope user ${NAME} ${address} ${header}`,
    },
    {
      ...{ id: 'cursor', title: 'Cursor', how: 'In ~/.cursor/mcp.json' },
      text: json({ mcpServers: { [NAME]: { url: address, headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` } } } }),
    },
    {
      ...{ id: 'vscode', title: 'VS Code', how: 'In the file of “MCP: Open User Configuration”; it asks for the token itself' },
      text: json({
        inputs: [{ type: 'promptString', id: INPUT, description: 'Client token of the video hosting account (vhm_…)', password: true }],
        servers: { [NAME]: { type: 'http', url: address, headers: { Authorization: `Bearer \${input:${INPUT}}` } } },
      }),
    },
  ];
}

/** Writes all of them at once, and asks for the token. */
export const installCommand = (url: string): string => `video-hosting-mcp install --url ${url}`;
