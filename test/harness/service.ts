/** The service that tests talk to: the demo service on real loopback sockets, with a credential that can be searched for. */

import type { DemoRequest } from '../../src/demo/requests.ts';
import { atEnd } from './cleanup.ts';
import { type DemoOptions, type DemoService, startDemoService } from './demo.ts';
import { gate } from './gate.ts';

export type { DemoService } from './demo.ts';

/** The credential of every test's account. No output may contain it. */
export const API_KEY = 'sk_T0p+Secret/Zq81.kX7';

/** A demo service, closed after the test. Small unless told otherwise. */
export async function startService(options: DemoOptions = {}): Promise<DemoService> {
  const demo = await startDemoService({ views: 500, videos: 200, apiKey: API_KEY, ...options });
  atEnd(() => demo.close());
  return demo;
}

/** The requests it received so far, as `METHOD path`. */
export function pathsOf(demo: DemoService): string[] {
  return demo.requests.map(({ method, path }) => `${method} ${path}`);
}

/** Holds requests until the returned function is called, so that a test needs no timing. */
export function hold({ behaviour }: DemoService, isHeld: (request: DemoRequest) => boolean): () => void {
  const { opened, open } = gate();
  behaviour.onRequest = (request) => (isHeld(request) ? opened : undefined);
  return open;
}

/** Its answers carry the time of a clock that is so much ahead of this machine’s. */
export function setClock({ behaviour }: DemoService, aheadMs: number): void {
  const answer = behaviour.onExchange;
  behaviour.onExchange = async (exchange) => {
    exchange.response.sendDate = false;
    exchange.response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    await answer?.(exchange);
  };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** No test opens a browser, also on a machine that has one. A test of the approval page names a program of its own. */
export const NO_BROWSER = { VIDEO_HOSTING_BROWSER: 'none' };

/**
 * No call is answered before it has ended, however busy the machine is. A test of what a call answers while its change
 * goes on is started with `shortCalls`.
 */
export const NO_HURRY = { VIDEO_HOSTING_CALL_BUDGET_MS: '500000' };
export const SHORT_CALLS = { VIDEO_HOSTING_CALL_BUDGET_MS: '2000' };
/** Of a server that also has to start in the time of its first call. */
export const SHORT_CALLS_OF_PROCESS = { VIDEO_HOSTING_CALL_BUDGET_MS: '5000' };
/** After which a client gives a call up; the SDKs do after a minute. */
export const CLIENT_TIMEOUT_MS = 550_000;

/** The settings with which a server reaches this service. */
export function settingsFor(demo: DemoService): Record<string, string> {
  return {
    VIDEO_HOSTING_BASE_URL: demo.baseUrl,
    VIDEO_HOSTING_STATS_URL: demo.statsUrl,
    VIDEO_HOSTING_API_KEY: demo.apiKey,
  };
}
