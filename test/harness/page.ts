/**
 * The approval page without a browser: a program that keeps the address it is given, and plain requests.
 *
 *   const browser = createTestBrowser();
 *   const { client } = await start({ env: browser.env });
 *   const call = client.callTool('update_channels', …);
 *   const page = await enterPage(await browser.opened());
 *   const change = await page.firstWaiting();
 *   await page.decide(change, 'apply');
 *   await call;
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import type { ChangeList, ChangeView, PageEvent } from '../../src/page/contract.ts';
import { atEnd } from './cleanup.ts';
import { freshHome } from './start.ts';

export interface TestBrowser {
  readonly program: string;
  /** The settings of a server that opens this browser. */
  readonly env: Readonly<Record<string, string>>;
  /** The addresses that it was given so far. */
  addresses(): readonly string[];
  /** Resolves with its n-th address once it is given. */
  opened(index?: number): Promise<string>;
  /** From now on it fails at once and keeps nothing, or works again. */
  setBroken(isBroken: boolean): void;
}

/** A program that keeps what it is given. It exits with `exitCode`. */
export function createTestBrowser(exitCode = 0): TestBrowser {
  const folder = freshHome();
  const file = join(folder, 'addresses');
  const program = join(folder, 'browser');
  const broken = join(folder, 'broken');
  writeFileSync(
    program,
    `#!/bin/sh\n[ -e '${broken}' ] && exit 1\nfor argument in "$@"; do printf '%s\\n' "$argument" >> '${file}'; done\nexit ${exitCode}\n`,
  );
  chmodSync(program, 0o700);
  const addresses = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  return {
    program,
    env: { VIDEO_HOSTING_BROWSER: program },
    addresses,
    setBroken: (isBroken) => (isBroken ? writeFileSync(broken, '') : rmSync(broken, { force: true })),
    async opened(index = 0) {
      for (;;) {
        const address = addresses()[index];
        if (address !== undefined) return address;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/** The address in the file that a browser other than `VIDEO_HOSTING_BROWSER` is given. */
export const addressInFile = (file: string): string => /url=([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** Sent unchanged instead of the path of the address. */
  readonly path?: string;
}

/** A request with exactly these headers. */
export function http(address: string, { method = 'GET', headers = {}, body, path }: HttpOptions = {}): Promise<HttpReply> {
  const given = Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers: given, agent: false, ...(path === undefined ? {} : { path }) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EnteredSchema = z.object({ location: z.string() });
const SessionSchema = z.looseObject({ token: z.string() });

export interface TestPage {
  readonly origin: string;
  /** The folder of the session. */
  readonly folder: string;
  readonly cookie: string;
  readonly token: string;
  /** The fragment that was asked for. */
  readonly view: string;
  get(path: string, headers?: HttpOptions['headers']): Promise<HttpReply>;
  post(path: string, body?: unknown, headers?: HttpOptions['headers']): Promise<HttpReply>;
  changes(): Promise<ChangeList>;
  change(changeId: string): Promise<ChangeView>;
  /** The waiting changes, once there are at least `count`. */
  waiting(count?: number): Promise<readonly ChangeView[]>;
  /** The change that waits, or the first of them. */
  firstWaiting(): Promise<ChangeView>;
  decide(
    change: ChangeView,
    decision: 'apply' | 'decline',
    note?: string,
  ): Promise<{ readonly status: number; readonly change: ChangeView }>;
  /** The events from now on. */
  events(): Promise<TestEvents>;
}

/** Exchanges the code of an address, as the page's entrance does in a browser. */
export const exchange = (address: string, headers: HttpOptions['headers'] = {}): Promise<HttpReply> => {
  const { origin, pathname } = new URL(address);
  return http(`${origin}/open`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', ...JSON_TYPE, ...headers },
    body: JSON.stringify({ code: pathname.split('/').pop() }),
  });
};

/** Enters as the person's browser does. */
export async function enterPage(address: string): Promise<TestPage> {
  const { origin } = new URL(address);
  const entered = await exchange(address);
  if (entered.status !== 200) throw new Error(`The code was refused: ${entered.text}`);
  const location = new URL(EnteredSchema.parse(JSON.parse(entered.text)).location, origin);
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const folder = location.pathname;
  const base = `${origin}${folder}`;
  const get = (path: string, headers = {}) => http(`${base}${path}`, { headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers } });
  const { token } = SessionSchema.parse(JSON.parse((await get('api/session')).text));
  const post = (path: string, body: unknown = {}, headers = {}) =>
    http(`${base}${path}`, {
      method: 'POST',
      headers: { cookie, origin, 'sec-fetch-site': 'same-origin', 'x-page-token': token, ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
  // The server's own types. The tests check that the server follows them.
  const changes = async () => JSON.parse((await get('api/changes')).text) as ChangeList;
  const change = async (changeId: string) => JSON.parse((await get(`api/changes/${changeId}`)).text) as ChangeView;
  const waiting = async (count = 1): Promise<readonly ChangeView[]> => {
    for (;;) {
      const found = (await changes()).changes.filter(({ status }) => status === 'waiting');
      if (found.length >= count) return Promise.all(found.map(({ changeId }) => change(changeId)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    ...{ origin, folder, cookie, token, view: location.hash, get, post, changes, change, waiting },
    async firstWaiting() {
      const [first] = await waiting();
      if (first === undefined) throw new Error('Nothing waits.');
      return first;
    },
    async decide({ changeId, planDigest }, decision, note) {
      const reply = await post(`api/changes/${changeId}/decision`, { decision, planDigest, note });
      return { status: reply.status, change: JSON.parse(reply.text) as ChangeView };
    },
    events: () => listen(`${base}api/events`, cookie),
  };
}

export interface TestEvents {
  readonly status: number;
  readonly received: readonly PageEvent[];
  next(wanted: (event: PageEvent) => boolean): Promise<PageEvent>;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

function listen(address: string, cookie: string): Promise<TestEvents> {
  return new Promise((resolve, reject) => {
    const received: PageEvent[] = [];
    const listeners = new Set<() => void>();
    const sent = request(address, { headers: { cookie, 'sec-fetch-site': 'same-origin' }, agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) if (part.startsWith('data: ')) received.push(JSON.parse(part.slice('data: '.length)) as PageEvent);
        for (const listener of listeners) listener();
      });
      response.on('error', () => undefined);
      const next = (wanted: (event: PageEvent) => boolean): Promise<PageEvent> =>
        new Promise((found) => {
          const look = (): void => {
            const event = received.find(wanted);
            if (event === undefined) return;
            listeners.delete(look);
            found(event);
          };
          listeners.add(look);
          look();
        });
      const ended = new Promise<void>((over) => response.once('close', over));
      resolve({ status: response.statusCode ?? 0, received, next, ended, close: () => void sent.destroy() });
    });
    sent.on('error', reject);
    sent.end();
    atEnd(() => void sent.destroy());
  });
}
