import { expect, test } from 'vitest';
import { failureOf } from '../../../src/analytics/engine/failure.ts';

const PART = '/data/parts/a.parquet';
const OTHER = '/data/parts/b.parquet';

test.each([
  [`IO Error: No files found that match the pattern "${PART}"`, 'part_unreadable'],
  [`IO Error: Cannot open file "${PART}": No such file or directory`, 'part_unreadable'],
  [`Invalid Input Error: No magic bytes found at end of file '${PART}'`, 'part_unreadable'],
  [`Invalid Input Error: Failed to read file "${PART}": ZSTD Decompression failure`, 'part_unreadable'],
  [`{"exception_type":"Invalid Input","exception_message":"No magic bytes found at end of file '${PART}'"}`, 'part_unreadable'],
  // After an error that can pass, the part is not lost.
  [`IO Error: Cannot open file "${PART}": Too many open files`, 'failed'],
  [`IO Error: Cannot open file "${PART}": Too many open files in system`, 'failed'],
  [`IO Error: Cannot open file "${PART}": Permission denied`, 'failed'],
  [`{"exception_type":"IO","exception_message":"Cannot open file \\"${PART}\\": Too many open files"}`, 'failed'],
  ['Conversion Error: Could not convert string', 'failed'],
])('%s is classified as %s', (message, kind) => {
  expect(failureOf(new Error(message), [OTHER, PART])).toEqual({ kind, message, ...(kind === 'failed' ? {} : { part: PART }) });
});
