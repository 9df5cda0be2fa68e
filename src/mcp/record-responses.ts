import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { parseConfig } from '../config/parse-config.ts';
import type { RecordedResponses } from './handshake.ts';
import { serve } from './serve.ts';

const LEGACY_VERSIONS = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN_VERSIONS = ['2026-07-28'];
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
const clientInfo = { name: 'recorder', version: '1.0.0' };

/** Asks the server, in each version of the protocol, what connections begin with. For the build; see `handshake.ts`. */
export async function recordResponses(version: string, argv: readonly string[] = []): Promise<RecordedResponses> {
  const initialize: Record<string, string> = {};
  const modern: Record<string, RecordedResponses['legacy']> = {};
  let legacy: RecordedResponses['legacy'] = {};
  for (const protocolVersion of LEGACY_VERSIONS) {
    const { ask, close } = connect(version, argv);
    initialize[protocolVersion] = await ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
    // They are the same in all of them.
    legacy = await askAll(['ping', ...LISTS], ask);
    await close();
  }
  for (const protocolVersion of MODERN_VERSIONS) {
    const { ask, close } = connect(version, argv);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    modern[protocolVersion] = await askAll(['server/discover', ...LISTS], (method) => ask(method, { _meta }));
    await close();
  }
  return { initialize, legacy, modern };
}

async function askAll(methods: readonly string[], ask: (method: string) => Promise<string>): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const method of methods) results[method] = await ask(method);
  return results;
}

/** A connection to a server of its own; `ask` answers the result of a request, in JSON. */
function connect(version: string, argv: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { close } = serve({ config: parseConfig(argv, {}), version, log: () => {}, input, output });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  async function ask(method: string, params: object = {}): Promise<string> {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    const { value } = await lines.next();
    const { result } = JSON.parse(value ?? '{}') as { result?: unknown }; // a line of the protocol
    if (result === undefined) throw new Error(`${method}: ${value}`);
    return JSON.stringify(result);
  }
  return { ask, close };
}
