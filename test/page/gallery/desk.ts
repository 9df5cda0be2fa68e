/** A person and an assistant, who bring a state of the page about: a real server, its page in a browser, and presses as its buttons send them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ChangeList, ChangeStatus, ChangeView, PageSession } from '../../../src/page/contract.ts';
import type { ToolReply, Values } from '../../harness/client.ts';
import { createTestBrowser } from '../../harness/page.ts';
import { type DemoService, type Environment, startService } from '../../harness/service.ts';
import { freshHome, type Session, start } from '../../harness/start.ts';
import { type Gallery, type StateOptions, settled } from './gallery.ts';

export interface DeskOptions {
  readonly demo?: DemoService;
  readonly home?: string;
  readonly env?: Environment;
  readonly argv?: readonly string[];
  readonly hasCatalogue?: boolean;
  /** Statuses that the page may be answered. */
  readonly mayAnswer?: readonly number[];
}

export interface Desk extends Session {
  readonly page: Page;
  /** The address of the page without a view. */
  readonly root: string;
  call(tool: string, args?: Values, options?: { readonly signal?: AbortSignal }): Promise<ToolReply>;
  /** Asks for a change, and returns its id once it waits. */
  ask(tool: string, args: Values, options?: { readonly signal?: AbortSignal }): Promise<string>;
  get<T = ChangeView>(path: string): Promise<T>;
  press(changeId: string, button: 'apply' | 'decline', note?: string): Promise<ChangeView>;
  post<T = ChangeView>(path: string, body?: Values): Promise<T>;
  until(changeId: string, ...statuses: readonly ChangeStatus[]): Promise<ChangeView>;
  /** Asks, applies, and waits for the end. */
  done(tool: string, args: Values): Promise<string>;
  see(view: string): Promise<Page>;
  /** A view, or a change, as a state of the gallery. */
  view(view: string, name: string, how: string, options?: StateOptions): Promise<void>;
  shown(changeId: string, name: string, how: string): Promise<void>;
}

/** A person and an assistant: the built command, a client of it, and its page in a browser. */
export async function desk(gallery: Gallery, options: DeskOptions = {}): Promise<Desk> {
  const demo = options.demo ?? (await startService({ channels: 6, projects: 4 }));
  const home = options.home ?? freshHome();
  const opener = createTestBrowser();
  const catalogue = join(home, 'videos.json');
  if (options.hasCatalogue !== false)
    writeFileSync(catalogue, JSON.stringify([...demo.world.videos.values()].map(({ id, key, title }) => ({ id, key, title }))));
  const named = options.hasCatalogue === false ? {} : { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue };
  const env = { ...opener.env, ...named, ...options.env };
  const session = await start({ demo, home, env, via: 'process', argv: options.argv ?? [] });
  const call: Desk['call'] = (tool, args = {}, more = {}) => {
    const reply = session.client.callTool(tool, args, more);
    reply.catch(() => undefined);
    return reply;
  };
  void call('show_to_user', { what: 'changes' });
  const page = await gallery.open(await opener.opened(0), undefined, [...(options.mayAnswer ?? []), 422, 429, 500, 502, 503]);
  await page.locator('h1').first().waitFor();
  const root = page.url().split('#')[0] ?? '';
  return { ...session, ...deskOn(gallery, page, root, call) };
}

/** What a person does on a page, whoever asks for changes. */
export function deskOn(gallery: Gallery, page: Page, root: string, call: Desk['call']): Omit<Desk, keyof Session> {
  const request = <T>(path: string, body?: Values, token?: string): Promise<T> =>
    page.evaluate(
      async ([address, sent, ofPage]) => {
        // A page that people sign in to keeps its token; that of one person has it from the server.
        const headers = { 'content-type': 'application/json', 'x-page-token': ofPage ?? localStorage.getItem('page-token') ?? '' };
        const options = sent === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(sent) };
        const response = await fetch(`api/${address}`, options);
        const answer = await response.json();
        // A plan that moved is answered with what it is now.
        const isAnswered = response.ok || (response.status === 409 && 'changeId' in answer);
        if (!isAnswered) throw new Error(`${address}: ${response.status} ${JSON.stringify(answer)}`);
        return answer;
      },
      [path, body, token] as const,
    ) as Promise<T>;
  const get: Desk['get'] = (path) => request(path);
  const post: Desk['post'] = async (path, body = {}) => request(path, body, (await get<PageSession>('session')).token);
  const waiting = async () => {
    const { changes } = await get<ChangeList>('changes');
    return changes.filter(({ status }) => status === 'waiting').map(({ changeId }) => changeId);
  };
  const ask: Desk['ask'] = async (tool, args, more) => {
    const before = new Set(await waiting());
    let reply: ToolReply | undefined;
    let failure: unknown;
    call(tool, args, more).then(
      (answer) => {
        reply = answer;
      },
      (error: unknown) => {
        failure = error;
      },
    );
    for (;;) {
      const next = (await waiting()).find((changeId) => !before.has(changeId));
      if (next !== undefined) return next;
      if (failure !== undefined) throw failure;
      if (reply !== undefined && reply.data?.status !== 'waiting') throw new Error(`It does not wait: ${reply.text}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  const press: Desk['press'] = async (changeId, decision, note = '') => {
    const { planDigest } = await get<ChangeView>(`changes/${changeId}`);
    return post(`changes/${changeId}/decision`, { decision, planDigest: planDigest ?? '', note });
  };
  const until: Desk['until'] = async (changeId, ...statuses) => {
    for (;;) {
      const change = await get<ChangeView>(`changes/${changeId}`);
      const isThere = statuses.length === 0 ? change.status !== 'waiting' && change.status !== 'running' : statuses.includes(change.status);
      if (isThere) return change;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const see: Desk['see'] = async (view) => {
    await page.goto(`${root}#/${view}`);
    await page.reload();
    await settled(page);
    return page;
  };
  return {
    ...{ page, root, call, ask, get, post, press, until, see },
    view: async (view, ...of) => gallery.state(await see(view), ...of),
    shown: async (changeId, ...of) => gallery.state(await see(`changes/${changeId}`), ...of),
    async done(tool, args) {
      const changeId = await ask(tool, args);
      await press(changeId, 'apply');
      await until(changeId);
      return changeId;
    },
  };
}
