/**
 * A client of Bob's with a server over HTTP for several people, and a browser of whoever decides.
 *
 *   await withTeam(kit, 'bob', { steps: [rename(NAME), waitForIt] }, async ({ ask, model, tap, press, meanwhile }) => {
 *     const asking = ask();
 *     await meanwhile(asking, tap.called('get_change'));
 *     await press('ann', linkIn(model.given()[0]), 'apply');
 *     const [waiting, applied] = await asking;
 *   });
 */
import { browse } from '../../harness/browse.ts';
import { atEnd } from '../../harness/cleanup.ts';
import { connectHttp, type PersonName, spawnHttp } from '../../harness/http.ts';
import { createTestBrowser } from '../../harness/page.ts';
import type { ClientKit } from './kits.ts';
import { type Lab, type LabOptions, withLab } from './lab.ts';
import type { Given, Step } from './script.ts';
import { startTap, type Tap } from './tap.ts';

export interface Team extends Lab {
  /** Between the client and the server; its address is the server's public URL. */
  readonly tap: Tap;
  /** The addresses that the client opened in its person's browser, once there are any. */
  opened(): Promise<readonly string[]>;
  /** The names of the tools that the server lists for somebody. */
  listedFor(person: PersonName): Promise<readonly string[]>;
  /** Follows a link in a browser of somebody who isn't signed in yet, and presses. Resolves to what the page then says of the change. */
  press(person: PersonName, link: string, decision: 'apply' | 'decline'): Promise<Readonly<Record<string, unknown>>>;
  /** Waits for something while the client runs; throws an error if the client ends before. */
  meanwhile<T>(running: Promise<unknown>, awaited: Promise<T>): Promise<T>;
}

export const rename = (name: string): Step => ({ tool: 'update_channels', args: { changes: [{ channel: 'Onboarding', name }] } });
/** Waits for the answer to what was asked for last. */
export const waitForIt: Step = (given) => ({ tool: 'get_change', args: { changeId: changeIdIn(given.at(-1)), waitSeconds: 60 } });

export const changeIdIn = (given: Pick<Given, 'text'> | undefined): string => /chg-[\w-]+/.exec(given?.text ?? '')?.[0] ?? '';
export const linkIn = (given: Given | undefined): string => /http:\/\/[^\s"]+\/changes\/chg-[\w-]+/.exec(given?.text ?? '')?.[0] ?? '';
export const updatesOf = ({ demo }: Pick<Lab, 'demo'>): number =>
  demo.requests.filter(({ method, applied }) => method === 'PUT' && applied).length;

type Serving = Awaited<ReturnType<typeof spawnHttp>> & { readonly tap: Tap };

export interface TeamOptions extends Omit<LabOptions, 'entry'> {
  /** Where the entry has the person's token: in itself, or in a variable that it names. */
  readonly credentials?: 'file' | 'environment';
}

/** In a test: the server is ended after it. The entry is what `install --url` writes. */
export async function withTeam<T>(kit: ClientKit, person: PersonName, options: TeamOptions, use: (team: Team) => Promise<T>): Promise<T> {
  const { credentials = 'file', ...rest } = options;
  let serving: Serving | undefined;
  const browser = createTestBrowser();
  const entry: LabOptions['entry'] = async (demo) => {
    serving = await serve(demo);
    const account = { VIDEO_HOSTING_CLIENT_TOKEN: serving.people[person].secrets.clientToken };
    const more = { BROWSER: browser.program, ...(credentials === 'environment' ? account : {}) };
    return { argv: ['--url', serving.tap.url, '--credentials', credentials], account, more };
  };
  return withLab(kit, { ...rest, entry }, async (lab) => {
    if (serving === undefined) throw new Error('There is no server.');
    const { tap, people } = serving;
    return use({
      ...{ ...lab, tap },
      opened: () => browser.opened().then(() => browser.addresses()),
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

/** As a browser does, which follows where it is led: through the sign-in to the change. */
async function press(key: string, link: string, decision: 'apply' | 'decline'): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = new URL(link);
  const ledBy = ({ headers }: Response): URL => new URL(headers.get('location') ?? '', origin);
  const signIn = ledBy(await fetch(link, { redirect: 'manual' }));
  const { entered, decide } = await browse({ url: origin }, key, signIn.searchParams.get('to') ?? '');
  const { status, body } = await decide(changeIdIn({ text: ledBy(entered).hash }), decision);
  if (status !== 200) throw new Error(`The press was refused: ${JSON.stringify(body)}`);
  return body;
}
