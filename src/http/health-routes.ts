import { VideoHostingError } from '../errors.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { type Exchange, type Route, sendText } from './http-server.ts';
import { HttpRefusal } from './refusal.ts';

/** What looks after a server asks, without a credential and with any `Host`: neither tells anything of the account. */
export function healthRoutes({
  ready,
  log,
}: {
  readonly ready: () => Promise<void>;
  readonly log: (message: string) => void;
}): readonly Route[] {
  return [
    { path: '/healthz', isForAnyHost: true, handle: (exchange) => sayOk(exchange, sentence`The process runs.`) },
    {
      path: '/readyz',
      isForAnyHost: true,
      async handle(exchange) {
        assertRead(exchange);
        await ready().catch((error: unknown) => {
          log(error instanceof VideoHostingError ? error.message : String(error));
          throw new HttpRefusal(503, sentence`Not ready; the server’s log says why.`, { 'retry-after': '10' });
        });
        sayOk(exchange, sentence`The account is open, and its folder can be written.`);
      },
    },
  ];
}

function sayOk(exchange: Exchange, message: Sentence): void {
  assertRead(exchange);
  sendText(exchange.response, 200, message);
}

function assertRead({ request: { method } }: Exchange): void {
  if (method !== 'GET' && method !== 'HEAD') throw new HttpRefusal(405, sentence`Only GET is understood here.`, { allow: 'GET, HEAD' });
}
