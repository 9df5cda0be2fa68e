import { expect } from 'vitest';
import { credentialFingerprint } from '../../src/account/identity.ts';
import type { Dimension } from '../../src/analytics/dimensions.ts';
import type { DemoView } from '../../src/demo/records.ts';
import { ERRORS } from '../../src/errors/codes.ts';
import { answerIn, byDimensions, reachOf } from '../analytics/support/ask.ts';
import { expectedAnswer } from '../analytics/support/oracle.ts';
import type { ToolReply } from '../harness/client.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { type Session, start } from '../harness/start.ts';
import type { Shard } from './servers/shards.ts';
import { madeStore, type TestStore } from './servers/stores.ts';

/** The demo account's views that the tests ask for. */
export const SPAN = { from: '2026-09-01', to: '2026-09-30' };

const GROUP_BY: readonly Dimension[] = ['country'];
export const QUESTION = { ...SPAN, metrics: ['views', 'watch_time', 'unique_viewers'], groupBy: GROUP_BY, limit: 200 };

/** Expects the answer to `QUESTION` that a plain reduction over all views of the service gives. */
export function isRight(reply: ToolReply, demo: DemoService): void {
  const answer = answerIn(reply);
  const records = [...demo.world.views.each()] as DemoView[]; // nothing was added by hand
  const expected = expectedAnswer(records, { ...QUESTION, timezone: 'UTC', filters: {} }, reachOf(answer.coverage));
  expect(answer.coverage).toMatchObject({ complete: true, records: expected.totals.views });
  expect(answer.totals).toEqual(expected.totals);
  expect(new Map(byDimensions(answer, QUESTION.groupBy))).toEqual(expected.rows);
}

/** The code of the error in a reply, found by its hint. */
export const codeOf = ({ text }: ToolReply): string | undefined => Object.entries(ERRORS).find(([, { hint }]) => text.includes(hint))?.[0];

export interface StoreSession extends Session {
  readonly settings: Record<string, string>;
  readonly account: string;
}

/** Starts a server with a store of its own. */
export async function startOn(
  store: TestStore,
  { views = 4_000, demo, url }: { readonly views?: number; readonly demo?: DemoService; readonly url?: string } = {},
): Promise<StoreSession> {
  const settings = await madeStore(store, url);
  const session = await start({ demo: demo ?? (await startService({ views })), env: settings });
  return { ...session, settings, account: credentialFingerprint(session.demo.baseUrl, session.demo.apiKey) };
}

/** A service whose account has its log on this shard. The port of the service determines the shard. */
export async function serviceOn(shards: readonly Shard[], at: number, views = 4_000): Promise<DemoService> {
  for (;;) {
    const demo = await startService({ views });
    const hash = await shards[0]?.query(`SELECT cityHash64('${credentialFingerprint(demo.baseUrl, demo.apiKey)}') % ${shards.length}`);
    if (Number(hash) === at) return demo;
  }
}
