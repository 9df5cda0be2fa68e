/** Both ends of a connection in one process. Messages are sent as lines of JSON, as on stdio, and every line of the server is recorded. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export interface Lines {
  readonly clientEnd: Transport;
  readonly serverEnd: Transport;
  /** Every line the server wrote so far. */
  readonly written: readonly string[];
}

export function createLines(): Lines {
  const written: string[] = [];
  const clientEnd = createEnd();
  const serverEnd = createEnd();
  clientEnd.deliver = (line) => serverEnd.receive(line);
  serverEnd.deliver = (line) => {
    written.push(line);
    clientEnd.receive(line);
  };
  clientEnd.otherClosed = () => serverEnd.closed();
  serverEnd.otherClosed = () => clientEnd.closed();
  return { clientEnd: clientEnd.transport, serverEnd: serverEnd.transport, written };
}

function createEnd() {
  let isClosed = false;
  let isStarted = false;
  const early: string[] = [];
  const transport: Transport = {
    async start() {
      isStarted = true;
      for (const line of early.splice(0)) end.receive(line);
    },
    async send(message: JSONRPCMessage) {
      if (isClosed) throw new Error('This end is closed.');
      end.deliver(JSON.stringify(message));
    },
    async close() {
      end.closed();
      end.otherClosed();
    },
  };
  const end = {
    transport,
    deliver: (_line: string): void => {},
    otherClosed: (): void => {},
    receive(line: string): void {
      if (!isStarted) early.push(line);
      // Asynchronously, as over a pipe. The receiver validates the message.
      else setImmediate(() => isClosed || transport.onmessage?.(JSON.parse(line) as JSONRPCMessage));
    },
    closed(): void {
      if (isClosed) return;
      isClosed = true;
      transport.onclose?.();
    },
  };
  return end;
}
