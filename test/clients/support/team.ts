/**
 * A client of Bob's with a server over HTTP for several people, and a browser of whoever decides.
 *
 *   await withTeam(kit, 'bob', { steps: [rename, wait] }, async ({ ask, tap, press, meanwhile }) => {
 *     const asked = ask();
 *     await meanwhile(asked, tap.called('get_change'));
 *     await press('ann', link, 'apply');
 *     const [waiting, applied] = await asked;
 *   });
 */
import { fieldsIn } from '../../../src/platform/is-object.ts';
import { atEnd } from '../../harness/cleanup.ts';
import { connectHttp, type PersonName, spawnHttp } from '../../harness/http.ts';
import type { ClientKit } from './kits.ts';
import { type Lab, type LabOptions, withLab } from './lab.ts';
import { startTap, type Tap } from './tap.ts';

export interface Team extends Lab {
  /** Between the client and the server; its address is the server's public URL. */
  readonly tap: Tap;
  /** The names of the tools that the server lists for somebody. */
  listedFor(person: PersonName): Promise<readonly string[]>;
  /** Follows a link in a browser of somebody who isn't signed in yet, and presses. Resolves to what the page then says of the change. */
  press(person: PersonName, link: string, decision: 'apply' | 'decline'): Promise<Readonly<Record<string, unknown>>>;
  /** Waits for something while the client runs; throws an error if the client ends before. */
  meanwhile<T>(running: Promise<unknown>, awaited: Promise<T>): Promise<T>;
}

type Serving = Awaited<ReturnType<typeof spawnHttp>> & { readonly tap: Tap };

/** In a test: the server is ended after it. */
export async function withTeam<T>(kit: ClientKit, person: PersonName, options: LabOptions, use: (team: Team) => Promise<T>): Promise<T> {
  let serving: Serving | undefined;
  const connect: LabOptions['connect'] = async (place, demo) => {
    serving = await serve(demo);
    return kit.connect(place, { url: `${serving.tap.url}/mcp`, clientToken: serving.people[person].secrets.clientToken });
  };
  return withLab(kit, { ...options, connect }, async (lab) => {
    if (serving === undefined) throw new Error('There is no server.');
    const { tap, people } = serving;
    return use({
      ...{ ...lab, tap },
      async listedFor(name) {
        const client = await connectHttp(tap.url, people[name]);
        return (await client.listTools()).map((tool) => String(tool.name));
      },
      press: (name, link, decision) => press(people[name].secrets.pageKey, link, decision),
      meanwhile: (running, awaited) =>
        Promise.race([
          awaited,
          running.then(() => {
            throw new Error(`The client ended before. The model was given: ${JSON.stringify(lab.model.given())}`);
          }),
        ]),
    });
  });
}

async function serve(demo: Lab['demo']): Promise<Serving> {
  const tap = await startTap();
  atEnd(() => tap.close());
  // A call ends after as long as it would for people.
  const env = { VIDEO_HOSTING_PUBLIC_URL: tap.url, VIDEO_HOSTING_CALL_BUDGET_MS: undefined };
  const server = await spawnHttp({ demo, env });
  tap.leadTo(server.url);
  return { ...server, tap };
}

const cookieOf = ({ headers }: Response): string => headers.get('set-cookie')?.split(';')[0] ?? '';

/** As a browser does, which follows where it is led. */
async function press(key: string, link: string, decision: 'apply' | 'decline'): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = new URL(link);
  const ledFrom = async (address: URL | string, init: RequestInit): Promise<URL> => {
    const response = await fetch(address, { ...init, redirect: 'manual' });
    cookie ||= cookieOf(response);
    return new URL(response.headers.get('location') ?? '', origin);
  };
  let cookie = '';
  const signIn = await ledFrom(link, {});
  const form = new URLSearchParams({ key, to: signIn.searchParams.get('to') ?? '' });
  const back = await ledFrom(new URL('/sign-in', origin), { method: 'POST', body: form, headers: { origin } });
  const { hash } = await ledFrom(back, { headers: { cookie } });
  const address = `${origin}/app/api/changes/${hash.split('/').at(-1)}`;
  const get = async (url: string) => fieldsIn(await (await fetch(url, { headers: { cookie } })).json());
  const { token } = await get(`${origin}/app/api/session`);
  const { planDigest } = await get(address);
  const headers = { cookie, origin, 'content-type': 'application/json', 'x-page-token': String(token) };
  const body = JSON.stringify({ decision, planDigest, note: '' });
  const pressed = await fetch(`${address}/decision`, { method: 'POST', headers, body });
  const told = fieldsIn(await pressed.json());
  if (!pressed.ok) throw new Error(`The press was refused: ${JSON.stringify(told)}`);
  return told;
}
