/** Accounts, processes and commands that share a store. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { answerIn, ask } from '../analytics/support/ask.ts';
import { runCommand } from '../harness/run-command.ts';
import { hold, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { PASSWORD } from './servers/password.ts';
import { freshDatabase, madeStore, STORE_KINDS, startStore } from './servers/stores.ts';
import { QUESTION, SPAN } from './support.ts';

describe.each(STORE_KINDS)('on %s', async (kind) => {
  const store = await startStore(kind);

  test('accounts are separate: each gets its own answers, also after the other’s views were forgotten', async () => {
    const settings = await madeStore(store);
    const [one, other] = [
      await startService({ views: 3_000, seed: 1 }),
      await startService({ views: 5_000, seed: 2, apiKey: 'sk_another/one-9' }),
    ];
    const [mine, theirs] = [await start({ demo: one, env: settings }), await start({ demo: other, env: settings })];
    const alone = [await start({ demo: one }), await start({ demo: other })];
    for (const [at, { client }] of [mine, theirs].entries()) {
      const [shared, own] = [await ask(client, QUESTION), await ask(alone[at]?.client ?? client, QUESTION)];
      expect(shared.totals).toEqual(own.totals);
      expect(shared.rows).toEqual(own.rows);
    }
    const before = answerIn(await theirs.client.callTool('query_analytics', QUESTION));
    const env = { HOME: mine.home, VIDEO_HOSTING_DATA_DIR: mine.dataDir, ...settingsFor(one), ...settings };
    const forgotten = await runCommand(['forget', '--all'], env);
    expect(forgotten).toMatchObject({ code: 0, stderr: '' });
    expect(forgotten.stdout).toMatch(/[1-9][\d,]* views were removed from the analytics store\./);
    expect(answerIn(await theirs.client.callTool('query_analytics', QUESTION)).totals).toEqual(before.totals);
    // The removed views are read again, under a new key, at the next question.
    expect((await ask(mine.client, QUESTION)).totals).toEqual((await ask(alone[0]?.client ?? mine.client, QUESTION)).totals);
  });

  test('processes that share a store read each page from the service only once, also concurrently', async () => {
    const settings = await madeStore(store);
    const demo = await startService({ views: 6_000 });
    const question = { ...QUESTION, from: '2026-01-01' };
    const [one, two] = [await start({ demo, env: settings }), await start({ demo, env: settings })];
    const pages = (): string[] => demo.requests.map(({ body }) => String(JSON.stringify(body))).filter((body) => body.includes('"from"'));
    const letGo = hold(demo, ({ api }) => api === 'stats');
    const first = ask(one.client, question);
    await vi.waitFor(() => expect(pages()).not.toEqual([]), { timeout: 60_000 });
    const second = ask(two.client, question);
    // Gives the second process time to see that the first is reading, or to read the same pages.
    await sleep(1_500);
    letGo();
    const answers = await Promise.all([first, second]);
    expect(answers[1].totals).toEqual(answers[0].totals);
    const asked = pages();
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked).size).toBe(asked.length);
    const third = await start({ demo, env: settings });
    expect((await ask(third.client, question)).rows).toEqual(answers[0].rows);
    expect(pages().length).toBe(asked.length);
  });

  test('`store import` brings the views of a data folder into a store, with the same answers', async () => {
    const demo = await startService({ views: 6_000 });
    const home = freshHome();
    const local = { HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data'), ...settingsFor(demo) };
    const settings = { VIDEO_HOSTING_ANALYTICS_STORE: store.url(freshDatabase()), VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD: PASSWORD };
    expect(await runCommand(['sync', '--from', SPAN.from, '--to', '2026-09-20'], local)).toMatchObject({ code: 0 });
    const unready = await runCommand(['store', 'import'], { ...local, ...settings });
    expect(unready).toMatchObject({ code: 1, stdout: '' });
    expect(unready.stderr).toContain('store init');
    for (const _ of [1, 2]) expect(await runCommand(['store', 'init'], { ...local, ...settings })).toMatchObject({ code: 0, stderr: '' });
    const imported = await runCommand(['store', 'import'], { ...local, ...settings });
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toMatch(/^[1-9][\d,]* views were brought/);
    expect((await runCommand(['store', 'import'], { ...local, ...settings })).stdout).toMatch(
      /^0 views were brought .* were there already/,
    );
    // The rest is read from the service, and viewers that are in both are counted once.
    rmSync(join(home, 'data'), { recursive: true });
    const { client } = await start({ demo, env: settings, home });
    const alone = await start({ demo });
    const [shared, own] = [await ask(client, QUESTION), await ask(alone.client, QUESTION)];
    expect(shared.totals).toEqual(own.totals);
    expect(shared.rows).toEqual(own.rows);
  });
});
