/**
 * Runs one conversation twice: with the server itself, and with the handshake in front of it.
 *
 *   const { direct, recorded } = await bothWays([line, line, 'end']);
 */
import { PassThrough, pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseConfig } from '../../../../src/config/parse-config.ts';
// Loaded here, so that no call has to wait for it.
import '../../../../src/mcp/app.ts';
import { createHandshake } from '../../../../src/mcp/protocol/handshake.ts';
import { recordResponses } from '../../../../src/mcp/protocol/record-responses.ts';
import { type Served, type ServeOptions, serve } from '../../../../src/mcp/serve.ts';

const VERSION = '0.0.0-test';
const responses = await recordResponses(VERSION);

/** Bytes that arrive together, or the end of input. */
export type Arrival = Buffer | 'end';

export interface Conversation {
  /** The output after each arrival, with no character escaped that need not be, sorted: requests that arrive together may be answered in any order. */
  readonly lines: readonly (readonly string[])[];
  readonly log: readonly string[];
  /** The number of writes before the server was loaded. */
  readonly early: number;
}

export async function bothWays(
  arrivals: readonly Arrival[],
  argv: readonly string[] = [],
): Promise<{ direct: Conversation; recorded: Conversation }> {
  return { direct: await converse(arrivals, argv, startDirect), recorded: await converse(arrivals, argv, startRecorded) };
}

/** Returns a function that returns the server once it is loaded. */
type Start = (options: ServeOptions) => () => Promise<Served> | undefined;

const startDirect: Start = (options) => {
  const served = Promise.resolve(serve(options));
  return () => served;
};

/** Starts the server as `main.ts` does. */
const startRecorded: Start = (options) => {
  let served: Promise<Served> | undefined;
  const input = createHandshake({
    output: options.output,
    responses,
    settings: options.config.settings,
    loadServer: () => {
      served = nextTurn().then(() => serve({ ...options, input }));
      return served;
    },
  });
  pipeline(options.input, input, () => {});
  return () => served;
};

async function converse(arrivals: readonly Arrival[], argv: readonly string[], start: Start): Promise<Conversation> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const log: string[] = [];
  const lines: string[][] = [];
  let text = '';
  let early = 0;
  output.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (server() === undefined) early += 1;
  });
  const server = start({ config: parseConfig(argv, {}), version: VERSION, log: (line) => log.push(line), input, output });
  for (const arrival of arrivals) {
    if (arrival === 'end') input.end();
    else input.write(arrival);
    await settle(() => text.length + log.length);
    lines.push(text.split('\n').slice(0, -1).map(unescaped).sort());
    text = '';
  }
  await (await server())?.close();
  return { lines, log, early };
}

const unescaped = (line: string): string => JSON.stringify(JSON.parse(line));

/** Turns of the event loop without output after which none will follow, because no response here waits for I/O. */
const QUIET_TURNS = 12;

async function settle(size: () => number): Promise<void> {
  let before = -1;
  for (let still = 0; still < QUIET_TURNS; still += 1) {
    if (size() !== before) still = 0;
    before = size();
    await nextTurn();
  }
}
