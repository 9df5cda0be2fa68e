import type { Dispatcher } from 'undici';
import { type AnswerBody, type Arriving, createAnswerBody } from './answer-body.ts';

/** What the service answered, its body still to be read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AnswerBody;
}

/** One request and its answer. */
export interface Exchange {
  /** Rejects with the transport's own error. */
  readonly answer: Promise<Answer>;
  /** Whether a byte of the request may have gone out. Never false when one has. */
  readonly sent: boolean;
  /** Gives up: fails the answer or its body with `reason`. */
  abort(reason: Error): void;
}

/**
 * Sends one request through a dispatcher. Written on `dispatch` since only that tells, before the first byte, that a
 * request is about to be written to a connection: until then a failure is known to have reached nobody.
 */
export function startExchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Exchange {
  let control: Dispatcher.DispatchController | undefined;
  let aborted: Error | undefined;
  let arriving: Arriving | undefined;
  let fail: (error: Error) => void = () => {};

  const answer = new Promise<Answer>((resolve, reject) => {
    fail = reject;
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        // A dispatcher that starts a second time would send twice; whether to do that is for our own retry rules to decide.
        if (control !== undefined) aborted ??= new Error('the connection was lost');
        if (aborted !== undefined) controller.abort(aborted);
        else control = controller;
      },
      onResponseStart(controller, status, headers) {
        if (status < 200) return;
        arriving = createAnswerBody(controller);
        resolve({ status, headers, body: arriving.body });
      },
      onResponseData(_controller, chunk) {
        arriving?.push(chunk);
      },
      onResponseEnd() {
        arriving?.end();
      },
      onResponseError(_controller, error) {
        if (arriving === undefined) reject(error);
        else arriving.fail(error);
      },
    });
  });

  return {
    answer,
    get sent() {
      return control !== undefined;
    },
    abort(reason) {
      aborted ??= reason;
      control?.abort(reason);
      arriving?.fail(reason);
      fail(reason);
    },
  };
}
