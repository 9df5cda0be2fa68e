/** Both ends of a connection in one process. Messages are sent as lines of JSON, as on stdio. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** `onLine` gets every line that the server writes. */
export function createLines(onLine: (line: string) => void): { readonly clientEnd: Transport; readonly serverEnd: Transport } {
  const clientEnd = createEnd();
  const serverEnd = createEnd();
  clientEnd.deliver = (line) => serverEnd.receive(line);
  serverEnd.deliver = (line) => {
    onLine(line);
    clientEnd.receive(line);
  };
  clientEnd.otherClosed = () => serverEnd.closed();
  serverEnd.otherClosed = () => clientEnd.closed();
  return { clientEnd: clientEnd.transport, serverEnd: serverEnd.transport };
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
