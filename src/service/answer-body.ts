import type { Dispatcher } from 'undici';

/** The body of an answer as it comes, for one reader. What has come is kept until it is taken. */
export interface AnswerBody {
  /** All that has come since the last time, once there is any; undefined at the end. Rejects with what broke it off. */
  take(): Promise<readonly Buffer[] | undefined>;
  /** Reads no more of it. One that is still coming takes its connection with it. */
  leave(): void;
}

/** The other end of a body, where it arrives. */
export interface Arriving {
  readonly body: AnswerBody;
  push(chunk: Buffer): void;
  end(): void;
  /** What was not taken yet is lost too. */
  fail(reason: Error): void;
}

/** What may wait for its reader, in bytes, before the connection is held back. */
const MOST_WAITING = 262_144;

/**
 * A queue rather than a stream of Node's: most answers are short, and there by the time that somebody reads them. To
 * make a stream, and to iterate over it, costs more than all the rest of such a request.
 */
export function createAnswerBody(controller: Dispatcher.DispatchController): Arriving {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let isHeldBack = false;
  let hasEnded = false;
  let broken: Error | undefined;
  let wake = () => {};

  function takeWaiting(): readonly Buffer[] {
    const taken = waiting;
    waiting = [];
    bytes = 0;
    if (isHeldBack) {
      isHeldBack = false;
      controller.resume();
    }
    return taken;
  }

  function fail(reason: Error): void {
    broken ??= reason;
    waiting = [];
    wake();
  }

  return {
    body: {
      async take() {
        while (broken === undefined && waiting.length === 0 && !hasEnded)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        if (broken !== undefined) throw broken;
        return waiting.length > 0 ? takeWaiting() : undefined;
      },
      leave() {
        if (hasEnded || broken !== undefined) return;
        const reason = new Error('the body was left unread');
        fail(reason);
        controller.abort(reason);
      },
    },
    push(chunk) {
      if (broken !== undefined) return;
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= MOST_WAITING && !isHeldBack) {
        isHeldBack = true;
        controller.pause();
      }
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
    fail,
  };
}
