#!/usr/bin/env node
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { helpText } from './config/help.ts';
import { type ParsedConfig, parseConfig } from './config/parse-config.ts';
import { proxyPassword } from './config/proxy.ts';
import type { Settings } from './config/settings.ts';
import { createHandshake, recordedResponses } from './mcp/protocol/handshake.ts';
import type { Served } from './mcp/serve.ts';
import { findOwnCommand } from './platform/find-own-command.ts';
import { homeFolder } from './platform/home-folder.ts';
import { deniedByNode } from './platform/node-permissions.ts';
import { createScrubber } from './service/credentials.ts';
import { ownCommand, setOwnCommand } from './text/own-command.ts';
import type { Sentence } from './text/sentence.ts';

/** Less than the time after which clients kill a server whose input they closed. */
const SHUTDOWN_MS = 700;
/** The width of a terminal that does not tell it. */
const DEFAULT_COLUMNS = 80;
const EXIT_CRASH = 1;
const EXIT_USAGE = 2;

const { version } = packageJson;
const home = homeFolder();
const parsed = parseConfig(process.argv.slice(2), process.env, process.platform, home);
// Types don’t tell that there is none where Node’s permission model is off.
const permission = process.permission as NodeJS.ProcessPermission | undefined;
const denied = permission && deniedOf(permission, parsed.settings);
/** What Node’s permission model denies is a problem like that of a setting: nothing is begun that would fail in the middle. */
const config: ParsedConfig = denied === undefined ? parsed : { ...parsed, problems: [...parsed.problems, denied] };
setOwnCommand(() => findOwnCommand(import.meta.dirname, config.settings.desktop));
const { apiKey, accessToken, clientToken, analyticsStorePassword, analyticsSqlPassword, proxy } = config.settings;
const secrets = [apiKey, accessToken, clientToken, analyticsStorePassword, analyticsSqlPassword, proxyPassword(proxy)];
let scrubber: ReturnType<typeof createScrubber> | undefined;
/** Removes credentials from a text. The scrubber is made when something is written: most starts write nothing. */
function scrub(text: string): string {
  scrubber ??= createScrubber(secrets.filter((secret) => secret !== undefined));
  return scrubber.scrub(text);
}

// stdout is for the protocol alone: any other line there breaks the connection.
// biome-ignore lint/suspicious/noConsole: this redirects every use of it
for (const method of ['log', 'info', 'debug', 'warn'] as const) console[method] = console.error;
// Child processes and crash reports must not get the credentials.
for (const name of Object.keys(process.env)) if (/^VIDEO[_-]?HOSTING/i.test(name)) delete process.env[name];
process.on('unhandledRejection', (reason) => log(stackOf(reason)));
// By default Node also prints the properties of the error, and the line of code, which is long in a bundle.
process.on('uncaughtException', crash);

if (config.command !== 'serve') process.stdout.on('error', ignoreClosedPipe);
if (config.command === 'help' || config.command === 'version') {
  process.stdout.write(config.command === 'help' ? helpText(config.options.helpOn) : `${version}\n`);
} else if (config.command !== 'serve' && denied !== undefined) {
  log(denied);
  process.exitCode = EXIT_USAGE;
} else if (config.command !== 'serve') {
  runOnce();
} else if (config.options.http) {
  for (const problem of config.problems) log(problem);
  if (config.problems.length > 0) process.exit(EXIT_USAGE);
  serveOverHttp();
} else {
  for (const problem of config.problems) log(problem);
  // At a terminal, wrong settings end the server. A client would show no reason, so there every call answers with it.
  if (process.stdin.isTTY) {
    if (config.problems.length > 0) process.exit(EXIT_USAGE);
    log(
      `This is the server, which an AI client starts and speaks to. \`${ownCommand('install')}\` puts it into your clients, --help tells more; Ctrl+C ends it.`,
    );
  }
  serve();
}

