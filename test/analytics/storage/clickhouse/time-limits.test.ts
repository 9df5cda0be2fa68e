/** Time limits of the user’s queries, and of the storage’s own statements. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { type Connection, createConnection } from '../../../../src/analytics/storage/clickhouse/connection.ts';
import { atEnd } from '../../../harness/cleanup.ts';
import { answerWith } from '../../../harness/loopback.ts';

const VERSION = JSON.stringify({ meta: [{ name: 'version()', type: 'String' }], data: [['26.7.1']], rows: 1 });

/** A server that states its version, and answers everything else with `answer`. */
async function connect(answer: RequestListener): Promise<Connection> {
  const url = await answerWith((request, response) => {
    const pieces: Buffer[] = [];
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => (Buffer.concat(pieces).includes('version()') ? response.end(VERSION) : answer(request, response)));
  });
  const address = { hosts: [new URL(url).host] as const, secure: false, user: 'me', database: 'videos' };
  const connection = await createConnection({ address, password: undefined, log: () => undefined });
  atEnd(() => connection.close());
  return connection;
}

interface Limit {
  readonly timeoutMs: number;
}
/** Passes before what never answers does. */
const SHORT = { timeoutMs: 200 };
/** Never passes before an answer, on however busy a machine. */
const LONG = { timeoutMs: 120_000 };
async function* lines() {
  yield 'a\tb\n';
}

const OWN: readonly (readonly [string, (connection: Connection, how: Limit) => Promise<unknown>])[] = [
  ['a lease', (connection, how) => connection.run('INSERT INTO leases SELECT 1', how)],
  ['an insert', (connection, how) => connection.insert('views', ['a', 'b'], lines(), how)],
  ['a read of the log', (connection, how) => connection.select('SELECT 1', how)],
];
const ASKED: readonly (readonly [string, (connection: Connection, how: Limit) => Promise<unknown>])[] = [
  ['a question', (connection, how) => connection.select('SELECT 1', { ...how, maxRows: 1, purpose: 'question' })],
  ['the caller’s SQL', (connection, how) => connection.stream('SELECT 1', 1, how)],
];

const silent: RequestListener = () => undefined;
const ended: RequestListener = (_, response) =>
  void response.writeHead(500).end('Code: 159. DB::Exception: Timeout exceeded: elapsed 5 seconds, maximum: 5. (TIMEOUT_EXCEEDED)\n');

test.each(OWN)('%s that takes too long fails with store_unreachable, not with query_too_heavy', async (_, send) => {
  const says = (words: string) => ({ code: 'store_unreachable', message: expect.stringContaining(words) as string });
  await expect(send(await connect(silent), SHORT)).rejects.toMatchObject(says('did not answer within 0.2 seconds'));
  await expect(send(await connect(ended), LONG)).rejects.toMatchObject(says('Timeout exceeded'));
});

test.each(ASKED)('%s that takes too long fails with query_too_heavy', async (_, send) => {
  for (const [answer, how] of [
    [silent, SHORT],
    [ended, LONG],
  ] as const)
    await expect(send(await connect(answer), how)).rejects.toMatchObject({ code: 'query_too_heavy' });
});
