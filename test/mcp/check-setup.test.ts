/** What an assistant learns of the server and of the time that questions are about. */
import { expect, test } from 'vitest';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const today = () => `${DAY.format()}, ${WEEKDAY.format()} (UTC)`;

test('says which day it is, by which an assistant resolves a date without a year', async () => {
  const { client } = await start({ demo: await startService({ channels: 1, views: 0 }) });
  const before = today();
  const { data, text } = await client.callTool('check_setup');
  expect([before, today()]).toContain(data?.today);
  expect(text).toContain(`Today: ${String(data?.today)}`);
});
