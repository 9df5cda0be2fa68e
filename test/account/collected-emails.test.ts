import { expect, test } from 'vitest';
import { createEmailCounter, emailSpan } from '../../src/account/collected-emails.ts';

test('a day that does not exist is no time, with a time of the day too', () => {
  for (const from of ['2026-02-30', '2026-02-30T12:00:00Z', '2026-04-31T00:00:00+02:00'])
    expect(() => emailSpan(from, undefined)).toThrow('expected a date');
  expect(emailSpan('2026-02-28T12:00:00Z', undefined).fromMs).toBe(Date.parse('2026-02-28T12:00:00Z'));
  const counter = createEmailCounter('month');
  const record = { fullName: '', mobileNumber: '' };
  for (const [at, created] of ['2026-02-30T12:00:00Z', '2026-02-28', '2026-03-01T00:30:00+02:00'].entries())
    counter.add({ ...record, email: `p${at}@example.com`, created });
  expect(counter.groups()).toEqual([
    { key: '2026-02', records: 2, people: 2 },
    { key: null, records: 1, people: 1 },
  ]);
});
