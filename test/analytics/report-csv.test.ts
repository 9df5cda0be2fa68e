/** The CSV file of a report, for people and their spreadsheets. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ResultColumn, Scalar } from '../../src/analytics/contract.ts';
import { createReports } from '../../src/analytics/reports.ts';
import { freshHome } from '../harness/start.ts';

async function csvOf(columns: readonly ResultColumn[], rows: readonly (readonly Scalar[])[]): Promise<string> {
  const kept = await createReports(freshHome()).saveTable({ columns, rows, drawing: { about: [] } });
  if (kept.id === undefined) throw new Error(kept.unkept);
  return readFileSync(kept.file, 'utf8');
}

test('starts no formula with any separator, in its header neither', async () => {
  const columns: ResultColumn[] = [
    { name: '=cmd|calc', type: 'text' },
    { name: 'views', type: 'integer' },
  ];
  const text = await csvOf(columns, [
    ['Best of;=HYPERLINK(A1);x', 5],
    ['a|b;+1+1;c', -1],
    ['=1', 0],
  ]);
  for (const delimiter of [',', ';', '\t', '|']) {
    const rows: string[][] = parse(text, { delimiter, relax_quotes: true, relax_column_count: true, bom: true });
    expect(rows.flat().filter((cell) => /^\s*[=+@]|^\s*-(?!1$)/.test(cell))).toEqual([]);
  }
  expect(text).toContain(',-1\n');
});

test('tells no value from an empty text', async () => {
  const columns: ResultColumn[] = [
    { name: 'city', type: 'text' },
    { name: 'views', type: 'integer' },
    { name: 'browser', type: 'text' },
  ];
  const text = await csvOf(columns, [
    ['', 1, null],
    [null, null, ''],
    ['Berlin', 0, 'x'],
  ]);
  expect(text).toBe('\ufeffcity,views,browser\n"",1,\n,,""\nBerlin,0,x\n');
});
