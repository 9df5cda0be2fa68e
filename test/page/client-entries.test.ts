/** What the page tells people to give their clients is what `install --url` writes. */
import { expect, test } from 'vitest';
import { CLIENTS, type RemoteForm } from '../../src/commands/install/clients.ts';
import { SERVER } from '../../src/commands/install/document.ts';
import { inputFor, remoteEntry, TOKEN_INPUT } from '../../src/commands/install/remote-entry.ts';
import { MCP_PATH } from '../../src/config/http-address.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { clientEntries, installCommand, TOKEN_VARIABLE } from '../../src/page/views/connect/client-entries.ts';

const URL_OF_SERVER = 'https://videos.example.com';
const address = `${URL_OF_SERVER}${MCP_PATH}`;
const entries = clientEntries(address);
const textOf = (id: string) => entries.find((entry) => entry.id === id)?.text ?? '';
const { variable } = SETTINGS.clientToken;

test('they are the clients for which it writes an entry, with the variable that it names', () => {
  const connected = Object.entries(CLIENTS).flatMap(([id, { remote }]) => (typeof remote === 'string' ? [] : [id]));
  expect(entries.map(({ id }) => id).toSorted()).toEqual(connected.toSorted());
  expect(TOKEN_VARIABLE).toBe(variable);
  expect(installCommand(URL_OF_SERVER)).toBe(`video-hosting-mcp install --url ${URL_OF_SERVER}`);
});

test('entries of files are the same, and commands name the same server, address and variable', () => {
  const cursor = remoteEntry(CLIENTS.cursor, CLIENTS.cursor.remote as RemoteForm, { address, token: { kind: 'environment', variable } });
  expect(JSON.parse(textOf('cursor'))).toEqual({ [CLIENTS.cursor.key]: { [SERVER]: cursor } });
  const vscode = remoteEntry(CLIENTS.vscode, CLIENTS.vscode.remote as RemoteForm, {
    address,
    token: { kind: 'client', input: TOKEN_INPUT },
  });
  expect(JSON.parse(textOf('vscode'))).toEqual({ inputs: [inputFor(TOKEN_INPUT)], [CLIENTS.vscode.key]: { [SERVER]: vscode } });
  for (const id of ['claude-code', 'codex', 'gemini']) {
    expect(textOf(id).split(' ')).toEqual(expect.arrayContaining([SERVER, address]));
    expect(textOf(id)).toContain(variable);
    // No token stands in what goes into a shell’s history.
    expect(textOf(id)).not.toMatch(/vhm_/);
  }
});
