import { join } from 'node:path';
import { createApi } from './api/api.ts';
import { watchFits } from './api/fits.ts';
import { createLastShown, watchHistory } from './api/watch-history.ts';
import { watchProposals } from './api/watch-proposals.ts';
import type { PageRequest, PageResponse } from './api-messages.ts';
import type { PageDeps } from './deps.ts';
import { loadDocument } from './server/document.ts';
import { createEventStreams, type Events } from './server/events.ts';

/** The page of a server for several people, which lets them in itself. */
export interface SharedPage {
  readonly document: () => Promise<string>;
  readonly api: (request: PageRequest) => Promise<PageResponse>;
  readonly events: Events;
  close(): void;
}

/** Open windows of all people. */
const MAX_STREAMS = 500;

export function createSharedPage(deps: PageDeps): SharedPage {
  const events = createEventStreams(MAX_STREAMS);
  const lastShown = createLastShown();
  const ends = [
    watchHistory(deps, lastShown, events.isConnected, events.send),
    watchProposals(deps, events.isConnected, events.send),
    watchFits(deps, lastShown.fits, events.isConnected, events.send),
  ];
  let document: Promise<string> | undefined;
  return {
    document: () => {
      document ??= loadDocument(join(import.meta.dirname, 'page.html'));
      return document;
    },
    api: createApi(deps, lastShown),
    events,
    close() {
      for (const end of ends) end();
      events.close();
    },
  };
}
