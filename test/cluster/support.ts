import { startService } from '../harness/service.ts';
import { type Session, start } from '../harness/start.ts';
import { madeStore, type TestStore } from './servers/stores.ts';

/** The demo account's views that the tests ask for. */
export const SPAN = { from: '2026-09-01', to: '2026-09-30' };

export const QUESTION = { ...SPAN, metrics: ['views', 'watch_time', 'unique_viewers'], groupBy: ['country'], limit: 200 };

/** A server in front of a store of its own. */
export async function startOn(store: TestStore, views = 4_000): Promise<Session & { readonly settings: Record<string, string> }> {
  const settings = await madeStore(store);
  const session = await start({ demo: await startService({ views }), env: settings });
  return { ...session, settings };
}
