/** Data that a shard has lost is noticed: an answer is complete, or the question fails. */
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/errors/codes.ts';
import { ask } from '../analytics/support/ask.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';
import { standBetween } from './servers/between.ts';
import type { Shard, Shards } from './servers/shards.ts';
import { addressOf, freshDatabase, HAS_SHARDS, madeStore, startOwnShards } from './servers/stores.ts';
import { codeOf, isRight, QUESTION, type StoreSession, serviceOn, startOn } from './support.ts';

interface Laid extends StoreSession {
  readonly url: string;
  readonly database: string;
}

/** A store that holds the account's views, with the account's log (`vh_log`) on one of the shards. */
async function lay(store: Shards, recordAt: number, url = store.url(freshDatabase())): Promise<Laid> {
  const session = await startOn(store, { demo: await serviceOn(store.shards, recordAt), url });
  await ask(session.client, QUESTION);
  isRight(await question(session), session.demo);
  return { ...session, url, database: addressOf(url).database };
}

const question = ({ client }: StoreSession) => client.callTool('query_analytics', QUESTION);

const environmentOf = ({ home, dataDir, demo, settings }: Laid) => ({
  HOME: home,
  VIDEO_HOSTING_DATA_DIR: dataDir,
  ...settingsFor(demo),
  ...settings,
});

/** How many rows of the account are on each shard. */
const rowsOn = ({ shards }: Shards, { database, account }: Laid, table: string): Promise<number[]> =>
  Promise.all(
    shards.map(async (shard) => Number(await shard.query(`SELECT count() FROM ${database}.${table}_local WHERE account = '${account}'`))),
  );

async function loseDisk(shard: Shard): Promise<() => Promise<void>> {
  await shard.kill();
  const giveBack = shard.takeDisk();
  await shard.start();
  return async () => {
    await shard.kill();
    giveBack();
    await shard.start();
  };
}

