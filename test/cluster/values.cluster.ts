/** Values stand in statements as what they are, whatever is in them: by parameter, and in the one door that writes text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literal } from '../../src/analytics/sql/clickhouse-dialect.ts';
import { createConnection } from '../../src/analytics/storage/clickhouse/connection.ts';
import { lineOf } from '../../src/analytics/storage/clickhouse/rows.ts';
import { atEnd } from '../harness/cleanup.ts';
import { PASSWORD } from './servers/password.ts';
import { addressOf, freshDatabase, STORE_KINDS, startStore } from './servers/stores.ts';

/** Where escapes go wrong, and what ends a statement or begins another. */
const PIECES = [
  "'",
  '\\',
  '"',
  '`',
  '\0',
  '\n',
  '\r',
  '\t',
  '\b',
  '\f',
  '\\N',
  '\\x41',
  "\\'",
  ';',
  '--',
  '/*',
  '{1}',
  '{p1:String}',
  '%',
  'é',
  '😀',
  '\u2028',
  'DROP TABLE',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme' })), { maxLength: 12 })
  .map((all) => all.join(''));

describe.each(STORE_KINDS)('%s', async (kind) => {
  const store = await startStore(kind);
  const open = async () => {
    const connection = await createConnection({ address: addressOf(store.url(freshDatabase())), password: PASSWORD, log: () => {} });
    atEnd(() => connection.close());
    return connection;
  };

  test('takes any text as the text it is, both ways', async () => {
    const connection = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 20, maxLength: 20 }), async (texts) => {
        const sql = (bind: (value: string) => string) =>
          `SELECT ${texts.flatMap((text, at) => [`${bind(text)} AS a${at}`, `${literal(text)} AS b${at}`]).join(', ')}`;
        const { rows } = await connection.select({ sql });
        expect(rows[0]).toEqual(texts.flatMap((text) => [text, text]));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  test('takes any whole number, and no other', async () => {
    const connection = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.maxSafeInteger(), { minLength: 20, maxLength: 20 }), async (numbers) => {
        const sql = (bind: (value: number) => string) =>
          `SELECT ${numbers.flatMap((number, at) => [`${bind(number)} AS a${at}`, `${literal(number)} AS b${at}`]).join(', ')}`;
        const { rows } = await connection.select({ sql });
        expect(rows[0]).toEqual(numbers.flatMap((number) => [number, number]));
      }),
      { numRuns: 10, endOnFailure: true },
    );
    for (const number of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) expect(() => literal(number)).toThrow(TypeError);
  });

  test('keeps any text that is written as it is', async () => {
    const connection = await open();
    const { database } = connection.address;
    await connection.runEverywhere(() => `CREATE DATABASE ${database}`);
    await connection.runEverywhere(
      () => `CREATE TABLE ${database}.t (n UInt32, a Nullable(String), b Nullable(Int64)) ENGINE = MergeTree() ORDER BY n`,
    );
    const texts = [...fc.sample(hostile, 500), null, ''];
    async function* lines(): AsyncGenerator<string> {
      for (const [at, text] of texts.entries()) yield lineOf([at, text, text === null ? null : -at]);
    }
    await connection.insert(`${database}.t`, ['n', 'a', 'b'], lines());
    const { rows } = await connection.select({ sql: () => `SELECT a, b FROM ${database}.t ORDER BY n` });
    expect(rows).toEqual(texts.map((text, at) => [text, text === null ? null : at === 0 ? 0 : -at]));
  });
});
