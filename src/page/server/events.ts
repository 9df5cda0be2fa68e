import type { ServerResponse } from 'node:http';
import { sentence } from '../../text/sentence.ts';
import type { PageEvent } from '../contract.ts';
import { PageProblem } from '../page-problem.ts';
import { responseHeaders } from './headers.ts';

/** Windows of one person. */
const MAX_STREAMS = 20;
/** Less than the time after which a silent connection is closed. */
export const HEARTBEAT_MS = 15_000;
/** A browser that reads nothing is cut off. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** The server-sent events of all pages that are open. */
export function createEventStreams(maxStreams = MAX_STREAMS) {
  const streams = new Set<ServerResponse>();
  let closedAt = Number.NEGATIVE_INFINITY;
  const write = (text: string): void => {
    for (const stream of streams) {
      if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
      else stream.write(text);
    }
  };
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    /** Keeps a response open for events. Throws where too many are open. */
    open(response: ServerResponse): void {
      if (streams.size >= maxStreams) throw new PageProblem(503, sentence`The page is open in too many windows. Close some.`);
      response.writeHead(200, responseHeaders('text/event-stream; charset=utf-8'));
      response.write('retry: 1000\n\n');
      streams.add(response);
      response.once('close', () => {
        streams.delete(response);
        closedAt = performance.now();
      });
    },
    send: (event: PageEvent): void => write(`data: ${JSON.stringify(event)}\n\n`),
    isConnected: (): boolean => streams.size > 0,
    /** When the last stream ended, by `performance.now()`. */
    closedAt: (): number => closedAt,
    close(): void {
      clearInterval(heartbeat);
      write(`data: ${JSON.stringify({ type: 'ended' } satisfies PageEvent)}\n\n`);
      for (const stream of streams) stream.end();
      streams.clear();
    },
  };
}

export type Events = ReturnType<typeof createEventStreams>;
