import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { VideoHostingError } from '../../src/errors.ts';
import { type Approval, mintApproval } from '../../src/service/approval.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { createHttp, type HttpOptions } from '../../src/service/http.ts';
import { type DemoOptions, startDemoService } from '../harness/demo.ts';
import { answerWith } from '../harness/loopback.ts';

export const API_KEY = 'demo-api-key';

/** A client of the demo service. Its pauses are recorded instead of waited for. */
export async function startService(options: DemoOptions = {}, overrides: Partial<HttpOptions> = {}) {
  const demo = await startDemoService({ videos: 50, views: 200, ...options });
  onTestFinished(() => demo.close());
  return { demo, ...openClient({ baseUrl: demo.baseUrl, statsUrl: demo.statsUrl, apiKey: demo.apiKey, ...overrides }) };
}

export function openClient(options: HttpOptions) {
  const slept: number[] = [];
  const http = createHttp({
    random: () => 0.5,
    sleep: async (ms) => {
      slept.push(ms);
    },
    ...options,
  });
  onTestFinished(() => http.close());
  return { http, client: createServiceClient(http), slept };
}

/** A client of a service of our own, for answers that the demo service never gives. */
export async function startAnswering(handler: RequestListener, overrides: Partial<HttpOptions> = {}) {
  const url = await answerWith(handler);
  return { url, ...openClient({ baseUrl: url, statsUrl: url, apiKey: API_KEY, ...overrides }) };
}

/** The error that a call rejects with; throws if it succeeds or rejects with an error of another class. */
export async function failure(call: Promise<unknown>): Promise<VideoHostingError> {
  const error = await call.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof VideoHostingError) return error;
  throw error;
}

export function approval(): Approval {
  return mintApproval();
}

/** A text as a branded id or key. */
export function as<T extends string>(text: string): T {
  return text as T; // tests make ids up
}
