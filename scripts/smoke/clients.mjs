import assert from 'node:assert/strict';
import { Client as V2Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Transport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { REVISIONS, startRawClient } from '../raw-client.mjs';

const INFO = { name: 'smoke-test', version: '1.0.0' };
const TIMEOUT_MS = 60_000;

/**
 * The clients that a server meets: the protocol line by line, and both generations of the official SDK, each in every
 * era that it knows. Each starts a server (`command`, `args`, `env`) and answers `listTools`, `call` and `close`.
 */
export const CLIENTS = {
  [`lines of ${REVISIONS.legacy}`]: (server) => openRaw(server, 'legacy'),
  [`lines of ${REVISIONS.modern}`]: (server) => openRaw(server, 'modern'),
  'SDK v1': (server) => openSdk(new V1Client(INFO), new V1Transport(server)),
  [`SDK v2, ${REVISIONS.legacy}`]: (server) => openSdk(v2Client('legacy'), new V2Transport(server), REVISIONS.legacy),
  [`SDK v2, ${REVISIONS.modern}`]: (server) => openSdk(v2Client({ pin: REVISIONS.modern }), new V2Transport(server), REVISIONS.modern),
};

const v2Client = (mode) => new V2Client(INFO, { versionNegotiation: { mode } });

async function openSdk(client, transport, revision) {
  const errors = [];
  client.onerror = (error) => errors.push(error.message);
  await client.connect(transport);
  if (revision !== undefined) assert.equal(client.getNegotiatedProtocolVersion(), revision);
  // The v1 client takes the shape of the result before the options.
  const options = client instanceof V1Client ? [undefined, { timeout: TIMEOUT_MS }] : [{ timeout: TIMEOUT_MS }];
  return {
    listTools: () => client.listTools(),
    call: (name, args) => client.callTool({ name, arguments: args }, ...options),
    close: async () => {
      await client.close();
      // Such as a line on stdout that isn't the protocol's.
      assert.deepEqual(errors, []);
    },
  };
}

async function openRaw({ command, args, env }, era) {
  const client = startRawClient(command, args, { era, env, timeoutMs: TIMEOUT_MS });
  const opened = await client.open();
  assert.ok([opened.protocolVersion, ...(opened.supportedVersions ?? [])].includes(REVISIONS[era]), JSON.stringify(opened));
  return {
    listTools: () => client.request('tools/list'),
    call: (name, args) => client.request('tools/call', { name, arguments: args }),
    close: async () => {
      const end = await client.close();
      assert.equal(end?.code, 0, `the server did not leave by itself: ${JSON.stringify(end)}`);
      assert.deepEqual(client.strayLines, [], 'something other than the protocol on stdout');
    },
  };
}
