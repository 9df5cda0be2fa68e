/**
 * One conversation through both ways into the server: past the door, which answers what it knows, and straight to the
 * server itself.
 *
 *   const { ahead, plain } = await bothWays([line, line, 'end']);
 */
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { parseConfig } from '../../src/config.ts';
// Loaded now, so that no call has to wait for it.
import '../../src/mcp/app.ts';
import { createOpening, openDoor } from '../../src/mcp/opening/door.ts';
import { record } from '../../src/mcp/opening/record.ts';
import { type Served, type ServeOptions, serve } from '../../src/mcp/serve.ts';

const VERSION = '0.0.0-test';
const heard = await record(VERSION);

/** Bytes that arrive together, or the end of the input. */
export type Arrival = Buffer | 'end';

export interface Heard {
  /** The lines that came out after each arrival; of several requests that come at once, whichever is done first is answered first. */
  readonly lines: readonly (readonly string[])[];
  /** In no particular order, for the same reason. */
  readonly log: readonly string[];
  /** Whether anything was answered before the server itself was needed. */
  readonly early: boolean;
}

export interface Manner {
  readonly argv?: readonly string[];
  /** Whether the client waits for what an arrival leads to before the next; otherwise all come at once. */
  readonly patient?: boolean;
}

export async function bothWays(arrivals: readonly Arrival[], manner: Manner = {}): Promise<{ ahead: Heard; plain: Heard }> {
  return { plain: await hear(arrivals, manner, straight), ahead: await hear(arrivals, manner, pastTheDoor) };
}

/** Whether the door answers this line, as the first of a connection. */
export function wouldAnswer(line: string): boolean {
  return createOpening(heard.all).answer(line) !== undefined;
}

type Way = (options: ServeOptions) => () => Promise<Served> | undefined;

const straight: Way = (options) => {
  const served = Promise.resolve(serve(options));
  return () => served;
};

/** As `main.ts` does it. */
const pastTheDoor: Way = (options) => {
  const { input, output, log } = options;
  let served: Promise<Served> | undefined;
  const door = openDoor({
    input,
    output,
    answers: options.config.settings.readOnly ? heard.readOnly : heard.all,
    onError: (error) => log(error.message),
    onServerNeeded: () => {
      // The module is loaded before, so that this is the only turn that it takes.
      served = Promise.resolve().then(() => serve({ ...options, begun: door.leave() }));
    },
  });
  return () => served;
};

async function hear(arrivals: readonly Arrival[], { argv = [], patient = true }: Manner, way: Way): Promise<Heard> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const log: string[] = [];
  let text = '';
  let early = false;
  const lines: string[][] = [];
  output.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    early ||= served() === undefined;
  });
  const served = way({ config: parseConfig(argv, {}), version: VERSION, log: (line) => log.push(line), input, output });
  for (const [index, arrival] of arrivals.entries()) {
    if (arrival === 'end') input.end();
    else input.write(arrival);
    const isFollowed = index + 1 < arrivals.length && arrivals[index + 1] !== 'end';
    if (isFollowed && !patient) continue;
    await quiet(() => text.length + log.length);
    lines.push(text.split('\n').slice(0, -1).sort());
    text = '';
  }
  await (await served())?.close();
  return { lines, log: [...log].sort((a, b) => (a < b ? -1 : 1)), early };
}

/** Turns of the event loop in which nothing came, after which nothing will: no answer here waits for anything outside. */
const QUIET_TURNS = 12;

async function quiet(size: () => number): Promise<void> {
  let before = -1;
  for (let still = 0; still < QUIET_TURNS; still += 1) {
    if (size() !== before) still = 0;
    before = size();
    await turn();
  }
}
