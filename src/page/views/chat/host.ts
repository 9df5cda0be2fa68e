import { type Bridge, createBridge } from './bridge.ts';
import { type Fields, fieldsIn } from './fields.ts';

/** The version of the extension's messages. */
const PROTOCOL_VERSION = '2026-01-26';
const HANDSHAKE_MS = 10_000;

/** The host after the handshake. */
export interface Host {
  readonly bridge: Bridge;
  /** As it was told last. */
  context(): Fields;
  onContext(listener: (context: Fields) => void): void;
  readonly mayCallTools: boolean;
  readonly mayReadResources: boolean;
  /** The arguments and the answer of the call that the view belongs to: each may come late, or never. */
  readonly call: HostCall;
}

export interface HostCall {
  input(): Fields | undefined;
  /** Its text. */
  result(): string | undefined;
  isCancelled(): boolean;
  onChange(listener: () => void): void;
}

export async function connectHost(): Promise<Host> {
  const bridge = createBridge();
  // Listens before it says that it is ready.
  const call = listenToCall(bridge);
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'video-hosting-mcp', title: 'Video hosting', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  };
  const { hostCapabilities, hostContext } = fieldsIn(await bridge.request('ui/initialize', params, HANDSHAKE_MS));
  const { serverTools, serverResources } = fieldsIn(hostCapabilities);
  let context = fieldsIn(hostContext);
  const listeners: ((context: Fields) => void)[] = [];
  bridge.on('ui/notifications/host-context-changed', (changed) => {
    context = { ...context, ...changed };
    for (const listener of listeners) listener(context);
  });
  bridge.notify('ui/notifications/initialized');
  return {
    bridge,
    context: () => context,
    onContext: (listener) => void listeners.push(listener),
    mayCallTools: serverTools !== undefined,
    mayReadResources: serverResources !== undefined,
    call,
  };
}

function listenToCall(bridge: Bridge): HostCall {
  let input: Fields | undefined;
  let result: string | undefined;
  let isCancelled = false;
  const listeners: (() => void)[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  bridge.on('ui/notifications/tool-input', (params) => {
    input = fieldsIn(params.arguments);
    tell();
  });
  bridge.on('ui/notifications/tool-result', (params) => {
    result = textOf(params);
    tell();
  });
  bridge.on('ui/notifications/tool-cancelled', () => {
    isCancelled = true;
    tell();
  });
  return {
    input: () => input,
    result: () => result,
    isCancelled: () => isCancelled,
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The text of a tool's answer. */
export function textOf({ content }: Fields): string {
  const blocks = Array.isArray(content) ? content.map(fieldsIn) : [];
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}
