/** A credential that somebody pasted into an argument, or into the page, is refused: it would be sent, shown to colleagues and kept. */
import { expect, test } from 'vitest';
import { listing } from '../../src/mcp/listing/listing.ts';
import { newSecrets } from '../../src/people/secrets.ts';
import { fieldsIn, isObject, type Values } from '../../src/platform/is-object.ts';
import { findCredential } from '../../src/text/find-credential.ts';
import { browse } from '../harness/browse.ts';
import { startHttp } from '../harness/http.ts';
import { API_KEY } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { everyFile, TOKEN } from './secrets-support.ts';

/** Each argument, inner one and name that a schema takes a text for, with a text there: `{ changes: [{ name: text }] }`. */
function withText(schema: unknown, text: string): unknown[] {
  const { type, properties, items, anyOf, additionalProperties } = fieldsIn(schema);
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => withText(one, text));
  if (type === 'string' || type === undefined) return [text];
  if (type === 'array') return withText(items, text).map((item) => [item]);
  if (type !== 'object') return [];
  const known = Object.entries(fieldsIn(properties)).flatMap(([name, inner]) =>
    withText(inner, text).map((value): Values => ({ [name]: value })),
  );
  return [...known, { [text]: true }, ...(isObject(additionalProperties) ? [{ any: text }] : [])];
}

/** No server for several people gives out tokens. */
const TOOLS = listing().tools.flatMap(({ name, inputSchema }) => (name === 'confirm_change' ? [] : [[name, inputSchema] as const]));

test.each(TOOLS)('%s refuses it in any argument of any person, and repeats, sends and keeps nothing of it', async (tool, schema) => {
  const { people, connect, demo, home } = await startHttp();
  const ann = await connect(people.ann);
  const secrets = [people.bob.secrets.clientToken, people.ann.secrets.pageKey, newSecrets().clientToken, API_KEY, TOKEN];
  const calls = withText(schema, 'TEXT');
  expect(calls.length).toBeGreaterThan(0);
  await ann.callTool('list_channels', { size: 1 });
  const before = demo.requests.length;
  for (const [at, call] of calls.entries()) {
    const secret = secrets[at % secrets.length] ?? '';
    const args = JSON.parse(JSON.stringify(call).replaceAll('TEXT', at % 2 === 0 ? secret : `Spring, ${secret}.`)) as Values;
    const reply = await ann.callTool(tool, args);
    expect([call, reply.isError, reply.text]).toEqual([
      call,
      true,
      expect.stringContaining('Nothing was done, and nothing of it is kept.'),
    ]);
    expect(JSON.stringify(reply)).not.toContain(secret);
  }
  expect(demo.requests.slice(before)).toEqual([]);
  const kept = everyFile(home);
  expect(kept.length).toBeGreaterThan(100);
  for (const secret of secrets) expect(kept).not.toContain(secret);
});

test('neither a resource, nor a prompt, nor a completion takes one', async () => {
  const { people, connect, demo } = await startHttp();
  const { clientToken } = people.bob.secrets;
  const ann = await connect(people.ann);
  await ann.callTool('list_channels', { size: 1 });
  const before = demo.requests.length;
  const wrong = 'Nothing was done, and nothing of it is kept.';
  for (const what of ['channels', 'projects', 'changes', 'reports'])
    await expect(ann.readResource(`video-hosting://${what}/${clientToken}`)).rejects.toThrow(wrong);
  await expect(ann.readResource(`ui://video-hosting/data/channels/${clientToken}`)).rejects.toThrow(wrong);
  await expect(ann.getPrompt('analytics-report', { question: clientToken })).rejects.toThrow(wrong);
  for (const of of [{ prompt: 'reorganise-channels' }, { template: 'video-hosting://channels/{id}' }])
    await expect(ann.complete(of, 'prompt' in of ? 'channel' : 'id', `x ${clientToken}`)).rejects.toThrow(wrong);
  for (const ask of [() => ann.callTool(clientToken), () => ann.getPrompt(clientToken)])
    await expect(ask()).rejects.toThrow(/Unknown (?:tool|prompt) "\[credential\]"/);
  expect(demo.requests.slice(before)).toEqual([]);
});

