import { type Fields, fieldsIn, isFields } from './fields.ts';

/** JSON-RPC over `postMessage` between the view and the host that shows it. */
export interface Bridge {
  /** Rejects with the host's words where it refuses, or does not answer in time. */
  request(method: string, params: object, timeoutMs?: number): Promise<unknown>;
  notify(method: string, params?: object): void;
  on(method: string, handler: (params: Fields) => void): void;
}

/** Longer than any call of the server takes. */
const CALL_MS = 65_000;

/** The host's requests that are answered, with nothing. */
const ANSWERED = ['ping', 'ui/resource-teardown'];

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function createBridge(): Bridge {
  const host = window.parent;
  const pending = new Map<number, Pending>();
  const handlers = new Map<string, (params: Fields) => void>();
  let lastId = 0;

  // The host's origin is not told; what is sent holds requests only, and answers come from the host's window alone.
  const post = (message: object): void => host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  function settle({ id, result, error }: Fields): void {
    const waiting = typeof id === 'number' ? pending.get(id) : undefined;
    if (waiting === undefined) return;
    pending.delete(Number(id));
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(String(fieldsIn(error).message ?? 'refused')));
  }

  function receive({ id, method, params }: Fields): void {
    const name = String(method);
    handlers.get(name)?.(fieldsIn(params));
    if (id === undefined) return;
    post(ANSWERED.includes(name) ? { id, result: {} } : { id, error: { code: -32_601, message: 'The view has no such method.' } });
  }

  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== host || !isFields(data) || data.jsonrpc !== '2.0') return;
    if (data.method === undefined) settle(data);
    else receive(data);
  });

  return {
    request(method, params, timeoutMs = CALL_MS) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          pending.delete(id);
          reject(new Error('no answer'));
        }, timeoutMs);
        const end = () => clearTimeout(timer);
        pending.set(id, { resolve: (result) => [end(), resolve(result)], reject: (error) => [end(), reject(error)] });
        post({ id, method, params });
      });
    },
    notify: (method, params = {}) => post({ method, params }),
    on: (method, handler) => void handlers.set(method, handler),
  };
}
