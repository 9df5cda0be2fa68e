import { fieldsIn, type Values } from '../../../platform/is-object.ts';
import { type Bridge, createBridge } from './bridge.ts';

/** The version of the extension's messages. */
const PROTOCOL_VERSION = '2026-01-26';
const HANDSHAKE_MS = 10_000;

/** A value that the host changes. */
export interface Watched<T> {
  get(): T;
  onChange(listener: (value: T) => void): void;
}

/** The host after the handshake. */
export interface Host {
  readonly bridge: Bridge;
  readonly context: Watched<Values>;
  readonly mayCallTools: boolean;
  readonly mayReadResources: boolean;
  /** The call that the view belongs to. */
  readonly call: Watched<HostCall>;
}

export interface HostCall {
  /** May come late, or never. */
  readonly input?: Values;
  readonly isCancelled?: boolean;
}

export async function connectHost(): Promise<Host> {
  const bridge = createBridge();
  // Listens before it says that it is ready.
  const call = createWatched<HostCall>({});
  bridge.on('ui/notifications/tool-input', ({ arguments: input }) => call.add({ input: fieldsIn(input) }));
  bridge.on('ui/notifications/tool-cancelled', () => call.add({ isCancelled: true }));
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'video-hosting-mcp', title: 'Video hosting', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  };
  const { hostCapabilities, hostContext } = await bridge.request('ui/initialize', params, HANDSHAKE_MS);
  const { serverTools, serverResources } = fieldsIn(hostCapabilities);
  const context = createWatched(fieldsIn(hostContext));
  bridge.on('ui/notifications/host-context-changed', context.add);
  bridge.notify('ui/notifications/initialized');
  return { bridge, context, mayCallTools: serverTools !== undefined, mayReadResources: serverResources !== undefined, call };
}

function createWatched<T extends object>(first: T): Watched<T> & { add(fields: Partial<T>): void } {
  let value = first;
  const listeners: ((value: T) => void)[] = [];
  return {
    get: () => value,
    onChange: (listener) => void listeners.push(listener),
    add(fields) {
      value = { ...value, ...fields };
      for (const listener of listeners) listener(value);
    },
  };
}
