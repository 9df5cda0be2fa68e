/** A person makes their own client token anew on the page, and is told what clients are given. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { removePerson, rotateSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { fieldsIn } from '../../src/platform/is-object.ts';
import { browse } from '../harness/browse.ts';
import { type HttpSession, startHttp } from '../harness/http.ts';

const never = new AbortController().signal;
const signedIn = (session: HttpSession, name: keyof HttpSession['people']) => browse(session, session.people[name].secrets.pageKey);

async function renewed(session: HttpSession, name: keyof HttpSession['people']) {
  const browser = await signedIn(session, name);
  const { tokenId } = await browser.api('client');
  const answer = await browser.post('client/token', { tokenId });
  return { browser, tokenId, status: answer.status, answer, body: fieldsIn(await answer.json()) };
}

test('a new client token takes the place of the old one at once, and the sign-in stays', async () => {
  const session = await startHttp();
  const { url, people, dataDir, connect, log, requests } = session;
  const before = await connect(people.bob);
  const { browser, status, answer, body } = await renewed(session, 'bob');
  const token = String(body.token);
  expect([status, token]).toEqual([200, expect.stringMatching(/^vhm_[\w-]{43}$/)]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  await expect(before.callTool('list_channels', { size: 1 })).rejects.toThrow();
  const bob = { ...people.bob, secrets: { ...people.bob.secrets, clientToken: token } };
  expect((await (await connect(bob)).callTool('list_channels', { size: 1 })).isError).toBe(false);
  expect(await browser.api('session')).toMatchObject({ person: { name: 'bob' } });
  expect(await browser.api('client')).toEqual({ url, address: `${url}/mcp`, tokenId: body.tokenId });
  expect((await signedIn(session, 'bob')).entered.status).toBe(303);
  // Others keep theirs.
  await connect(people.ann);
  expect([log(), JSON.stringify(requests()), readFileSync(peopleFileIn(dataDir), 'utf8')].join('\n')).not.toContain(token);
  expect(requests()).toContainEqual(expect.objectContaining({ person: 'bob', path: '/app/api/client/token', outcome: 'token renewed' }));
});

test('another window, or a second press, does not end the token that was just shown', async () => {
  const session = await startHttp();
  const { browser, tokenId, body } = await renewed(session, 'bob');
  const again = await browser.post('client/token', { tokenId });
  expect([again.status, fieldsIn(await again.json())]).toEqual([409, { message: expect.stringContaining('made anew meanwhile') }]);
  const bob = { ...session.people.bob, secrets: { ...session.people.bob.secrets, clientToken: String(body.token) } };
  await session.connect(bob);
  for (const wrong of [{}, { tokenId: 'x' }, { tokenId: 1 }]) expect((await browser.post('client/token', wrong)).status).toBe(409);
});

test('it takes a sign-in, the page’s own token and its origin; a client token makes none', async () => {
  const session = await startHttp();
  const { url, people } = session;
  const bearer = { authorization: `Bearer ${people.bob.secrets.clientToken}`, 'content-type': 'application/json', origin: url };
  for (const headers of [bearer, { 'content-type': 'application/json', origin: url }])
    expect((await fetch(`${url}/app/api/client/token`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  const bob = await signedIn(session, 'bob');
  const { tokenId } = await bob.api('client');
  expect((await bob.post('client/token', { tokenId }, { 'x-page-token': 'x' })).status).toBe(401);
  for (const headers of [{ origin: undefined }, { origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await bob.post('client/token', { tokenId }, headers)).status).toBe(403);
  await session.connect(people.bob);
});

test('where secrets were rotated or the person removed meanwhile, no token is made', async () => {
  const session = await startHttp();
  const file = peopleFileIn(session.dataDir);
  const [bob, eve] = [await signedIn(session, 'bob'), await signedIn(session, 'eve')];
  const [{ tokenId }, eves] = [await bob.api('client'), await eve.api('client')];
  await rotateSecrets(file, 'bob', never);
  await removePerson(file, 'eve', never);
  const kept = readFileSync(file, 'utf8');
  // Neither is signed in any more, so neither is given a page’s token.
  for (const [browser, seen] of [
    [bob, tokenId],
    [eve, eves.tokenId],
  ] as const)
    expect((await browser.post('client/token', { tokenId: seen })).status).toBe(401);
  expect(readFileSync(file, 'utf8')).toBe(kept);
  expect(existsSync(`${file}.new`)).toBe(false);
});
