/** A change without an approval does not compile, and is refused at run time too. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type Approval, mintApproval } from '../../../src/service/approval.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { createHttp } from '../../../src/service/http.ts';
import type { ChannelId, ProjectId, VideoId, VideoKey } from '../../../src/service/ids.ts';
import { atEnd } from '../../harness/cleanup.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { channelAt, videoKeysOf } from '../support/world.ts';

function openClient(demo: DemoService) {
  const http = createHttp({ baseUrl: demo.baseUrl, statsUrl: demo.statsUrl, apiKey: demo.apiKey });
  atEnd(() => http.close());
  return { client: createServiceClient(http), http };
}

/** The value as a caller without type checks would pass it. */
const asApproval = (value: unknown): Approval => value as Approval;

const closedApproval = (): Approval => {
  const approval = mintApproval();
  approval.close();
  return approval;
};

const IMITATIONS: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  'a string': () => 'chg-test',
  'an object with the same members': () => ({ isOpen: true, closed: new AbortController().signal, use() {}, close() {} }),
  'a closed approval': closedApproval,
};

test.each(Object.entries(IMITATIONS))('%s is not accepted as an approval', async (_what, make) => {
  const demo = await startService({ channels: 2, videos: 10 });
  const { client } = openClient(demo);
  const { id, name } = channelAt(demo, 0);
  const videoKeys = videoKeysOf(demo, 1) as VideoKey[]; // keys of this service
  const approval = asApproval(make());
  const calls = [
    () => client.channels.update(approval, id as ChannelId, { name, videoKeys }),
    () => client.channels.create(approval, { name, videoKeys }),
    () => client.projects.create(approval, { name, region: 'use-s' }),
    () => client.videos.move(approval, 'p' as ProjectId, ['v' as VideoId]),
    () => client.videos.copyCta(approval, 'v' as VideoId, ['w' as VideoId]),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_approved' });
  expect(demo.requests).toEqual([]);
});

test('a POST or PUT that claims to be a read needs an approval', async () => {
  const demo = await startService({ channels: 2, videos: 10 });
  const { http } = openClient(demo);
  const { id, name } = channelAt(demo, 0);
  const send = http.send as (request: object) => Promise<unknown>; // as a caller without type checks would use it
  const moves = { method: 'POST', path: '/v1/videos/change-project', body: { projectId: 'p', videoIds: ['v'] } };
  const requests = [
    moves,
    { ...moves, effect: 'read' },
    { ...moves, api: 'stats' },
    { method: 'PUT', path: `/v1/channels/${id}`, body: { name, videoKeys: [] }, effect: 'read' },
    { method: 'PUT', path: `/v1/channels/${id}`, body: { name, videoKeys: [] }, effect: 'read', api: 'stats' },
  ];
  for (const request of requests)
    await expect(send({ ...request, retry: 'never', expect: z.unknown() })).rejects.toMatchObject({ code: 'not_approved' });
  expect(demo.requests).toEqual([]);
});

test('a change without an approval does not compile', () => {
  /** Never called: the compiler reports each of these lines that compiles by mistake. */
  const doesNotCompile = ({ client, http }: ReturnType<typeof openClient>): void => {
    const keys: VideoKey[] = [];
    // @ts-expect-error without an approval
    void client.channels.update('c' as ChannelId, { name: '', videoKeys: keys });
    // @ts-expect-error an object that only looks like an approval
    void client.channels.update({ changeId: 'chg-test', isOpen: true }, 'c' as ChannelId, { name: '', videoKeys: keys });
    // @ts-expect-error without a list of what the channel holds
    void client.channels.update(mintApproval(), 'c' as ChannelId, { name: '' });
    // @ts-expect-error without an approval
    void client.channels.create({ name: '', videoKeys: keys });
    // @ts-expect-error without an approval
    void client.projects.create({ name: '', region: '' });
    // @ts-expect-error without an approval
    void client.videos.move('p' as ProjectId, []);
    // @ts-expect-error without an approval
    void client.videos.copyCta('v' as VideoId, []);
    // @ts-expect-error a change sent without an approval
    void http.send({ method: 'PUT', path: '/v1/channels/c', body: {}, retry: 'never' });
    // @ts-expect-error an approval that the caller constructs
    void new Approval('chg-test');
    // @ts-expect-error the id of another kind of record
    void client.channels.update(mintApproval(), 'c' as ProjectId, { name: '', videoKeys: keys });
  };
  expect(doesNotCompile).toBeTypeOf('function');
});
