import { expect, test } from 'vitest';
import type { Coverage } from '../../../src/analytics/contract.ts';
import { columnNotes, coverageNotes } from '../../../src/mcp/answer/coverage-notes.ts';
import { sentence } from '../../../src/text/sentence.ts';

const DAY_MS = 86_400_000;
const now = Date.now();

function notesOf(fromDays: number, toDays: number, more: Partial<Coverage> = {}, share = 1): string {
  const asked = { fromMs: now + fromDays * DAY_MS, toMs: now + toDays * DAY_MS };
  const dataSpan = { fromMs: now - 90 * DAY_MS, toMs: now };
  const common = { complete: true, asOf: '2026-11-23T10:00:00.000Z', records: 0, rejected: { count: 0, reasons: [] } };
  return coverageNotes({ asked, covered: [asked], dataSpan, ...common, ...more }, share, false).join('\n');
}

test('a time that is to come is not told as complete, and one that is not over is told so', () => {
  expect(notesOf(2, 9)).toBe('NOT YET: the time asked for is to come, so it has no views. Null, - or 0 is no result.');
  expect(notesOf(-20, 9, { records: 3 })).toMatch(/^Complete: .*\. It is not over\.$/);
  expect(notesOf(-20, -1, { records: 3, asOf: new Date(now).toISOString() })).toBe('Complete: all views that the service has are counted.');
});

test('of a time that reaches the present, the first sentence says as of when', () => {
  const asOf = '2026-11-23T10:00:00.000Z';
  expect(notesOf(-20, 0)).toBe(`Complete: all views that the service has are counted, as of ${asOf}.`);
  expect(notesOf(-20, 9)).toBe(`Complete: all views that the service has are counted, as of ${asOf}. It is not over.`);
  // It was over when it was answered, and not when it was read.
  const early = new Date(now - 3 * DAY_MS).toISOString();
  expect(notesOf(-20, -1, { asOf: early })).toContain(`as of ${early}.`);
  expect(notesOf(-20, -1, { asOf: new Date(now).toISOString() })).toBe('Complete: all views that the service has are counted.');
});

test('that the time before is complete too, and when all was read, only the coverage says', () => {
  const asked = { fromMs: now - 20 * DAY_MS, toMs: now - 10 * DAY_MS };
  const coverage = { asked, covered: [asked], dataSpan: { fromMs: now - 90 * DAY_MS, toMs: now }, records: 3, complete: true };
  const read = { asOf: '2026-11-23T10:00:00.000Z', rejected: { count: 0, reasons: [] } };
  expect(coverageNotes({ ...coverage, ...read }, 1, false, 'the time before')).toEqual([]);
  const malformed = { count: 2, reasons: [{ reason: sentence`no date`, count: 2 }] };
  expect(coverageNotes({ ...coverage, ...read, rejected: malformed }, 1, false, 'the time before')).toEqual([
    'Complete: the time before too, without 2 malformed records (no date).',
  ]);
});

test('the first line says that days are in UTC, where no other zone was asked for', () => {
  const asked = { fromMs: now - 20 * DAY_MS, toMs: now - 10 * DAY_MS };
  const coverage = { asked, covered: [asked], dataSpan: { fromMs: now - 90 * DAY_MS, toMs: now }, records: 3, complete: true, asOf: null };
  const notesIn = (zone: string) =>
    coverageNotes({ ...coverage, rejected: { count: 0, reasons: [] } }, 1, false, 'the time asked for', zone);
  expect(notesIn('UTC')).toEqual(['Complete: all views that the service has are counted. Days are in UTC.']);
  expect(notesIn('Asia/Tokyo')).toEqual(['Complete: all views that the service has are counted.']);
});

test('where the last part was read later than the rest, both times are told', () => {
  const newest = { from: '2026-11-23T10:15:00.000Z', asOf: '2026-11-23T10:28:00.000Z' };
  expect(notesOf(-2, 0, { newest })).toContain(
    'as of 2026-11-23T10:00:00.000Z, and those from 2026-11-23T10:15:00.000Z on as of 2026-11-23T10:28:00.000Z.',
  );
});

test('what is stored but not read again since it may have changed is told with its age', () => {
  const newest = { from: '2026-11-23T10:15:00.000Z', asOf: '2026-11-23T10:28:00.000Z' };
  expect(notesOf(-1, 0, { complete: false, missing: sentence`Not read again since it may have changed: x.`, newest })).toMatch(
    /^PERHAPS NOT WHOLE, for the time asked for, as of 2026-11-23T10:00:00\.000Z, and those from 2026-11-23T10:15:00\.000Z on as of 2026-11-23T10:28:00\.000Z\. Not read again/,
  );
});

test('the time before the first record is told in the sentence of what is counted, or read', () => {
  const partial = { complete: false, missing: sentence`Not read: x.` };
  expect(notesOf(-100, 0, partial, 0.98)).toMatch(
    /^PARTIAL: 98% of the time asked for is read, and these numbers count only that; NO RECORDS before \S+ in what is read\. Null or - is not known, not 0\. Not read: x\./,
  );
  expect(notesOf(-100, 0)).toMatch(
    /^Complete: all views that the service has are counted, as of \S+; NO RECORDS before \S+: the service has none there\. Null or - is not known, not 0\.$/,
  );
  // What was not read may have records.
  const covered = [{ fromMs: now - 50 * DAY_MS, toMs: now }];
  expect(notesOf(-100, 0, { ...partial, covered }, 0.5)).not.toContain('NO RECORDS');
});

test('a span on which the service failed again is told with its tries, and when a further one makes sense', () => {
  const tries = { count: 2, first: '2026-11-23T10:00:00.000Z', last: '2026-11-23T10:05:00.000Z' };
  const partial = { complete: false, missing: sentence`Not read: x.`, tries: { ...tries, retryAt: '2026-11-23T10:20:00.000Z' } };
  const tried = 'Tried 2 times since 2026-11-23T10:00:00.000Z, last at 2026-11-23T10:05:00.000Z; asking the same again makes sense';
  expect(notesOf(-10, 0, partial, 0.9)).toMatch(new RegExp(`Not read: x\\. ${tried} from 2026-11-23T10:20:00\\.000Z on\\.$`));
  expect(notesOf(-10, 0, { ...partial, tries }, 0.9)).toContain(`${tried} once what the service refused has changed.`);
});

test('a clock that differs from the service’s is told, since today and now are by it', () => {
  expect(notesOf(-2, 0, { clockAheadMs: 26 * 3_600_000 })).toContain(
    'The clock of this server’s machine is 26 h behind the service’s: today',
  );
  expect(notesOf(-2, 0, { clockAheadMs: -1_800_000 })).toContain(
    'The clock of this server’s machine is 0.5 h ahead of the service’s: today',
  );
  expect(notesOf(-2, 0, { clockAheadMs: 60_000 })).not.toContain('clock');
});

test('texts that are cut in an answer are told', () => {
  const columns = [{ name: 'keys', type: 'text' as const }];
  expect(columnNotes({ columns, rows: [['x'.repeat(400)]] })).toEqual([]);
  expect(columnNotes({ columns, rows: [['x'.repeat(401)]] })).toEqual([
    'Texts of more than 400 characters are cut here and end with …; the report has up to 2,000 of each.',
  ]);
});
