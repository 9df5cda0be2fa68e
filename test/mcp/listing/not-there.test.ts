/** An assistant that looks for something the API lacks gets an error that says so and names an alternative. */
import { expect, test } from 'vitest';
import { start } from '../../harness/start.ts';

const LACKING: readonly (readonly [name: string, says: RegExp])[] = [
  ['delete_channel', /can’t be deleted.*update_channels can empty a channel, rename it or set privateLinkEnabled.*dashboard/],
  ['delete_videos', /can’t be deleted/],
  ['remove_project', /can’t be deleted/],
  ['list_videos', /can’t be listed.*the user.*VIDEO_HOSTING_VIDEO_CATALOGUE.*query_analytics/],
  ['upload_video', /can’t be listed, looked up, uploaded or renamed/],
  ['get_comments', /no likes, comments, ratings/],
  ['send_email', /No mail can be sent.*exportAs/],
];

test('the error for a tool that nobody can offer says what the API can’t do', async () => {
  const { client, demo } = await start();
  for (const [name, says] of LACKING) {
    await expect(client.callTool(name)).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(says) });
    await expect(client.callTool(name)).rejects.not.toThrow('Did you mean');
  }
  expect(demo.requests).toEqual([]);
});
