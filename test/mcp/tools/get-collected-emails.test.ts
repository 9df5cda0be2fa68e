import { expect, test } from 'vitest';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const TOOL = 'get_collected_emails';
const inYear = (back: number) => new Date().getUTCFullYear() - back;

test('emails before the last year, which the service does not list, are not known and not none', async () => {
  const { client, demo } = await start({ demo: await startService({ now: new Date().toISOString() }), forms: 'accept' });
  expect(demo.world.emails.length).toBeGreaterThan(0);
  const gone = await client.callTool(TOOL, { from: `${inYear(3)}-01-01`, to: `${inYear(3)}-12-31` });
  expect(gone.data).not.toHaveProperty('total');
  expect(gone.text).toContain('How many there were is not known.');
  // No day of it is counted.
  expect(gone.data).not.toHaveProperty('period');

  for (const span of [{ from: `${inYear(2)}-01-01` }, { to: `${inYear(0)}-12-31` }]) {
    const cut = await client.callTool(TOOL, span);
    expect(cut.data?.total).toMatchObject({ records: expect.any(Number) });
    expect(cut.text).toMatch(/of which the service lists only the last year, since \d{4}-\d\d-\d\d: earlier emails are not known/);
  }
  const recent = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  for (const span of [{}, { from: recent }]) expect((await client.callTool(TOOL, span)).text).not.toContain('not known');
});

test('what asks for the confirmation of an export stands in sentences, as of any change', async () => {
  const home = freshHome();
  const { client } = await start({ home, env: { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_FILES_DIR: home } });
  const { text } = await client.callTool(TOOL, { exportAs: 'csv' });
  expect(text).toMatch(/^NOT DONE YET\. Show the user the preview\. Only if they agree/m);
  expect(text).toMatch(/^ {2}! This is personal data of viewers\.\n {2}- Into the folder/m);
});

test('wrong arguments are refused', () =>
  expectRefused('get_collected_emails', [
    [{ groupBy: 'person' }, 'groupBy: '],
    [{ from: 'soon' }, 'from: '],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to: '],
    [{ channel: 'Onbording' }, '"Onboarding" ('],
    [{ exportAs: 'csv' }, 'VIDEO_HOSTING_FILES_DIR'],
    [{ showRecords: true }, 'VIDEO_HOSTING_PERSONAL_DATA'],
  ]));
