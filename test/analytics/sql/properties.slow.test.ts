import { test } from 'vitest';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { AWKWARD, answersAreRight, RUNS, VIEWS } from '../support/properties.ts';
import { NOW } from '../support/questions.ts';

test('every answer equals a plain reduction over the demo’s records', { timeout: 900_000 }, async () => {
  const demo = await startService({ views: VIEWS, seed: 5, now: NOW });
  const { client } = await start({ client: 'v2 client, legacy', demo });
  await answersAreRight([client], demo, RUNS);
});

test('every answer is right with repeated and malformed records, mixed offsets and moving totals', { timeout: 900_000 }, async () => {
  const demo = await startService({ views: VIEWS, seed: 5, now: NOW });
  Object.assign(demo.behaviour, AWKWARD);
  const { client } = await start({ client: 'v2 client, modern', demo });
  await answersAreRight([client], demo, Math.ceil(RUNS / 4));
});
