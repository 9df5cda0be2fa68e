import { fieldsIn, isObject, type Values } from '../../../platform/is-object.ts';

export type Bridge = ReturnType<typeof createBridge>;

/** Longer than any call of the server takes. */
const CALL_MS = 65_000;

/** The host's requests that are answered, with nothing. */
const ANSWERED = ['ping', 'ui/resource-teardown'];

/** JSON-RPC over `postMessage` between the view and the host that shows it. */
export function createBridge() {
  const host = window.parent;
  const pending = new Map<unknown, (answer: Values) => void>();
  const handlers = new Map<string, (params: Values) => void>();
  let lastId = 0;

  // The host's origin is not known; what is sent holds requests only, and answers come from the host's window alone.
  const post = (message: object): void => host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== host || !isObject(data) || data.jsonrpc !== '2.0') return;
    const { id, method, params } = data;
    if (typeof method !== 'string') return pending.get(id)?.(data);
    handlers.get(method)?.(fieldsIn(params));
    if (id === undefined) return;
    post(ANSWERED.includes(method) ? { id, result: {} } : { id, error: { code: -32_601, message: 'The view has no such method.' } });
  });

  return {
    /** Rejects with the host's words where it refuses, or does not answer in time. */
    async request(method: string, params: object, timeoutMs = CALL_MS): Promise<Values> {
      lastId += 1;
      const id = lastId;
      const { error, result } = await new Promise<Values>((resolve) => {
        pending.set(id, resolve);
        setTimeout(resolve, timeoutMs, { error: { message: 'no answer' } });
        post({ id, method, params });
      });
      pending.delete(id);
      if (error !== undefined) throw new Error(String(fieldsIn(error).message ?? 'refused'));
      return fieldsIn(result);
    },
    notify: (method: string, params: object = {}): void => post({ method, params }),
    on: (method: string, handler: (params: Values) => void): void => void handlers.set(method, handler),
  };
}
