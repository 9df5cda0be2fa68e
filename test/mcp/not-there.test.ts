/** An assistant that looks for something the API lacks gets an error that says so and names an alternative. */
import { expect, test } from 'vitest';
import { start } from '../harness/start.ts';

test.each([
  ['delete_channel', /can’t be deleted.*update_channels can empty a channel, rename it or set privateLinkEnabled.*dashboard/],
  ['delete_videos', /can’t be deleted/],
  ['remove_project', /can’t be deleted/],
  ['list_videos', /can’t be listed.*the user.*VIDEO_HOSTING_VIDEO_CATALOGUE.*query_analytics/],
  ['upload_video', /can’t be listed, looked up, uploaded or renamed/],
  ['get_comments', /no likes, comments, ratings/],
  ['send_email', /No mail can be sent.*exportAs/],
])('the error for the tool %s says what the API can’t do', async (name, says) => {
  const { client, demo } = await start();
  await expect(client.callTool(name)).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(says) });
  await expect(client.callTool(name)).rejects.not.toThrow('Did you mean');
  expect(demo.requests).toEqual([]);
});

test.each([
  ['query_analytics', { from: '2026-01-01', metrics: ['likes'] }, /metrics\[0\].*expected one of views.*no likes, comments, ratings/],
  ['query_analytics', { from: '2026-01-01', metrics: ['comments'] }, /no likes, comments/],
  ['query_analytics', { from: '2026-01-01', metrics: ['avgRating'] }, /no likes, comments/],
  ['query_analytics', { from: '2026-01-01', groupBy: ['viewer'] }, /Viewers have no names.*unique_viewers/],
  ['explain_change', { from: '2026-01-01', metric: 'likes' }, /no likes, comments/],
  ['get_collected_emails', { viewerId: 'x' }, /Collected emails are not linked to viewers or views/],
  ['get_collected_emails', { sendNewsletter: true }, /No mail can be sent/],
  ['update_channels', { changes: [{ channel: 'Onboarding', delete: true }] }, /can’t be deleted/],
])('the error of %s %j says what the API lacks', async (tool, args, says) => {
  const { client, demo } = await start();
  const reply = await client.callTool(tool, args);
  expect(demo.requests).toEqual([]);
  expect(reply).toMatchObject({ isError: true, text: expect.stringMatching(says) });
});
