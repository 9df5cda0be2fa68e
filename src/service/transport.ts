import type { Dispatcher } from 'undici';

/** One request on its way. */
export interface Transmission {
  /** The response, its body still to be read. Rejects with the transport's own error, or the signal's reason as soon as it aborts. */
  readonly response: Promise<Dispatcher.ResponseData>;
  /** Whether a byte of the request may have gone out. Never false when one has. */
  readonly sent: boolean;
}

/** Sends one request. Aborting the signal ends it and its body, at any moment. */
export function transmit(dispatcher: Dispatcher, options: Dispatcher.RequestOptions, signal: AbortSignal): Transmission {
  let sent = false;
  // undici calls `onRequestStart` just before it writes to a connection: a failure before that has reached nobody.
  const noteSent: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (given, handler) =>
    dispatch(given, {
      onRequestStart(controller, context) {
        // A dispatcher that starts again by itself would send twice; only our own retry rules decide that.
        if (sent) return controller.abort(new Error('the connection was lost'));
        handler.onRequestStart?.(controller, context);
        sent = !controller.aborted;
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });

  const response = new Promise<Dispatcher.ResponseData>((resolve, reject) => {
    // undici itself would wait for a connection before it heeds the signal.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    dispatcher
      .compose(noteSent)
      .request({ ...options, signal })
      .then(resolve, reject);
  });
  return {
    response,
    get sent() {
      return sent;
    },
  };
}
