import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { parseConfig } from '../../config/parse-config.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import type { ListedTool } from '../app-contract.ts';
import { CAPABILITIES } from '../listing/confirmation-words.ts';
import { CONDITIONAL_TOOLS, OFFERS_ALL } from '../listing/offered.ts';
import { serve } from '../serve.ts';
import { CONFIRMATION_MARK, type RecordedResponses, responseKey, toolKey, VERSION } from './handshake.ts';

const MODERN_VERSION = '2026-07-28';
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

/** A request and the key under which its response is recorded. */
interface Recorded {
  readonly key: string;
  readonly method: string;
  readonly params: object;
}

/** Records the server's responses to the requests that connections begin with. For the build; see `handshake.ts`. */
export async function recordResponses(version: string, argv: readonly string[] = []): Promise<RecordedResponses> {
  const legacy = SUPPORTED_PROTOCOL_VERSIONS.map((protocolVersion): Recorded[] => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'recorder', version: '1.0.0' } };
    // All but `initialize` are the same in all versions.
    const others = ['ping', ...LISTS].map((method) => ({ key: responseKey('legacy', method), method, params: {} }));
    return [{ key: responseKey('legacy', 'initialize', protocolVersion), method: 'initialize', params }, ...others];
  });
  const _meta = { [VERSION]: MODERN_VERSION, [CAPABILITIES]: {} };
  const modern = ['server/discover', ...LISTS].map((method) => ({
    key: responseKey('modern', method, MODERN_VERSION),
    method,
    params: { _meta },
  }));
  const entries = [...legacy, modern].map((requests) => record(version, argv, requests));
  // A key that several versions share is recorded for each of them.
  const lines = new Map((await Promise.all(entries)).flat());
  return Array.from(lines, ([key, result]) => `${key}\t${inAscii(result)}\n`).join('');
}

/** JSON with what is beyond ASCII escaped. */
const inAscii = (json: string): string =>
  json.replace(/[^\0-\x7F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Makes requests on a connection of their own: the results, in JSON, by key. */
async function record(version: string, argv: readonly string[], requests: readonly Recorded[]): Promise<(readonly [string, string])[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const parsed = parseConfig(argv, {});
  // What settings do not offer is left out when a response is sent.
  const config = { ...parsed, settings: { ...parsed.settings, ...OFFERS_ALL, readOnly: parsed.settings.readOnly } };
  const { close } = serve({ config, version, log: () => {}, input, output, confirmation: CONFIRMATION_MARK });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const results: (readonly [string, string])[] = [];
  for (const { key, method, params } of requests) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    const { value } = await lines.next();
    const { result } = JSON.parse(value ?? '{}') as { result?: unknown }; // a line of the protocol
    if (result === undefined) throw new Error(`${method}: ${value}`);
    results.push([key, JSON.stringify(result)]);
    if (method === 'tools/list') results.push(...conditionalTools(result));
  }
  await close();
  return results;
}

function conditionalTools(result: unknown): (readonly [string, string])[] {
  const { tools } = fieldsIn(result) as { readonly tools: readonly ListedTool[] }; // of our own server
  return tools.filter(({ name }) => CONDITIONAL_TOOLS.includes(name)).map((tool) => [toolKey(tool.name), JSON.stringify(tool)]);
}
