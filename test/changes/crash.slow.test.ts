/** The server is killed at some request of a change of forty channels: the next server reports each outcome, and undoes or resumes the change. */
import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../harness/client.ts';
import type { DemoService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { agree } from './support/confirm.ts';
import { argsFor, channelsOf, FORTY, partsOf, reorganisation, startForty, type Wanted } from './support/reorganisation.ts';
import { channelIdIn, writesOf } from './support/world.ts';

/** The list for the account that the key is of, the list, the templates, and a read of each channel. */
const PLAN_REQUESTS = 3 + FORTY;
/** For each channel also a read just before the update, the update and a read after it. */
const REQUESTS = PLAN_REQUESTS + 3 * FORTY;
const POINTS = Number(process.env.CRASH_POINTS ?? 6);
const points = Array.from({ length: POINTS }, (_, at) => 1 + Math.floor((at * (REQUESTS - 1)) / Math.max(1, POINTS - 1)));

/** Applies the change in a separate process and kills it at the n-th request, before or after the service processes it. */
async function crashAt(demo: DemoService, home: string, nth: number, when: 'before' | 'after'): Promise<void> {
  const { client, server } = await start({ demo, home, via: 'process', client: 'raw lines', env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  let count = 0;
  let killed: Promise<unknown> | undefined;
  const kill = async (): Promise<void> => {
    server?.child.kill('SIGKILL');
    killed = server?.exit;
    await killed;
  };
  demo.behaviour.onRequest = async () => {
    count += 1;
    if (when !== 'before' || count !== nth) return;
    await kill();
    throw new Error('The service never got to it.');
  };
  demo.behaviour.onProcessed = async () => {
    if (when === 'after' && count >= nth && killed === undefined) await kill();
  };
  const call = client.callTool('update_channels', argsFor(reorganisation(demo))).catch(() => undefined);
  await Promise.race([call, server?.exit]);
  await server?.exit;
  delete demo.behaviour.onRequest;
  delete demo.behaviour.onProcessed;
  while (demo.requests.some(({ status }) => status === 'pending')) await new Promise((resolve) => setImmediate(resolve));
}

/** No change is listed only if the kill came before the plan was complete, and then nothing was sent. */
function expectUnplanned(demo: DemoService, nth: number): void {
  expect(writesOf(demo)).toEqual([]);
  expect(nth).toBeLessThanOrEqual(PLAN_REQUESTS);
}

function outcomes(reply: ToolReply): Record<'done' | 'unknown' | 'notDone' | 'failed', Set<string>> {
  const ids = (name: string) => new Set((reply.data?.[name] === undefined ? [] : recordsIn(reply.data, name)).map(({ id }) => String(id)));
  const unknown = ids('unknown');
  return { done: new Set([...ids('after')].filter((id) => !unknown.has(id))), unknown, notDone: ids('notDone'), failed: ids('failed') };
}

/** Whether the channel’s record can show that it was changed; it does not show the contents. */
const tells = ({ change }: Wanted): boolean => ['name', 'description', 'template'].some((field) => field in change);

test.each(points.flatMap((nth) => [[nth, 'before'] as const, [nth, 'after'] as const]))(
  'after a kill at request %i, %s it is processed, each outcome is reported and the change can be undone',
  async (nth, when) => {
    const demo = await startForty();
    const home = freshHome();
    const wanted = reorganisation(demo);
    const before = new Map(wanted.map(({ id }) => [id, partsOf(demo, id)]));
    await crashAt(demo, home, nth, when);
    const sent = new Set(
      writesOf(demo)
        .filter(({ applied }) => applied)
        .map(channelIdIn),
    );
    expect(sent.size).toBeLessThanOrEqual(FORTY);

    const { client } = await start({ demo, home });
    const [listed, ...others] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    expect(others).toEqual([]);
    if (listed === undefined) return expectUnplanned(demo, nth);
    expect(listed.status).toBe('interrupted');
    const change = await client.callTool('get_change', { changeId: listed.changeId });
    const told = outcomes(change);
    expect(told.done.size + told.unknown.size + told.notDone.size, 'each has an outcome').toBe(FORTY);
    expect(told.unknown.size, 'no more than were under way').toBeLessThanOrEqual(3);
    for (const { id, end } of wanted) {
      if (told.done.has(id)) expect(partsOf(demo, id), 'reported as done').toEqual(end);
      if (told.notDone.has(id)) expect(sent, 'reported as not done').not.toContain(id);
    }

    if (sent.size === 0) return;
    const undone = await agree(client, 'undo_change', { changeId: listed.changeId });
    const leftAlone = wanted.filter((one) => told.unknown.has(one.id) && sent.has(one.id) && !tells(one)).map(({ id }) => id);
    for (const { id } of wanted) if (!leftAlone.includes(id)) expect(partsOf(demo, id), 'set back').toEqual(before.get(id));
    if (leftAlone.length === sent.size) return void expect(undone.data).toMatchObject({ error: { code: 'not_undoable' } });
    expect(undone.data?.status).toBe(leftAlone.length > 0 ? 'partly_applied' : 'applied');
    const again = await agree(client, 'undo_change', { changeId: listed.changeId });
    expect(again.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
  },
);

test.each(points.flatMap((nth) => [[nth, 'before'] as const, [nth, 'after'] as const]))(
  'after a kill at request %i, %s it is processed, the next server can resume the change',
  async (nth, when) => {
    const demo = await startForty();
    const home = freshHome();
    const wanted = reorganisation(demo);
    await crashAt(demo, home, nth, when);
    const { client } = await start({ demo, home });
    const [listed] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    if (listed === undefined) return expectUnplanned(demo, nth);
    const resume = () => agree(client, 'resume_change', { changeId: listed.changeId });
    const first = await resume();
    // A request that was under way can reach the service after the preview; then the plan is shown again.
    const reply = first.text.includes('The account changed after the user was shown the plan') ? await resume() : first;
    const look = () => client.callTool('get_change', { changeId: listed.changeId, waitSeconds: 60 });
    let told = reply.isError ? await look() : reply;
    for (let looks = 0; looks < 3 && told.data?.status === 'running'; looks += 1) told = await look();
    for (const { id, end } of wanted) expect(partsOf(demo, id), told.text).toEqual(end);
    const applied = writesOf(demo).flatMap((write) => (write.applied ? [channelIdIn(write)] : []));
    expect(new Set(applied).size).toBe(FORTY);
    expect(applied, 'none is changed twice').toHaveLength(FORTY);
    expect(told.data).toMatchObject({ status: 'applied', changeId: listed.changeId });
  },
);

test('an uninterrupted change sends as many requests as the kill points assume', async () => {
  const demo = await startForty();
  const wanted = reorganisation(demo);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  expect((await client.callTool('update_channels', argsFor(wanted))).data?.status).toBe('applied');
  expect(demo.requests).toHaveLength(REQUESTS);
  expect(channelsOf(demo)).toHaveLength(FORTY);
});