function deniedOf(
  permission: NodeJS.ProcessPermission,
  { demo, dataDir, filesDirs, videoCatalogue, standingApprovals }: Settings,
): Sentence | undefined {
  const files = [videoCatalogue, standingApprovals].flatMap((file) => (file === undefined ? [] : dirname(file)));
  return deniedByNode(permission, { read: [import.meta.dirname, ...filesDirs, ...files], write: [tmpdir(), ...(demo ? [] : [dataDir])] });
}

/** Runs a command for people at a terminal, which ends with an exit code. */
function runOnce(): void {
  const stop = new AbortController();
  // A second signal ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const { stdout, stderr } = process;
  stderr.on('error', () => undefined);
  const status = {
    write: (text: string) => void stderr.write(text),
    columns: stderr.isTTY ? stderr.columns || DEFAULT_COLUMNS : undefined,
  };
  const surroundings = {
    config,
    version,
    log,
    print: (text: string): void => void stdout.write(scrub(text)),
    status,
    isTerminal: stdout.isTTY,
    terminal: process.stdin.isTTY && stderr.isTTY ? { input: process.stdin, output: stderr } : undefined,
    machine: { platform: process.platform, env: process.env, home },
    signal: stop.signal,
  };
  const end = (code: number): void => {
    process.exitCode = code;
    setTimeout(() => process.exit(), SHUTDOWN_MS).unref();
  };
  import('./commands/run-command.ts')
    .then(({ runCommand }) => runCommand(surroundings))
    .then(end, (error: unknown) => {
      log(stackOf(error));
      end(EXIT_CRASH);
    });
}

/** Serves several people until it is told to end; a server that must not begin ends with the reason. */
function serveOverHttp(): void {
  const stop = new AbortController();
  // A second signal ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const logRequest = (line: string): void => writeLog(`${scrub(line)}\n`);
  import('./http/serve-http.ts')
    .then(({ serveHttp }) => serveHttp({ config, version, log, logRequest, signal: stop.signal }))
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log(refusalText(error) ?? stackOf(error));
        process.exit(EXIT_CRASH);
      },
    );
}

/** What `VideoHostingError` says; its class is not loaded here. */
function refusalText(error: unknown): string | undefined {
  return error instanceof Error && 'hint' in error ? `${error.message} ${String(error.hint)}` : undefined;
}

/** If the reader of the output closes it early, as `head` does, the command goes on to its end. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') crash(error);
}

function serve(): void {
  const { stdout: output } = process;
  let served: Promise<Served> | undefined;
  const input = createHandshake({
    output,
    responses: recordedResponses(config.settings),
    settings: config.settings,
    loadServer: () => {
      served = import('./mcp/serve.ts').then((mcp) => mcp.serve({ config, version, log, input, output }));
      served.catch(crash);
      return served;
    },
  });
  process.stdin.pipe(input);
  process.stdin.on('error', (error) => {
    log(error.message);
    input.destroy();
  });

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(exitCode()), SHUTDOWN_MS).unref();
    // Reads are cancelled; the app gives a change in progress a short time.
    Promise.resolve(served?.then((server) => server.close()))
      .catch((error: unknown) => log(String(error)))
      .finally(() => process.exit(exitCode()));
  };
  input.once('end', stop).once('close', stop);
  output.on('error', stop);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
}

function exitCode(): number {
  return config.problems.length > 0 ? EXIT_USAGE : 0;
}

function crash(thrown: unknown): void {
  // What Node’s permission model denies stands among the problems, which were told.
  const isDenied = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_ACCESS_DENIED';
  if (!isDenied || config.problems.length === 0) log(stackOf(thrown));
  process.exit(EXIT_CRASH);
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

function log(message: string): void {
  writeLog(`video-hosting-mcp: ${scrub(message)}\n`);
}

function writeLog(text: string): void {
  // The server goes on if nobody reads its log.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  process.stderr.write(text);
}
