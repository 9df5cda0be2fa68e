/** A message about a setting names its variable. */
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/errors/codes.ts';
import { start } from '../harness/start.ts';

test('the error of an unreachable service names the variable of its address', async () => {
  const { client } = await start({ env: { VIDEO_HOSTING_BASE_URL: 'http://127.0.0.1:9', VIDEO_HOSTING_CALL_BUDGET_MS: '5000' } });
  expect((await client.callTool('list_plans')).text).toContain('VIDEO_HOSTING_BASE_URL');
});

test('the error of an export names VIDEO_HOSTING_FILES_DIR if it is not set', async () => {
  const { client } = await start();
  const { isError, text } = await client.callTool('get_collected_emails', { exportAs: 'csv' });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('VIDEO_HOSTING_FILES_DIR') });
});

test('no hint mentions a setting without its variable', () => {
  const spoken = /base URL|analytics URL|\bAPI key\b|access token|data folder|catalogue file|call budget|files folder/i;
  for (const [code, { hint }] of Object.entries(ERRORS)) if (spoken.test(hint)) expect(hint, code).toContain('VIDEO_HOSTING_');
});
