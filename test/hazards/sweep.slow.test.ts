/** No personal data and no secret of an account leaves the process or reaches the disk, except by a confirmed export. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientKind } from '../harness/client.ts';
import type { Fault } from '../harness/faults.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { ATTACKS, plantHostileTexts, plantPersonalTokens } from '../harness/planting.ts';
import { API_KEY, type DemoService, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { everyFile, TOKEN, tracesIn } from './secrets-support.ts';
import { callEverything } from './sweep-everything.ts';

/** Faults of every answer, with a planted text in everything that the service then sends. */
const TROUBLES: readonly (readonly [string, (demo: DemoService, planted: string) => void])[] = [
  ['nothing', () => {}],
  [
    'odd fields',
    ({ behaviour }) => void Object.assign(behaviour, { extraFields: true, nullFields: 0.3, missingFields: 0.2, malformedViewEvery: 3 }),
  ],
  ...[400, 401, 403, 404, 418, 422, 429, 500].map(
    (code) => [`status ${code}`, always((planted) => ({ kind: 'status', code, retryAfter: 0, body: bodyOf(planted) }))] as const,
  ),
  ['an HTML page', always((planted) => ({ kind: 'status', code: 200, body: `<html>${planted}` }))],
  [
    'another shape',
    always((planted) => ({
      kind: 'status',
      code: 200,
      body: { [planted]: planted, pager: { page: planted }, channels: [planted], projects: { a: planted }, views: [{ geo: planted }] },
    })),
  ],
  [
    'records of the wrong kind',
    always((planted) => ({ kind: 'status', code: 200, body: [{ key: 7, name: planted, email: { [planted]: planted }, id: [planted] }] })),
  ],
  ['a redirect', always((planted) => ({ kind: 'redirect', location: `https://elsewhere.example/${encodeURIComponent(planted)}` }))],
  ['half a body', always(() => ({ kind: 'truncate' }))],
  ['a lost answer', always(() => ({ kind: 'reset-after' }))],
];

function always(make: (planted: string) => Fault): (demo: DemoService, planted: string) => void {
  return (demo, planted) => demo.faults.always({ do: make(planted) });
}

function bodyOf(planted: string): unknown {
  return {
    message: planted,
    title: planted,
    detail: planted,
    error: planted,
    type: planted,
    traceId: planted,
    invalidVideoKeys: [planted],
  };
}

const KINDS: readonly ClientKind[] = ['v1 client', 'raw lines, modern'];

/** Each fault with one of the kinds of clients, and no fault with both. */
const CASES = TROUBLES.flatMap(([name, plant], at) =>
  (at === 0 ? KINDS : [KINDS[at % KINDS.length] ?? 'v1 client']).map((kind) => [kind, name, plant] as const),
);

test.concurrent.each(CASES)(
  '%s, fault: %s: no personal data and no secret is in the output or the data folder',
  async (kind, name, trouble) => {
    const demo = await startService({ channels: 8, projects: 4, videos: 30, views: 200, accessToken: TOKEN });
    plantHostileTexts(demo.world);
    const planted = plantPersonalTokens(demo.world).map(({ token }) => token);
    expect(planted.length).toBeGreaterThan(20);
    const home = freshHome();
    const files = join(home, 'files');
    mkdirSync(files);
    const env = {
      VIDEO_HOSTING_CONFIRM: 'token',
      VIDEO_HOSTING_STATS_AUTH: 'bearer',
      VIDEO_HOSTING_ACCESS_TOKEN: TOKEN,
      VIDEO_HOSTING_FILES_DIR: files,
      VIDEO_HOSTING_CALL_BUDGET_MS: '20000',
    };
    const session = await start({ demo, home, client: kind, env });
    // Only secrets are planted in the service's messages: the server can't know which other words in them are personal.
    trouble(demo, `${API_KEY} ${ATTACKS['terminal sequences']} ${Buffer.from(TOKEN).toString('base64')}`);
    const calls = await callEverything(session.client, demo);
    expect(calls).toBeGreaterThan(40);
    expect(demo.requests.length).toBeGreaterThan(30);
    await session.stop();

    const exported = everyFile(files);
    const kept = everyFile(session.dataDir);
    const left = session.output();
    for (const token of planted) {
      expect(left).not.toContain(token);
      expect(kept).not.toContain(token);
    }
    expect(tracesIn(left)).toEqual([]);
    expect(tracesIn(kept)).toEqual([]);
    expect(tracesIn(exported)).toEqual([]);
    expect(hiddenIn(left)).toEqual([]);
    // The confirmed export is the only place with personal data.
    if (name === 'nothing') expect(exported).toContain('pii-email-1@example.com');
  },
);

test('the built command writes no personal data and no secret to stdout, stderr or its home folder', async () => {
  const demo = await startService({ channels: 8, projects: 4, videos: 30, views: 200 });
  plantHostileTexts(demo.world);
  const planted = plantPersonalTokens(demo.world).map(({ token }) => token);
  const session = await start({ demo, via: 'process', env: { VIDEO_HOSTING_CONFIRM: 'never', VIDEO_HOSTING_STATS_AUTH: 'bearer' } });
  await callEverything(session.client, demo);
  await session.stop();
  const everything = session.output() + everyFile(session.home);
  expect(everything.length).toBeGreaterThan(10_000);
  for (const token of planted) expect(everything).not.toContain(token);
  expect(tracesIn(everything)).toEqual([]);
});
