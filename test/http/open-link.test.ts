/** A client that declares it asks its user to open a link under which a change waits, once, and is believed only where somebody saw it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { WithSecrets } from '../../src/people/change-people.ts';
import { fieldsIn, type Values } from '../../src/platform/is-object.ts';
import { atEnd } from '../harness/cleanup.ts';
import { startHttp } from '../harness/http.ts';
import { pathsOf } from '../harness/service.ts';

const PROJECT = { name: 'Archive', region: 'use-s' };

/** A client that declares links, and what it was asked to have opened. */
async function linkClient(
  url: string,
  { secrets }: WithSecrets,
  answer: () => Promise<'accept' | 'decline' | 'cancel'>,
  mode: 'modern' | 'legacy' = 'modern',
) {
  const opened: Values[] = [];
  const versionNegotiation = { mode: mode === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const) };
  const client = new Client({ name: 'linker', version: '1.0.0' }, { capabilities: { elicitation: { url: {} } }, versionNegotiation });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    opened.push(fieldsIn(params));
    return { action: await answer() };
  });
  const requestInit = { headers: { authorization: `Bearer ${secrets.clientToken}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  atEnd(() => client.close().catch(() => undefined));
  const ask = async (name: string) =>
    fieldsIn((await client.callTool({ name: 'create_project', arguments: { ...PROJECT, name } })).structuredContent);
  return { opened, ask };
}

const slowly = (action: 'accept' | 'decline') => async () => {
  await new Promise((resolve) => setTimeout(resolve, 700));
  return action;
};

test('the user is asked to open the link of the change, and the call ends with it, waiting', async () => {
  const { url, people, demo } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, slowly('accept'));
  const answer = await ask('One');
  expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual([]);
  expect(answer).toMatchObject({ status: 'waiting', link: `${url}/changes/${String(answer.changeId)}` });
  expect(opened).toEqual([expect.objectContaining({ mode: 'url', url: answer.link, message: expect.stringContaining('One') })]);
  expect(JSON.stringify(opened)).not.toContain('vh');
});

test('a decline that took its time only leaves the link closed: the change waits on, and the next one is asked about', async () => {
  const { url, people } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, slowly('decline'));
  expect((await ask('One')).status).toBe('waiting');
  expect((await ask('Two')).status).toBe('waiting');
  expect(opened).toHaveLength(2);
});

test.each(['decline', 'cancel'] as const)(
  'a %s at once is nobody’s: it is remembered for that person and client, and for nobody else',
  async (action) => {
    const { url, people } = await startHttp();
    const bob = await linkClient(url, people.bob, async () => action);
    expect(await bob.ask('One')).toMatchObject({ status: 'waiting', link: expect.stringContaining('/changes/') });
    expect(await bob.ask('Two')).toMatchObject({ status: 'waiting', link: expect.stringContaining('/changes/') });
    expect(bob.opened).toHaveLength(1);
    const ann = await linkClient(url, people.ann, slowly('accept'));
    await ann.ask('Three');
    expect(ann.opened).toHaveLength(1);
  },
);

test('of the older era, and by a client that declares none, nobody is asked: the link is in the answer', async () => {
  const { url, people, connect } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, slowly('accept'), 'legacy');
  expect(await ask('One')).toMatchObject({ status: 'waiting', link: expect.stringContaining('/changes/') });
  expect(opened).toEqual([]);
  const plain = await connect(people.ann);
  expect((await plain.callTool('create_project', PROJECT)).data).toMatchObject({
    status: 'waiting',
    link: expect.stringContaining('/changes/'),
  });
});
