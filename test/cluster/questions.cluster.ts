import { describe, test } from 'vitest';
import type { Behaviour } from '../../src/demo/behaviour.ts';
import { ask } from '../analytics/support/ask.ts';
import { AWKWARD, answersAreRight, RUNS, VIEWS } from '../analytics/support/properties.ts';
import { NOW } from '../analytics/support/questions.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { madeStore, STORE_KINDS, startStore, type TestStore } from './servers/stores.ts';

/** The time span of all views, and the time before it for comparisons. */
const ALL = { from: '2022-12-01', to: '2025-05-31' };

async function holds(stores: readonly TestStore[], behaviour: Partial<Behaviour>, runs: number): Promise<void> {
  const demo = await startService({ views: VIEWS, seed: 5, now: NOW });
  Object.assign(demo.behaviour, behaviour);
  const settings = [{}, ...(await Promise.all(stores.map((store) => madeStore(store))))];
  const sessions = await Promise.all(settings.map((env) => start({ demo, env })));
  const clients = sessions.map(({ client }) => client);
  // For the first questions views are read in pieces, and for the rest completely.
  await answersAreRight(clients, demo, Math.ceil(runs / 10));
  for (const client of clients) await ask(client, ALL);
  await answersAreRight(clients, demo, runs);
}

describe('the embedded engine and every available store', async () => {
  const stores = await Promise.all(STORE_KINDS.map(startStore));
  const named = stores.map(({ name }) => name).join(' and ');

  test(`give the same correct answer to any question: ${named}`, () => holds(stores, {}, RUNS * 4));

  test(`give the same correct answers for awkward records: ${named}`, () => holds(stores, AWKWARD, RUNS));
});
