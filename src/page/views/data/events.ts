import type { PageEvent } from '../../contract.ts';
import { tokenHeader } from './page-token.ts';
import type { ConnectionState, Over, SourceEvent } from './source.ts';

/** How long a lost connection may take to come back before the server counts as gone. */
const GRACE_MS = 4_000;

/** For a stream that was refused although the server is there. */
const AGAIN_MS = 2_000;

/** A tab that shares the stream of another one asks it how the connection is. */
const ASK = { type: 'ask' } as const;
/** The server is there, and gives out no stream at the moment. */
const HELD = { type: 'held' } as const;
type Message = SourceEvent | typeof ASK | typeof HELD;

const isOver = (connection: ConnectionState): connection is Over => connection === 'ended' || connection === 'signed-out';

/** A stream doesn’t tell with which status it was refused. Undefined where that is for the moment: too much is asked at once. */
async function whyRefused(): Promise<Over | undefined> {
  const answer = await fetch('api/session', { headers: tokenHeader(), cache: 'no-store', credentials: 'same-origin' }).catch(
    () => undefined,
  );
  if (answer?.status === 401) return 'signed-out';
  return answer?.ok || answer?.status === 429 ? undefined : 'ended';
}

/**
 * Server-sent events, and what their connection tells of the server. A browser makes six connections to a server, and a stream keeps
 * one: the tabs of a session share the stream of the one that holds the lock.
 */
export function createSharedEvents() {
  const listeners = new Set<(event: SourceEvent) => void>();
  // Of the session, whose folder the page is in.
  const name = `events ${location.pathname}`;
  const channel = 'locks' in navigator && 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined;
  let stream: EventSource | undefined;
  let connection: ConnectionState = 'open';
  let grace: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isHeld = false;

  const tell = (event: SourceEvent): void => {
    for (const listener of listeners) listener(event);
  };
  function become(next: ConnectionState): void {
    if (isOver(connection)) return;
    connection = next;
    tell({ type: 'connection', connection });
  }
  function end(how: Over = 'ended'): void {
    clearTimeout(grace);
    clearTimeout(retry);
    stream?.close();
    if (!isOver(connection)) become(how);
  }
  function lose(): void {
    if (connection !== 'open' && !isHeld) return;
    isHeld = false;
    if (connection === 'open') become('lost');
    clearTimeout(grace);
    grace = setTimeout(() => end(), GRACE_MS);
  }
  /** What happens is not told for now; once it is again, all is read anew. */
  function hold(): void {
    clearTimeout(grace);
    isHeld = true;
    if (connection === 'open') become('lost');
  }
  /** Of this tab’s stream, or from the tab whose stream is shared. */
  function take(event: SourceEvent): void {
    if (event.type !== 'connection') tell(event);
    else if (event.connection === 'lost') lose();
    else if (event.connection === 'open') {
      clearTimeout(grace);
      isHeld = false;
      become('open');
    }
    if (event.type === 'ended') end();
    else if (event.type === 'connection' && isOver(event.connection)) end(event.connection);
  }
  function open(): void {
    const share = (event: SourceEvent): void => {
      channel?.postMessage(event satisfies Message);
      take(event);
    };
    const again = (): void => {
      if (isOver(connection)) return;
      channel?.postMessage(HELD satisfies Message);
      hold();
      retry = setTimeout(open, AGAIN_MS * (1 + Math.random()));
    };
    stream = new EventSource('api/events');
    // What was sent before the stream, or between two, is read again.
    stream.onopen = () => share({ type: 'connection', connection: 'open' });
    // A browser connects again by itself, except where it was refused.
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) share({ type: 'connection', connection: 'lost' });
      else void whyRefused().then((over) => (over === undefined ? again() : share({ type: 'connection', connection: over })));
    };
    // What the server of the same build sends.
    stream.onmessage = ({ data }) => share(JSON.parse(data) as PageEvent);
  }
  async function connect(): Promise<void> {
    if (channel === undefined) return open();
    // What a page of the same build and session sends.
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'held') hold();
      else if (data.type !== 'ask') take(data);
      else if (stream !== undefined) channel.postMessage((isHeld ? HELD : { type: 'connection', connection }) satisfies Message);
    };
    /** Kept until the tab is closed. */
    const lead = () => {
      open();
      return new Promise<never>(() => {});
    };
    await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? undefined : lead()));
    await navigator.locks.request(name, lead);
  }
  let isConnecting = false;
  return {
    /** A request got no answer. What a stream tells of the server is certain. */
    suspect(): void {
      if (stream?.readyState === EventSource.OPEN) return;
      lose();
      if (stream === undefined) channel?.postMessage(ASK satisfies Message);
    },
    end,
    listen(listener: (event: SourceEvent) => void) {
      listeners.add(listener);
      if (!isConnecting) void connect();
      isConnecting = true;
      return () => void listeners.delete(listener);
    },
  };
}
