import { describe, expect, test, vi } from 'vitest';
import { ERAS, type Progress } from '../harness/client.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const pagesOf = (demo: DemoService, path = '/v1/channels') => demo.requests.filter((request) => request.path === path);

describe.each(ERAS)('%s', (kind) => {
  test.each([
    ['list_channels', { search: 'Series' }, 'channels'],
    ['get_project', { project: 'Project 140' }, 'projects'],
  ])('%s reports progress while it reads several pages', async (tool, args, what) => {
    const { client, demo } = await start({ client: kind, demo: await startService({ channels: 250, projects: 150 }) });
    const seen: Progress[] = [];
    const { isError, text } = await client.callTool(tool, args, { onProgress: (progress) => seen.push(progress) });
    expect(isError ? text : '').toMatch(/^$|No channel has/);
    expect(pagesOf(demo, `/v1/${what}`).length).toBeGreaterThan(1);
    expect(seen.length).toBeGreaterThanOrEqual(1);
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
    for (const { progress, total, message } of seen) {
      expect(total).toBeGreaterThanOrEqual(progress);
      expect(message).toBe(`Reading ${what}`);
    }
  });

  test('a cancelled call requests no more pages and aborts the request in flight', async () => {
    const { client, demo } = await start({ client: kind, demo: await startService({ channels: 500 }) });
    const giveUp = new AbortController();
    demo.faults.always({ match: { path: '/v1/channels' }, skip: 1, do: { kind: 'delay', ms: 60_000 } });
    const call = client.callTool('list_channels', { search: 'Series' }, { signal: giveUp.signal });
    call.catch(() => undefined);
    await vi.waitFor(() => expect(pagesOf(demo)).toHaveLength(2), { timeout: 300_000 });
    giveUp.abort('enough');
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(pagesOf(demo)[1]?.status).toBe('aborted'), { timeout: 300_000 });
    // A further request would arrive before the answer to this call.
    expect((await client.callTool('list_plans')).isError).toBe(false);
    expect(pagesOf(demo)).toHaveLength(2);
  });

  test('concurrent calls do not wait for each other', async () => {
    const { client, demo } = await start({ client: kind });
    demo.faults.next({ match: { path: '/v1/plans' }, do: { kind: 'hang' } });
    const giveUp = new AbortController();
    const slow = client.callTool('list_plans', {}, { signal: giveUp.signal });
    slow.catch(() => undefined);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, page) => client.callTool('list_channels', { page: page + 1, size: 3 })),
    );
    expect(replies.map(({ data }) => data?.pager)).toMatchObject(replies.map((_, page) => ({ page: page + 1 })));
    giveUp.abort();
    await expect(slow).rejects.toThrow();
  });
});

test('progress is reported even if the service does not state its number of pages', async () => {
  const { client, demo } = await start({ demo: await startService({ channels: 250 }) });
  demo.behaviour.missingFields = 1;
  demo.behaviour.distorts = new Set(['pager']);
  const seen: Progress[] = [];
  await client.callTool('list_channels', { search: 'Series' }, { onProgress: (progress) => seen.push(progress) });
  expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => (seen[0]?.progress === 1 ? index + 1 : index + 2)));
  expect(seen.length).toBeGreaterThan(1);
});

test('progress never decreases when the list shrinks while it is read', async () => {
  const { client, demo } = await start({ demo: await startService({ channels: 350 }) });
  demo.behaviour.onRequest = ({ number }) => {
    const [first] = demo.world.channels.keys();
    if (number <= 8 && first !== undefined) demo.world.channels.delete(first);
  };
  const seen: Progress[] = [];
  await client.callTool('list_channels', { search: 'Series' }, { onProgress: (progress) => seen.push(progress) });
  const steps = seen.map(({ progress }) => progress);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(new Set(steps).size).toBe(steps.length);
});
