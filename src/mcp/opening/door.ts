import type { Readable, Writable } from 'node:stream';
import { isInitialize, isInitialized, isLegacyRequest, isModernRequest, versionOf } from './messages.ts';

/**
 * The server's results, in JSON, of the requests that nearly every connection begins with, as `record.ts` recorded
 * them. Whatever is missing here has to be answered by the server itself.
 */
export interface Answers {
  /** To `initialize`, by the protocol version that a client asks for. */
  readonly initialize: Readonly<Record<string, string>>;
  /** To requests without arguments after that, by method. */
  readonly legacy: Readonly<Record<string, string>>;
  /** In the newer era, whose requests each name their protocol version: by version and method. */
  readonly modern: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A conversation that has begun without the server. */
export interface Begun {
  /** What it has to hear, in order, to stand where it would; the answers to it have been given. */
  readonly said: readonly unknown[];
  /** What came in after that and nobody has looked at. */
  readonly rest: Buffer;
}

export interface Door {
  /** Stops reading the input, which is paused from then on. */
  leave(): Begun;
}

export interface DoorOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly answers: Answers;
  readonly onError: (error: Error) => void;
  /** Called once, when something comes in that the server has to answer. */
  readonly onServerNeeded: () => void;
}

/** A line that is longer than this before it ends is nothing that could be answered here. */
const MAX_LINE_BYTES = 16_384;

/**
 * Answers what a client asks when it connects (who are you, which tools are there) from texts, so that neither the SDK
 * nor anything else is loaded before a call needs it. Whatever is not exactly known, and everything after it, is left
 * to the server.
 */
export function openDoor({ input, output, answers, onError, onServerNeeded }: DoorOptions): Door {
  const opening = createOpening(answers);
  let rest: Buffer = Buffer.alloc(0);

  const read = (chunk: Buffer): void => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const answer = opening.answer(rest.toString('utf8', 0, end));
      if (answer === undefined) {
        needServer();
        return;
      }
      rest = rest.subarray(end + 1);
      if (answer !== '') output.write(answer);
    }
    if (rest.length > MAX_LINE_BYTES) needServer();
  };
  const needServer = (): void => {
    input.off('data', read).pause();
    onServerNeeded();
  };

  input.on('error', onError).on('data', read);
  return {
    leave() {
      input.off('data', read).off('error', onError).pause();
      return { said: opening.said, rest };
    },
  };
}

/** The state of a connection, as far as it tells how a request is answered. */
type Phase = 'new' | 'discovered' | 'legacy' | 'ready' | 'modern';

/** The conversation so far; apart from any stream. */
export function createOpening(answers: Answers) {
  let phase: Phase = 'new';
  const said: unknown[] = [];
  const enter = (next: Phase, message: unknown): void => {
    phase = next;
    said.push(message);
  };

  /** The result of a request, in JSON; '' for what is no request; undefined for what is not known. */
  function resultOf(message: unknown): string | undefined {
    if (phase === 'legacy' && isInitialized(message)) {
      enter('ready', message);
      return '';
    }
    if (phase === 'legacy' || phase === 'ready') return isLegacyRequest(message) ? own(answers.legacy, message.method) : undefined;
    if (phase !== 'modern' && isInitialize(message)) {
      const result = own(answers.initialize, message.params.protocolVersion);
      if (result !== undefined) enter('legacy', message);
      return result;
    }
    if (!isModernRequest(message)) return undefined;
    const result = own(own(answers.modern, versionOf(message)) ?? {}, message.method);
    // Whoever only asks which versions there are may still go on in the earlier era.
    const next = phase === 'modern' || message.method !== 'server/discover' ? 'modern' : 'discovered';
    if (result !== undefined && next !== phase) enter(next, message);
    return result;
  }

  return {
    said,
    /** The line that answers a line, '' where none does, undefined where the server has to. */
    answer(line: string): string | undefined {
      const message = parsed(line);
      const result = resultOf(message);
      if (result === undefined || result === '') return result;
      const { id } = message as { id: string | number }; // what has a result is a request
      return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
    },
  };
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