test('the page refuses one in whatever is typed, and keeps nothing of it', async () => {
  const session = await startHttp();
  const { people, connect, demo, home } = session;
  const bob = await connect(people.bob);
  const { data } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const changeId = String(data?.changeId);
  const ann = await browse(session, people.ann.secrets.pageKey);
  const { planDigest } = await ann.api(`changes/${changeId}`);
  const { pageKey } = people.ann.secrets;
  const [channel = ''] = demo.world.channels.keys();
  const before = demo.requests.length;
  const answers = [
    await ann.post(`changes/${changeId}/decision`, { decision: 'decline', planDigest, note: `use ${pageKey}` }),
    await ann.post(`channels/${channel}/statement`, { videoKeys: [pageKey], projects: { kind: 'none' } }),
    await ann.post(`channels/${channel}/statement`, { videoKeys: [], projects: { kind: 'these', text: pageKey } }),
    await ann.post(`changes/${changeId}/decision`, { decision: 'decline', planDigest, note: `Bearer ${API_KEY}` }),
  ];
  for (const answer of answers) {
    const text = await answer.text();
    // One in an address is refused before anything else.
    expect([answer.url.includes(pageKey) || answer.status === 422, text]).toEqual([
      true,
      expect.stringMatching(/Nothing was done, and nothing of it is kept|a credential never stands in an address/),
    ]);
    expect([answer.status >= 400, text.includes(pageKey)]).toEqual([true, false]);
  }
  // What is searched for, and what an address names, is refused before anybody looks what it is for.
  for (const path of [`channels?search=${pageKey}`, `videos?search=${pageKey}`, `channels/${pageKey}`]) {
    const { message } = await ann.api(path);
    expect([path, message]).toEqual([path, expect.stringContaining('a credential never stands in an address')]);
    expect(message).not.toContain(pageKey);
  }
  expect(demo.requests.slice(before)).toEqual([]);
  expect((await bob.callTool('get_change', { changeId })).data?.status).toBe('waiting');
  expect(everyFile(home)).not.toContain(pageKey);
});

test('one person’s server refuses the credential that it has, and a JWT, in what would be published', async () => {
  const { client, demo, home } = await start({ env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  for (const text of [API_KEY, encodeURIComponent(API_KEY), `Bearer ${TOKEN}`, TOKEN, newSecrets().pageKey]) {
    const reply = await client.callTool('create_project', { name: 'Archive', region: 'use-s', description: `For us: ${text}` });
    expect([demo.requests.filter(({ method }) => method === 'POST'), reply.isError]).toEqual([[], true]);
    expect(reply.text).toMatch(/description: holds .*credential|description: holds a page key/);
    expect(JSON.stringify(reply)).not.toContain(text);
  }
  const summary = `Create a project. ${API_KEY}`;
  const { client: asking } = await start({ env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const { data } = await asking.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const { changeId, confirmationToken } = fieldsIn(data);
  const reply = await asking.callTool('confirm_change', { changeId, confirmationToken, summary });
  expect([reply.isError, reply.text]).toEqual([true, expect.stringContaining('summary: holds the credential')]);
  expect(everyFile(home)).not.toContain(API_KEY);
});

test.each([
  'The bearer of the standard',
  'Bearer authentication explained, step by step',
  'bearer-token-rotation-guide-2026.mp4',
  'Bearer https://example.com/watch?v=abc123',
  'Standard bearer Championship2026 highlights',
  'bearer training/module1/video2',
  'The ring bearer 2026-12-01_highlights_reel',
  'Pallbearer Live/Concert_2024_video_of_the_second_evening',
  'vhm_ and vhp_ are how the secrets begin',
  'vhm_2026_spring',
  'eyJhbGciOiJIUzI1NiJ9 is the header of a JWT',
  "SELECT count(*) FROM views WHERE embed_url LIKE '%bearer 2026%'",
  'Bärenträger 12345678901234567890',
  'q'.repeat(100),
  'videos.projects.channels.eyJ',
])('an ordinary text is none: %s', (text) => {
  expect(findCredential({ name: text }, ['short', undefined])).toBeUndefined();
});

test('a long text is looked through at once', () => {
  for (const text of ['eyJaaaaaaaa.', 'Bearer ', 'vhm_ ', 'bearer a1', 'Bearer    '])
    expect(findCredential([text.repeat(400_000)], ['k'.repeat(30)])).toBeUndefined();
  // Each would take seconds if every place behind the word were looked at to the end, and all are done in the time of one test.
  for (const letter of 'aA1-')
    for (let index = 0; index < 4; index += 1)
      expect(findCredential({ name: `Bearer ${letter.repeat(4_000_000)}` }, ['k'.repeat(30)])).toBeUndefined();
});

test('one that stands among very many ids is found where it is', () => {
  const { clientToken } = newSecrets();
  const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`);
  expect(findCredential({ videoIds: [...ids.slice(0, 3_210), `, ${clientToken}`, ...ids] }, [])?.path).toEqual(['videoIds', 3_210]);
  expect(findCredential({ list: [...ids, 7, { name: clientToken }, ...ids] }, [])?.path).toEqual(['list', 5_001, 'name']);
  expect(findCredential({ list: [...ids, `Bearer ${'aB3'.repeat(100)}`] }, [])?.path).toEqual(['list', 5_000]);
});
