import { setTimeout as sleep } from 'node:timers/promises';
import { type ApprovalPage, type ShownPage, unopenedPage } from '../changes/asking/approval-page.ts';
import type { Settings } from '../config/settings.ts';
import { PAGE_VIEWS } from '../page/contract.ts';
import type { PageDeps } from '../page/deps.ts';
import type { BrowserPage } from '../page/page.ts';
import { findBrowser } from '../platform/find-browser.ts';
import type { Intervals } from '../platform/intervals.ts';

/** The approval page of one account. */
export interface AccountPage extends ApprovalPage {
  /** Shows a view that was asked for: the fragment of its address, by default the changes. Returns whether the browser could be started. */
  open(view?: string): Promise<boolean>;
  close(): void;
}

/** The approval page, of which nothing is loaded before it is shown for the first time. */
export function createAccountPage(
  { browser, desktop }: Pick<Settings, 'browser' | 'desktop'>,
  { browserMs }: Intervals,
  deps: () => PageDeps,
): AccountPage {
  let page: Promise<BrowserPage> | undefined;
  let loaded: BrowserPage | undefined;
  let isClosed = false;

  async function load(): Promise<BrowserPage> {
    page ??= import('../page/page.ts').then(({ createPage }) => createPage({ ...deps(), desktop }));
    loaded = await page;
    if (isClosed) loaded.close();
    return loaded;
  }

  async function show(view: string, isAskedFor: boolean): Promise<ShownPage> {
    const found = findBrowser(browser, desktop);
    if ('missing' in found) throw new Error(found.missing);
    return (await load()).show(view, found, { isAskedFor });
  }

  return {
    unavailable: unopenedPage({ browser, desktop }).unavailable,
    isMissed: () => loaded?.isMissed() ?? false,
    show: (changeId) => show(`${PAGE_VIEWS.change}${changeId}`, false),
    async open(view = PAGE_VIEWS.changes) {
      const shown = await show(view, true);
      let hasFailed = false;
      void shown.failed.then(() => {
        hasFailed = true;
      });
      for (const since = performance.now(); !shown.isLoaded() && !hasFailed && performance.now() - since < browserMs; )
        await sleep(LOOK_MS);
      return !hasFailed;
    },
    close() {
      isClosed = true;
      loaded?.close();
    },
  };
}

const LOOK_MS = 20;
