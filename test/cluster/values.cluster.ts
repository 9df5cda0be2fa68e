/** Values arrive unchanged, whatever characters they contain: as literals in statements, and in inserted lines. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literal } from '../../src/analytics/sql/clickhouse-dialect.ts';
import { createConnection } from '../../src/analytics/storage/clickhouse/connection.ts';
import { lineOf } from '../../src/analytics/storage/clickhouse/rows.ts';
import { atEnd } from '../harness/cleanup.ts';
import { PASSWORD } from './servers/password.ts';
import { addressOf, freshDatabase, STORE_KINDS, startStore } from './servers/stores.ts';

/** Texts that break wrong escaping, or that end a statement or begin another. */
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

  test('returns any text literal unchanged', async () => {
    const connection = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 20, maxLength: 20 }), async (texts) => {
        const { rows } = await connection.select(`SELECT ${texts.map((text, index) => `${literal(text)} AS a${index}`).join(', ')}`);
        expect(rows[0]).toEqual(texts);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  test('returns any whole number unchanged, and other numbers are refused', async () => {
    const connection = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.maxSafeInteger(), { minLength: 20, maxLength: 20 }), async (numbers) => {
        const { rows } = await connection.select(`SELECT ${numbers.map((number, index) => `${literal(number)} AS a${index}`).join(', ')}`);
        expect(rows[0]).toEqual(numbers);
      }),
      { numRuns: 10, endOnFailure: true },
    );
    for (const number of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) expect(() => literal(number)).toThrow(TypeError);
  });

  test('stores any inserted text unchanged', async () => {
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
    const { rows } = await connection.select(`SELECT a, b FROM ${database}.t ORDER BY n`);
    expect(rows).toEqual(texts.map((text, at) => [text, text === null ? null : at === 0 ? 0 : -at]));
  });
});
