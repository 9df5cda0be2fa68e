import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { parseConfig } from '../config/parse-config.ts';
import { CONFIRMATION_MARK, confirmationWords } from './confirmation-words.ts';
import { type RecordedResponses, responseKey } from './handshake.ts';
import { serve } from './serve.ts';

const LEGACY_VERSIONS = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN_VERSIONS = ['2026-07-28'];
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
const clientInfo = { name: 'recorder', version: '1.0.0' };

/** Records the server's responses to the requests that connections begin with. For the build; see `handshake.ts`. */
export async function recordResponses(version: string, argv: readonly string[] = []): Promise<RecordedResponses> {
  const recorded = new Map<string, string>();
  for (const protocolVersion of LEGACY_VERSIONS) {
    const initialize = { protocolVersion, capabilities: {}, clientInfo };
    const results = await record(version, argv, { initialize, ...requests(['ping', ...LISTS], {}) });
    // All but `initialize` are the same in all versions.
    for (const [method, result] of results)
      recorded.set(method === 'initialize' ? responseKey('legacy', method, protocolVersion) : responseKey('legacy', method), result);
  }
  for (const protocolVersion of MODERN_VERSIONS) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const results = await record(version, argv, requests(['server/discover', ...LISTS], { _meta }));
    for (const [method, result] of results) recorded.set(responseKey('modern', method, protocolVersion), result);
  }
  return recorded;
}

const requests = (methods: readonly string[], params: object) => Object.fromEntries(methods.map((method) => [method, params]));

/** The results, in JSON, of requests on one connection: parameters by method. */
async function record(version: string, argv: readonly string[], paramsByMethod: Readonly<Record<string, object>>) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const config = parseConfig(argv, {});
  // This client declares no forms.
  const words = JSON.stringify(confirmationWords(config.settings, false)).slice(1, -1);
  const { close } = serve({ config, version, log: () => {}, input, output });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const results = new Map<string, string>();
  for (const [method, params] of Object.entries(paramsByMethod)) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    const { value } = await lines.next();
    const { result } = JSON.parse(value ?? '{}') as { result?: unknown }; // a line of the protocol
    if (result === undefined) throw new Error(`${method}: ${value}`);
    results.set(method, JSON.stringify(result).replace(words, CONFIRMATION_MARK));
  }
  await close();
  return results;
}
