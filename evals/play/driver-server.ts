import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../root.ts';
import { taskNamed } from '../tasks/index.ts';
import { today } from './clock.ts';
import type { DriverRequest } from './driver-client.ts';
import type { Arguments, Play, Recording } from './recording.ts';
import { stringifyRecording } from './recordings.ts';
import { type Session, startSession } from './session.ts';

const MAX_IDLE_MS = 3 * 3_600_000;

/** Plays one task for the driver's commands, and ends with its final answer. Files for and from the user lie in `files`. */
export async function serveTask(id: string, folder: string, play: Omit<Play, 'task'>): Promise<void> {
  const session = await startSession(taskNamed(id), { ...play, files: join(folder, 'files') });
  const driver: Driver = { session, folder, ended: false };
  const secret = randomBytes(16).toString('hex');
  let queue: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => {
    rmSync(join(folder, 'driver.json'), { force: true });
    server.close();
    clearTimeout(idle);
    process.off('SIGTERM', end);
    await session.close();
  };
  let idle = setTimeout(end, MAX_IDLE_MS);
  process.once('SIGTERM', end);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      if (incoming.headers.authorization !== secret) {
        outgoing.writeHead(403).end();
        return;
      }
      clearTimeout(idle);
      idle = setTimeout(end, MAX_IDLE_MS);
      // The driver sends what its own type says.
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as DriverRequest;
      // One after the other, in the order in which they came: a recording is a sequence.
      const answered = queue.then(() => carryOut(driver, request));
      queue = answered.then(
        async (text) => {
          outgoing.writeHead(200, { connection: 'close' }).end(text);
          if (driver.ended) await end();
        },
        (error: unknown) => outgoing.writeHead(500, { connection: 'close' }).end(String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const file = join(folder, 'driver.json');
  writeFileSync(`${file}.new`, JSON.stringify({ url: `http://127.0.0.1:${port}/`, secret, pid: process.pid }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface Driver {
  readonly session: Session;
  readonly folder: string;
  ended: boolean;
}

async function carryOut(driver: Driver, request: DriverRequest): Promise<string> {
  const { session, folder } = driver;
  switch (request.do) {
    case 'says':
      return `The user says:\n\n${session.says}\n\nThe user’s files folder: ${join(folder, 'files')}`;
    case 'tools':
      return shownTools(session);
    case 'listing':
      return JSON.stringify(session.surface);
    case 'call': {
      const { text, isError } = await session.call(request.tool, argumentsFrom(request.arguments));
      return isError ? `(error)\n${text}` : text;
    }
    case 'ask':
      return session.ask(request.question);
    case 'answer':
      if (!session.isLastWish) return `The user says:\n\n${session.next(request.text)}`;
      driver.ended = true;
      writeFileSync(join(folder, 'recording.json'), stringifyRecording(await recorded(driver, request.text)));
      return 'The task has ended. Thank you.';
    case 'stop':
      driver.ended = true;
      return 'The task has ended without an answer.';
  }
}

async function recorded({ session }: Driver, finalAnswer: string): Promise<Recording> {
  const { task, ...run } = session.run(await session.finish(finalAnswer));
  return { task, day: today(), version: version(), ...run };
}

/** The commit that is checked out; in a copy without a history, the version of the package. */
function version(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return packageJson.version;
  }
}

function argumentsFrom(text: string): Arguments {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('Arguments are a JSON object.');
  return { ...value };
}

function shownTools({ surface: { instructions, tools } }: Session): string {
  const shown = tools.map(
    ({ name, description, inputSchema }) => `## ${name}\n${description}\nInput schema: ${JSON.stringify(inputSchema)}`,
  );
  return [`# Instructions of the server\n${instructions}`, '# Tools', ...shown].join('\n\n');
}
