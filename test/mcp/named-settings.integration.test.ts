/** A message about a setting names its variable. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import type { Environment } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const WRONG: readonly (readonly [variable: string, value: string, tool: string])[] = [
  ['VIDEO_HOSTING_BASE_URL', 'http://api.example.com', 'list_channels'],
  ['VIDEO_HOSTING_STATS_URL', 'http://api.example.com', 'list_channels'],
  ['VIDEO_HOSTING_BASE_URL', 'ftp://api.example.com', 'list_channels'],
  ['VIDEO_HOSTING_API_KEY', 'a b', 'list_channels'],
  ['VIDEO_HOSTING_ACCESS_TOKEN', 'a b', 'list_channels'],
  ['VIDEO_HOSTING_VIDEO_CATALOGUE', '/nowhere/videos.csv', 'check_setup'],
  ['VIDEO_HOSTING_DATA_DIR', 'relative', 'list_channels'],
  ['VIDEO_HOSTING_ANALYTICS_STORE', 'clickhouse://', 'query_analytics'],
  ['VIDEO_HOSTING_CALL_BUDGET_MS', '1', 'list_channels'],
];

test.each(WRONG)('an error and check_setup name %s if it is %j', async (variable, value, tool) => {
  const { client } = await start({ env: { [variable]: value } });
  const args = tool === 'query_analytics' ? { from: '2026-01-01' } : {};
  for (const reply of [await client.callTool(tool, args), await client.callTool('check_setup')]) expect(reply.text).toContain(variable);
});

test.each<[tool: string, args: object, variable: string, env: Environment]>([
  ['move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.csv' }, 'VIDEO_HOSTING_FILES_DIR', {}],
  ['get_collected_emails', { exportAs: 'csv' }, 'VIDEO_HOSTING_FILES_DIR', {}],
  ['get_collected_emails', { showRecords: true }, 'VIDEO_HOSTING_PERSONAL_DATA', {}],
  ['query_analytics', { from: '2026-01-01' }, 'VIDEO_HOSTING_STATS_URL', { VIDEO_HOSTING_STATS_URL: undefined }],
  ['list_channels', {}, 'VIDEO_HOSTING_BASE_URL', { VIDEO_HOSTING_BASE_URL: undefined }],
  ['list_channels', {}, 'VIDEO_HOSTING_API_KEY', { VIDEO_HOSTING_API_KEY: undefined }],
])('the error of %s %j names %s if it is not set', async (tool, args, variable, env) => {
  const { client } = await start({ env });
  const reply = await client.callTool(tool, { ...args });
  expect(reply).toMatchObject({ isError: true });
  expect(reply.text).toContain(variable);
});

test('the error of an unreachable service names the variable of its address', async () => {
  const { client } = await start({ env: { VIDEO_HOSTING_BASE_URL: 'http://127.0.0.1:9', VIDEO_HOSTING_CALL_BUDGET_MS: '5000' } });
  expect((await client.callTool('list_plans')).text).toContain('VIDEO_HOSTING_BASE_URL');
});

test('no hint mentions a setting without its variable', () => {
  const spoken = /base URL|analytics URL|\bAPI key\b|access token|data folder|catalogue file|call budget|files folder/i;
  for (const [code, { hint }] of Object.entries(ERRORS)) if (spoken.test(hint)) expect(hint, code).toContain('VIDEO_HOSTING_');
});

test('check_setup names the variable of an unusable folder', async () => {
  const { client } = await start({ env: { VIDEO_HOSTING_FILES_DIR: join(freshHome(), 'none') } });
  expect((await client.callTool('check_setup')).text).toContain('correct VIDEO_HOSTING_FILES_DIR');
});
