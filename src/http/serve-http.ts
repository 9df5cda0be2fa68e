import { once } from 'node:events';
import { isLoopback, MCP_PATH, readListenAddress } from '../config/http-address.ts';
import type { ParsedConfig } from '../config/parse-config.ts';
import { secondPersonRule } from '../config/second-person.ts';
import { missingSettings, SETTINGS, type Settings, sharedSettings } from '../config/settings.ts';
import { refusal, VideoHostingError } from '../errors.ts';
import { createMcpEndpoint } from '../mcp/serve-http.ts';
import type { SharedPage } from '../page/shared-page.ts';
import { approversProblem } from '../people/approvers.ts';
import { renewClientToken } from '../people/change-people.ts';
import { openPeople, type People, peopleFileIn } from '../people/people.ts';
import { findOwnCommand } from '../platform/find-own-command.ts';
import type { Intervals } from '../platform/intervals.ts';
import { asWorkOf, SERVER } from '../platform/whose-work.ts';
import { counted } from '../text/counted.ts';
import { ownCommand, PROGRAM, setOwnCommand, setReaders } from '../text/own-command.ts';
import { joined, type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { createFailedCredentials } from './failed-credentials.ts';
import { withFolderLock } from './folder-lock.ts';
import { healthRoutes } from './health-routes.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { mcpRoute } from './mcp-route.ts';
import { pageRoutes } from './page-routes.ts';
import { createPersonLimits, PAGE_IN_FLIGHT } from './person-limits.ts';
import { createSignIns } from './sign-ins.ts';

export interface ServeHttpOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  /** Takes a line of JSON for each request. */
  readonly logRequest: (line: string) => void;
  /** Ends the server. */
  readonly signal: AbortSignal;
  readonly intervals?: Intervals;
  /** Is told once requests are answered. */
  readonly onListening?: (server: Pick<HttpServer, 'origin' | 'publicUrl'>) => void;
}

/** For what is in flight when the server is ended. */
export const GRACE_MS = 10_000;

/** Serves the account to several people until the signal aborts. Throws where it must not begin, before anything is answered. */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const { settings } = options.config;
  setOwnCommand(() => findOwnCommand(import.meta.dirname, settings.desktop));
  const command = ownCommand('people add NAME --roles read,propose,approve');
  const missing = missingSettings(settings);
  if (missing.length > 0)
    throw refusal('settings_missing', sentence`Not set: ${wordList(missing)}.`, 'Set the named variables and start the server again.');
  const file = settings.people ?? peopleFileIn(settings.dataDir);
  const people = openPeople(file, options.log);
  assertSomebody(settings, people, file, command, options.log);
  const unapproved = approversProblem(secondPersonRule(settings.secondPerson), people.all());
  if (unapproved !== undefined)
    throw refusal(
      'settings_invalid',
      sentence`${SETTINGS.secondPerson.variable} is always. ${unapproved}`,
      sentence`Let a second person approve: ${command}`,
    );
  // Whoever reads an answer is not at this machine: its paths and commands say nothing to them.
  setOwnCommand(() => sentence`${PROGRAM}`);
  setReaders('elsewhere');
  try {
    const run = () => serveFolder(options, people, file);
    // The made-up account has a folder of its own.
    return await (settings.demo ? run() : withFolderLock(settings.dataDir, run));
  } finally {
    setReaders('here');
  }
}

/** Throws where nobody could get in, and others than this machine’s programs try. */
function assertSomebody(settings: Settings, people: People, file: string, command: Sentence, log: ServeHttpOptions['log']): void {
  const all = people.all();
  if (all.some(({ roles }) => roles.length > 0)) return;
  const nobody = sentence`${all.length === 0 ? 'Nobody is in the file of people' : 'Nobody has roles that count in the file of people'} (${word(file, 4_096)}), so nobody gets in.`;
  const hint = joined([...people.problems().flatMap(({ detail, remedy }) => [detail, remedy]), sentence`Add somebody: ${command}`]);
  if (!isLoopback(listenOf(settings))) throw refusal('settings_invalid', nobody, hint);
  log(`${nobody} ${hint}`);
}

function listenOf({ httpListen }: Pick<Settings, 'httpListen'>) {
  const listen = readListenAddress(httpListen);
  if (listen === undefined) throw new Error(`${SETTINGS.httpListen.variable} was not checked.`);
  return listen;
}

async function serveFolder(options: ServeHttpOptions, people: People, file: string): Promise<void> {
  const { config, log, logRequest, signal } = options;
  const { publicUrl, callBudgetMs: answerMs } = config.settings;
  const server = await startHttpServer({ listen: listenOf(config.settings), publicUrl, log, logRequest, answerMs });
  try {
    await asWorkOf(SERVER, () => serveOn(server, options, people, file));
    if (!signal.aborted) await once(signal, 'abort');
    log('This server is being ended: what is in flight is answered first.');
    await server.drain(GRACE_MS);
  } finally {
    await server.close();
  }
}

/** Opens the account, and has its requests answered. */
async function serveOn(server: HttpServer, options: ServeHttpOptions, people: People, file: string): Promise<void> {
  const { log, onListening } = options;
  const config = { ...options.config, settings: sharedSettings(options.config.settings, server.publicUrl) };
  // Loaded later than the SDK: in one file, what it needs of zod would not be there yet.
  const { createApp } = await import('../mcp/app.ts');
  const app = createApp({ ...options, config });
  const endpoint = createMcpEndpoint({ ...options, config, app });
  let shown: SharedPage | undefined;
  const page = async (): Promise<SharedPage> => {
    shown = await app.sharedPage();
    return shown;
  };
  server.onDrain(async () => {
    app.end();
    shown?.events.close();
  });
  server.onClose(async () => {
    await endpoint.close();
    await app.close();
  });
  await app.ready().catch((error: unknown) => {
    if (!(error instanceof VideoHostingError) || error.code.startsWith('settings')) throw error;
    log(`The account is not open yet: ${error.message} It is tried again with each request, and /readyz says once it is.`);
  });
  const failed = createFailedCredentials();
  server.serve([
    ...healthRoutes({ ready: app.ready, log }),
    mcpRoute({ endpoint, people, limits: createPersonLimits(), failed }),
    ...pageRoutes({
      ...{ publicUrl: server.publicUrl, signIns: createSignIns(people), everybody: people.all, page, failed },
      // A measure of its own: an assistant’s flood doesn’t keep its person from deciding.
      limits: createPersonLimits(undefined, PAGE_IN_FLIGHT),
      clientAccess: {
        ...{ publicUrl: server.publicUrl, current: people.current, log },
        renewToken: (seen, stop) => renewClientToken(file, seen, stop),
      },
    }),
  ]);
  log(
    `Serves at ${server.publicUrl}${MCP_PATH} (listening on ${server.origin}). ${counted(people.all().length, 'person', 'people')} may use it.`,
  );
  onListening?.(server);
}
