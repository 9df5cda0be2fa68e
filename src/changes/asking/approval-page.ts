import type { Settings } from '../../config/settings.ts';
import { findBrowser } from '../../platform/find-browser.ts';
import type { Sentence } from '../../text/sentence.ts';
/** Why a page can’t be shown, by the settings of a server that has not opened it. */
export function unopenedPage({ browser, desktop }: Pick<Settings, 'browser' | 'desktop'>): Pick<ApprovalPage, 'unavailable' | 'isMissed'> {
  return {
    unavailable() {
      const found = findBrowser(browser, desktop);
      return 'missing' in found ? found.missing : undefined;
    },
    isMissed: () => false,
  };
}

/** The approval page, as far as changes have to know it. */
export interface ApprovalPage {
  /** Why no browser can be opened here, in a sentence; undefined where one can. */
  unavailable(): Sentence | undefined;
  /** Whether the browser that was opened last failed, or has not loaded the page in a while. */
  isMissed(): boolean;
  /** Shows a change that waits: in a page that is open already, else in a browser that is opened. */
  show(changeId: string): Promise<ShownPage>;
}

export interface ShownPage {
  /** Whether a browser has loaded the page. */
  isLoaded(): boolean;
  /** Resolves if the browser failed before it loaded the page. */
  readonly failed: Promise<void>;
}