describe.runIf(HAS_SHARDS)('with two shards', async () => {
  const started = HAS_SHARDS ? await startOwnShards() : undefined;
  const shardOf = (at: number): { store: Shards; shard: Shard } => {
    const shard = started?.shards[at];
    if (started === undefined || shard === undefined) throw new Error('There are no shards.');
    return { store: started, shard };
  };

  test.each([0, 1])('shard %i, with the log, comes back without its disk: all views are read again and counted once', async (at) => {
    const { store, shard } = shardOf(at);
    const laid = await lay(store, at);
    const [record, views] = [await rowsOn(store, laid, 'vh_log'), await rowsOn(store, laid, 'vh_views')];
    expect([record[1 - at], Math.min(...views) > 0]).toEqual([0, true]);
    await loseDisk(shard);
    expect(codeOf(await question(laid))).toBe('store_unready');
    // Tables that exist again but are empty are worse: no statement fails any more.
    await madeStore(store, laid.url);
    await ask(laid.client, QUESTION);
    isRight(await question(laid), laid.demo);
    // No log names the rows that the other shard still has. Forgetting their time span removes them permanently.
    const left = await rowsOn(store, laid, 'vh_views');
    expect(left[0] === left[1] ? 0 : left[1 - at]).toBeGreaterThan(views[1 - at] ?? 0);
    expect(await runCommand(['forget', '--to', '2026-11-30'], environmentOf(laid))).toMatchObject({ code: 0, stderr: '' });
    expect(await rowsOn(store, laid, 'vh_views')).toEqual([0, 0]);
    await ask(laid.client, QUESTION);
    isRight(await question(laid), laid.demo);
  });

  test.each([0, 1])('shard %i, without the log, comes back without its disk: questions fail until the views are forgotten', async (at) => {
    const { store, shard } = shardOf(at);
    for (const cure of [['--to', '2026-11-30'], ['--all']]) {
      const laid = await lay(store, 1 - at);
      await loseDisk(shard);
      expect(codeOf(await question(laid))).toBe('store_unready');
      await madeStore(store, laid.url);
      const reply = await question(laid);
      expect([reply.isError, codeOf(reply)]).toEqual([true, 'store_incomplete']);
      const synced = await runCommand(['sync', '--from', QUESTION.from, '--to', QUESTION.to], environmentOf(laid));
      expect(synced).toMatchObject({ code: 1, stdout: '' });
      expect(synced.stderr).toContain(' forget');
      expect(await runCommand(['forget', ...cure], environmentOf(laid))).toMatchObject({ code: 0, stderr: '' });
      await ask(laid.client, QUESTION);
      isRight(await question(laid), laid.demo);
    }
  });

  test.each([0, 1])('shard %i gets its disk back: the answer is as before, and no view is read again', async (at) => {
    const { store, shard } = shardOf(at);
    const laid = await lay(store, 1 - at);
    const giveBack = await loseDisk(shard);
    await madeStore(store, laid.url);
    expect(codeOf(await question(laid))).toBe('store_incomplete');
    await giveBack();
    const read = laid.demo.requests.length;
    isRight(await question(laid), laid.demo);
    expect(laid.demo.requests.slice(read).filter(({ path }) => path.includes('log'))).toEqual([]);
  });

  test.each([0, 1])('shard %i has only some of its tables again: questions fail until the others are created', async (at) => {
    const { store, shard } = shardOf(at);
    const laid = await lay(store, at);
    await loseDisk(shard);
    const made = await shardOf(1 - at).shard.query(`SHOW CREATE TABLE ${laid.database}.vh_views_local`);
    await shard.query(`CREATE DATABASE ${laid.database}`);
    await shard.query(made.replaceAll(String.raw`\'`, "'"));
    expect(codeOf(await question(laid))).toBe('store_unready');
    await madeStore(store, laid.url);
    await ask(laid.client, QUESTION);
    isRight(await question(laid), laid.demo);
  });

  test.each([0, 1])('shard %i loses the log after it was read and before the views are counted: they are read again', async (at) => {
    const { store, shard } = shardOf(at);
    const between = await standBetween(shardOf(0).shard.httpPort);
    const laid = await lay(store, at, store.url(freshDatabase()).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${between.port}`));
    between.see = async (statement) => {
      if (!/^SELECT count\(\*\) FROM \S*vh_views/.test(statement)) return undefined;
      between.see = async () => undefined;
      return async () => void (await shard.query(`TRUNCATE TABLE ${laid.database}.vh_log_local`));
    };
    const read = laid.demo.requests.length;
    const reply = await question(laid);
    expect(laid.demo.requests.slice(read).some(({ path }) => path.includes('log'))).toBe(true);
    expect(reply.text).toContain('read from the service again');
    await ask(laid.client, QUESTION);
    isRight(await question(laid), laid.demo);
  });

  test('a shard gets its views back while they are counted: the question fails', async () => {
    const { store, shard } = shardOf(1);
    const between = await standBetween(shardOf(0).shard.httpPort);
    const laid = await lay(store, 0, store.url(freshDatabase()).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${between.port}`));
    const [views, away] = [`${laid.database}.vh_views_local`, `${laid.database}.away`];
    await shard.query(`RENAME TABLE ${views} TO ${away}`);
    await shard.query(`CREATE TABLE ${views} AS ${away}`);
    between.see = async (statement) => {
      if (!/GROUP BY/.test(statement) || !statement.includes('vh_views')) return undefined;
      between.see = async () => undefined;
      return async () => void (await shard.query(`RENAME TABLE ${views} TO ${laid.database}.empty, ${away} TO ${views}`));
    };
    expect(codeOf(await question(laid))).toBe('store_incomplete');
    between.see = async () => undefined;
    await shard.query(`RENAME TABLE ${views} TO ${laid.database}.empty, ${away} TO ${views}`);
    isRight(await question(laid), laid.demo);
  });

  test('a shard loses its disk while views are read: each answer is complete, or the question fails', async () => {
    for (const [at, waitMs] of [
      [0, 60],
      [1, 120],
      [0, 250],
      [1, 500],
    ] as const) {
      const { store, shard } = shardOf(at);
      const url = store.url(freshDatabase());
      const session = await startOn(store, { demo: await serviceOn(store.shards, 1, 12_000), url });
      const laid = { ...session, url, database: addressOf(url).database };
      const reply = question(laid);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await loseDisk(shard);
      await madeStore(store, url);
      const first = await reply;
      if (!first.isError && (first.data as { coverage: { complete: boolean } }).coverage.complete) isRight(first, laid.demo);
      // Other processes that were reading may have to be waited for.
      const failed = await ask(laid.client, QUESTION).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (failed !== undefined) {
        expect(failed).toContain(ERRORS.store_incomplete.hint);
        await runCommand(['forget', '--all'], environmentOf(laid));
        await ask(laid.client, QUESTION);
      }
      isRight(await question(laid), laid.demo);
    }
  });
});

describe.runIf(HAS_SHARDS)('with two replicas', async () => {
  const started = HAS_SHARDS ? await startOwnShards(3) : undefined;

  test.each([1, 2])('replica %i loses its views: each answer is complete, or the question fails', async (at) => {
    const shard = started?.shards[at];
    if (started === undefined || shard === undefined) throw new Error('There are no shards.');
    const laid = await lay(started, 0, started.url(freshDatabase(), 'copies'));
    await shard.query(`TRUNCATE TABLE ${laid.database}.vh_views_local`);
    for (let round = 0; round < 30; round += 1) {
      const reply = await question(laid);
      if (reply.isError) expect(codeOf(reply)).toBe('store_incomplete');
      else isRight(reply, laid.demo);
    }
  });
});
