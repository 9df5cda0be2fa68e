/** A proxy between a store's clients and one of its nodes, which sees each statement. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { atEnd } from '../../harness/cleanup.ts';
import { endServer, listenOnLoopback } from '../../harness/loopback.ts';

export interface Between {
  readonly port: number;
  /** Called with each statement before it is passed on. The function that it returns is called before the answer is passed back. */
  see: (statement: string) => Promise<(() => Promise<void>) | undefined>;
}

const sized = ({ 'transfer-encoding': _, ...headers }: IncomingHttpHeaders, body: Buffer): IncomingHttpHeaders => ({
  ...headers,
  'content-length': String(body.length),
});

export async function standBetween(port: number): Promise<Between> {
  const between: Between = { port: 0, see: async () => undefined };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const after = await between.see(`${new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('query') ?? ''}${body}`);
    const { method, url: path, headers } = request;
    const there = send({ host: '127.0.0.1', port, method, path, headers: sized(headers, body) });
    there.end(body);
    const [answer] = (await once(there, 'response')) as [IncomingMessage];
    const answered = await buffer(answer);
    await after?.();
    response.writeHead(answer.statusCode ?? 500, sized(answer.headers, answered)).end(answered);
  });
  atEnd(() => endServer(server));
  return Object.assign(between, { port: await listenOnLoopback(server) });
}
