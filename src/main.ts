#!/usr/bin/env node
import { homedir } from 'node:os';
import { pipeline } from 'node:stream';
import packageJson from '../package.json' with { type: 'json' };
import { helpText } from './config/help.ts';
import { parseConfig } from './config/parse-config.ts';
import { proxyPassword } from './config/proxy.ts';
import { createHandshake, recordedResponses } from './mcp/handshake.ts';
import type { Served } from './mcp/serve.ts';
import { createScrubber } from './service/credentials.ts';

/** A client waits about this long before it kills a server whose input it closed. */
const SHUTDOWN_MS = 700;
/** Of a terminal that doesn't tell. */
const DEFAULT_COLUMNS = 80;
const EXIT_CRASH = 1;
const EXIT_USAGE = 2;

const { version } = packageJson;
const config = parseConfig(process.argv.slice(2), process.env, process.platform);
const { apiKey, accessToken, analyticsStorePassword, analyticsSqlPassword, proxy } = config.settings;
const given = [apiKey, accessToken, analyticsStorePassword, analyticsSqlPassword, proxyPassword(proxy)];
const secrets = given.filter((secret) => secret !== undefined);
/** Takes the credentials out of a line of the log, whoever wrote it. */
const hide = createScrubber(secrets).scrub;

// stdout is the protocol: a stray line there breaks the connection.
// biome-ignore lint/suspicious/noConsole: they are taken away from the protocol here, once for all
for (const method of ['log', 'info', 'debug', 'warn'] as const) console[method] = console.error;
// What was read is enough: no child process inherits a credential, and no report of a crash lists one.
for (const name of Object.keys(process.env)) if (/^VIDEO[_-]?HOSTING/i.test(name)) delete process.env[name];
process.on('unhandledRejection', (reason) => log(wordsOf(reason)));
// Node's own way would also print the properties of what was thrown, and the line of code, which is half a build long.
process.on('uncaughtException', crash);
// A log that nobody reads any more is no reason to end.
process.stderr.on('error', () => undefined);

if (config.command !== 'serve') process.stdout.on('error', afterReaderLeft);
if (config.command === 'help' || config.command === 'version') {
  process.stdout.write(config.command === 'help' ? helpText() : `${version}\n`);
} else if (config.command !== 'serve') {
  runOnce();
} else {
  for (const problem of config.problems) log(problem);
  // A person at a terminal is told at once. In a client, which would only show that the server is gone, every call answers it.
  if (process.stdin.isTTY) {
    if (config.problems.length > 0) process.exit(EXIT_USAGE);
    log(
      'This is the server, which an AI client starts and speaks to. `install` puts it into your clients, --help tells more; Ctrl+C ends it.',
    );
  }
  serve();
}

/** A command for people at a terminal: no protocol, an exit code. */
function runOnce(): void {
  const stop = new AbortController();
  // The second time, the system's own way.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const { stdout, stderr } = process;
  const status = {
    write: (text: string) => void stderr.write(text),
    columns: stderr.isTTY ? stderr.columns || DEFAULT_COLUMNS : undefined,
  };
  const print = (text: string): void => void stdout.write(hide(text));
  const run = async (): Promise<number> => {
    const { runCommand } = await import('./commands/run-command.ts');
    const { env, platform } = process;
    return runCommand({
      config,
      version,
      log,
      print,
      status,
      isTerminal: stdout.isTTY,
      terminal: process.stdin.isTTY && stderr.isTTY ? { input: process.stdin, output: stderr } : undefined,
      machine: { platform, env, home: homedir() },
      signal: stop.signal,
    });
  };
  const end = (code: number): void => {
    process.exitCode = code;
    setTimeout(() => process.exit(), SHUTDOWN_MS).unref();
  };
  run().then(end, (error: unknown) => {
    log(wordsOf(error));
    end(EXIT_CRASH);
  });
}

/** Whoever reads only the beginning, as `head` does, leaves: the command goes on to its end, and ends as it would have. */
function afterReaderLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') crash(error);
}

function serve(): void {
  const { stdout: output } = process;
  let served: Promise<Served> | undefined;
  const input = createHandshake({
    output,
    responses: recordedResponses(config.settings),
    loadServer: (replayedIds) => {
      served = import('./mcp/serve.ts').then((server) => server.serve({ config, version, log, input, output, replayedIds }));
      served.catch(crash);
      return served;
    },
  });
  pipeline(process.stdin, input, (error) => {
    if (error) log(error.message);
  });

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(exitCode()), SHUTDOWN_MS).unref();
    // Reads under way end with their connection; a change that has begun is given a moment by the app.
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
  log(wordsOf(thrown));
  process.exit(EXIT_CRASH);
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

function log(message: string): void {
  process.stderr.write(`video-hosting-mcp: ${hide(message)}\n`);
}
