import { join } from 'node:path';
import type { ShownPage } from '../changes/asking/approval-page.ts';
import type { Browser, Desktop } from '../platform/find-browser.ts';
import { type OpenedBrowser, openBrowser } from '../platform/open-browser.ts';
import { createApi } from './api/api.ts';
import { watchFits } from './api/fits.ts';
import { createLastShown, watchHistory } from './api/watch-history.ts';
import { watchProposals } from './api/watch-proposals.ts';
import type { PageDeps } from './deps.ts';
import { loadDocument } from './server/document.ts';
import { createEventStreams } from './server/events.ts';
import { type PageServer, startPageServer } from './server/http-server.ts';
import { CODE_MS, createSessions } from './server/sessions.ts';

export interface PageOptions extends PageDeps {
  readonly desktop: Desktop;
}

export interface BrowserPage {
  /** Whether the browser that was opened last failed, or has not loaded the page in a while. */
  isMissed(): boolean;
  /** Opens a view in a browser, or tells the page that is open already. Rejects where nothing can be opened. */
  show(view: string, browser: Browser, how: { readonly isAskedFor: boolean }): Promise<ShownPage>;
  close(): void;
}

/** After so long a browser that has not loaded the page is taken to be out of the user’s sight. */
const MISSED_MS = 20_000;

/** A browser that was opened, or is being opened. */
interface Opening {
  readonly at: number;
  isLoaded: boolean;
  hasFailed: boolean;
  readonly shown: ShownPage;
}

const ON_PAGE: ShownPage = { isLoaded: () => true, failed: new Promise<void>(() => undefined) };

/** The approval page. Its server starts when a view is shown for the first time, and ends with the process. */
export function createPage(options: PageOptions): BrowserPage {
  const sessions = createSessions();
  const events = createEventStreams();
  const lastShown = createLastShown();
  let server: Promise<PageServer> | undefined;
  let document: Promise<string> | undefined;
  let opening: Opening | undefined;
  let enteredAt = Number.NEGATIVE_INFINITY;
  const browsers = new Set<OpenedBrowser>();
  const ends: (() => void)[] = [release];

  const isOpen = (): boolean =>
    events.isConnected() || performance.now() - Math.max(enteredAt, events.closedAt()) < options.intervals.connectingMs;

  function start(): Promise<PageServer> {
    server ??= startPageServer({
      sessions,
      events,
      document: () => {
        document ??= loadDocument(join(import.meta.dirname, 'page.html'));
        return document;
      },
      api: createApi(options, lastShown),
      onEntered: () => {
        enteredAt = performance.now();
        release();
        if (opening !== undefined) opening.isLoaded = true;
      },
      log: options.log,
    }).then(
      (started) => {
        ends.push(
          watchHistory(options, lastShown, events.isConnected, events.send),
          watchProposals(options, events.isConnected, events.send),
          watchFits(options, lastShown.fits, events.isConnected, events.send),
        );
        return started;
      },
      (error: unknown) => {
        server = undefined;
        throw error;
      },
    );
    return server;
  }

  async function open(view: string, browser: Browser): Promise<OpenedBrowser> {
    const { origin } = await start();
    const opened = await openBrowser(`${origin}/open/${sessions.newCode(view)}`, browser, options.desktop);
    browsers.add(opened);
    setTimeout(() => opened.release(), CODE_MS).unref();
    return opened;
  }

  /** What led browsers here is no longer needed when a code is used. */
  function release(): void {
    for (const opened of browsers) opened.release();
    browsers.clear();
  }

  function begin(view: string, browser: Browser): Opening {
    const opened = open(view, browser);
    const failed = new Promise<void>((resolve) => {
      const fail = (): void => {
        if (begun.isLoaded) return;
        begun.hasFailed = true;
        resolve();
      };
      opened.then(
        (browserOpened) => browserOpened.failed.then(fail),
        (error: unknown) => {
          options.log(`The approval page could not be opened: ${String(error)}`);
          fail();
        },
      );
    });
    const begun: Opening = { at: performance.now(), isLoaded: false, hasFailed: false, shown: { isLoaded: () => begun.isLoaded, failed } };
    return begun;
  }

  const isMissed = (): boolean =>
    opening !== undefined && !opening.isLoaded && !isOpen() && (opening.hasFailed || performance.now() - opening.at > MISSED_MS);

  return {
    isMissed,
    async show(view, browser, { isAskedFor }) {
      if (isOpen()) {
        if (isAskedFor) events.send({ type: 'show', view });
        return ON_PAGE;
      }
      // Many changes at once open one window.
      const isPending = opening !== undefined && !opening.isLoaded && !isMissed();
      if (opening === undefined || !isPending) opening = begin(view, browser);
      return opening.shown;
    },
    close() {
      for (const end of ends) end();
      events.close();
      void server?.then((started) => started.close()).catch(() => undefined);
    },
  };
}
