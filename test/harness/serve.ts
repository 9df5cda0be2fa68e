/** The server in this process, made by the same functions as in production, which reads and writes lines of JSON. */
import type { ParsedConfig } from '../../src/config/parse-config.ts';
import { createApp } from '../../src/mcp/app.ts';
import type { App } from '../../src/mcp/app-contract.ts';
import { listing } from '../../src/mcp/listing/listing.ts';
import { offeredBy } from '../../src/mcp/listing/offered.ts';
import { serveConnection } from '../../src/mcp/serve.ts';
import { INTERVALS, type Intervals } from '../../src/platform/intervals.ts';
import { createLines } from './transport.ts';

const VERSION = '0.0.0-test';

/** What nothing tells of is looked for often, so that no test waits for it. */
const OFTEN: Intervals = { ...INTERVALS, changeMs: 20, historyMs: 50 };

/** As `main.ts` does, with a transport in memory in place of stdin and stdout. `onLine` gets every line that it writes. */
export function serveInProcess(config: ParsedConfig, onLine: (line: string) => void, intervals: Partial<Intervals> = {}) {
  const { clientEnd, serverEnd } = createLines(onLine);
  const log: string[] = [];
  let app: App | undefined;
  const lists = listing();
  const serverOptions = {
    version: VERSION,
    settings: config.settings,
    listing: lists,
    offered: offeredBy(lists, config.settings),
    app: async () => {
      app ??= createApp({ config, version: VERSION, intervals: { ...OFTEN, ...intervals }, log: (line) => log.push(line) });
      return app;
    },
  };
  const handle = serveConnection(serverOptions, serverEnd, (line) => log.push(line));
  return {
    clientEnd,
    log,
    async close() {
      await app?.close();
      await handle.close();
    },
  };
}
