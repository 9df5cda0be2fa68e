import { join } from 'node:path';
import { addressOf } from '../account/identity.ts';
import type { Settings } from '../config/settings.ts';
import { readStoreAddress } from '../config/store-address.ts';
import { VideoHostingError } from '../errors.ts';
import type { ServiceClient } from '../service/client.ts';
import { toTakeEffect } from '../text/own-command.ts';
import { sentence } from '../text/sentence.ts';
import type { ViewSync } from './ingest/view-sync.ts';
import type { ViewReader, ViewStorage } from './storage/contract.ts';

export interface Analytics {
  readonly store: ViewReader;
  readonly sync: Pick<ViewSync, 'ensure' | 'failures'>;
  /** Stops all readings, and stores what was read completely. */
  close(): Promise<void>;
}

export interface AnalyticsOptions {
  readonly settings: Settings;
  readonly client: ServiceClient;
  /** `viewsFingerprint`: a shared store is kept by credential, from which the key of its hashes is derived. */
  readonly account: string;
  readonly folder: string;
  readonly log: (message: string) => void;
}

/** Opens an account's views. Throws `settings_missing` without the address of the analytics API. */
export async function openAnalytics({ settings, client, account, folder, log }: AnalyticsOptions): Promise<Analytics> {
  if (settings.statsUrl === undefined)
    throw new VideoHostingError('settings_missing', 'Not set: VIDEO_HOSTING_STATS_URL. Questions about views need the analytics API.', {
      hint: sentence`Set it in the client’s configuration of this server and ${toTakeEffect('VIDEO_HOSTING_STATS_URL')}.`,
    });
  const { createViewSync } = await import('./ingest/view-sync.ts');
  const storage = await (settings.analyticsStore === undefined
    ? openFolder(folder, addressOf(settings.statsUrl), log)
    : openShared(settings, account, folder, log));
  const sync = createViewSync({ client, storage, log });
  return {
    store: storage.reader,
    sync,
    async close() {
      await sync.close();
      await storage.reader.close();
    },
  };
}

async function openFolder(folder: string, address: string, log: (message: string) => void): Promise<ViewStorage> {
  const [{ createEngine }, { createFolderReader }, { createFolderWriter }, { notingAddress, viewsFolderOf }] = await Promise.all([
    import('./engine/engine.ts'),
    import('./storage/folder/reader.ts'),
    import('./storage/folder/writer.ts'),
    import('./storage/folder/views-folder.ts'),
  ]);
  const views = await viewsFolderOf(folder, address);
  const engine = createEngine({ tempFolder: join(folder, 'tmp'), log });
  const writer = createFolderWriter({ folder: views, engine });
  return { reader: createFolderReader({ folder: views, engine }), writer: notingAddress(writer, views, address) };
}

async function openShared(settings: Settings, account: string, folder: string, log: (message: string) => void): Promise<ViewStorage> {
  const { analyticsStore = '', analyticsStorePassword: password, apiKey = '' } = settings;
  const address = readStoreAddress(analyticsStore);
  if ('problem' in address) throw new VideoHostingError('settings_invalid', sentence`VIDEO_HOSTING_ANALYTICS_STORE ${address.problem}`);
  const { analyticsSqlUser: name, analyticsSqlPassword: sqlPassword } = settings;
  const sqlUser = name === undefined ? undefined : { name, password: sqlPassword };
  const { openStore } = await import('./storage/clickhouse/open.ts');
  return openStore({ address, password, account, secret: apiKey, folder: join(folder, 'views'), log, sqlUser });
}
