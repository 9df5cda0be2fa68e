import { join } from 'node:path';
import type { AnalyticsStore, ViewSync } from '../../analytics/contract.ts';
import type { Settings } from '../../config.ts';
import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';

/** The views of an account: where they are kept, and what brings them there. */
export interface Analytics {
  readonly store: AnalyticsStore;
  readonly sync: ViewSync;
  /** Stops what is being read, and keeps what is read. */
  close(): Promise<void>;
}

export interface AnalyticsOptions {
  readonly settings: Settings;
  readonly client: Client;
  /** Of the account, for everything that is kept of it. */
  readonly folder: string;
  readonly log: (message: string) => void;
}

/** Opens an account's views. Throws `settings_missing` where the analytics API's address is not set. */
export async function openAnalytics({ settings, client, folder, log }: AnalyticsOptions): Promise<Analytics> {
  if (settings.statsUrl === undefined)
    throw new VideoHostingError('settings_missing', 'Not set: VIDEO_HOSTING_STATS_URL. Questions about views need the analytics API.', {
      hint: 'Set it in the client’s configuration of this server and restart it.',
    });
  const [{ createEngine }, { createViewStore }, { createFolderKeep }, { createViewSync }] = await Promise.all([
    import('../../analytics/engine/engine.ts'),
    import('../../analytics/store.ts'),
    import('../../analytics/folder-keep.ts'),
    import('../../analytics/sync.ts'),
  ]);
  const views = join(folder, 'views');
  const engine = createEngine({ tempFolder: join(folder, 'tmp'), log });
  const store = createViewStore({ folder: views, engine });
  const sync = createViewSync({ client, keep: createFolderKeep({ folder: views, engine }), log });
  return {
    store,
    sync,
    async close() {
      await sync.close();
      await store.close();
    },
  };
}
