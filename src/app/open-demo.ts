import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { removeIfPossible } from '../platform/files.ts';
import { makeTemporary } from './make-temporary.ts';

/** Starts the demo service, with a data folder that is removed with it. */
export async function openDemo(settings: Settings): Promise<{ settings: Settings; release: () => Promise<void> }> {
  const dataDir = makeTemporary('video-hosting-mcp-demo-');
  const { startDemoService } = await import('../demo/service.ts');
  const demo = await startDemoService({ now: new Date().toISOString() });
  // A catalogue like the one a user exports, for titles in answers and references by title.
  const videoCatalogue = settings.videoCatalogue ?? join(dataDir, 'videos.json');
  if (settings.videoCatalogue === undefined)
    writeFileSync(videoCatalogue, JSON.stringify([...demo.world.videos.values()].map(({ id, key, title }) => ({ id, key, title }))));
  // Views of the demo account must not get into a store that is shared.
  const { accessToken: _token, analyticsStore: _store, ...rest } = settings;
  return {
    settings: { ...rest, baseUrl: demo.baseUrl, statsUrl: demo.statsUrl, apiKey: demo.apiKey, dataDir, videoCatalogue },
    release: async () => {
      await demo.close();
      await removeIfPossible(dataDir);
    },
  };
}
