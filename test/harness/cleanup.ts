/**
 * Closes what a test opened, the last first: `atEnd(() => server.close())`. A clean-up that throws fails the test, so the
 * harness can check every test: no credential in the output, nothing but JSON-RPC on stdout. Each of concurrent tests has
 * its own. `environment.ts` puts it around each test.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Closer = () => Promise<void> | void;

const opened = new AsyncLocalStorage<Closer[]>();

/** Runs after the test that is running now. */
export function atEnd(close: Closer): void {
  const closers = opened.getStore();
  if (closers === undefined) throw new Error('atEnd() is for tests: outside of one nothing would close this.');
  closers.push(close);
}

/** A folder, by its real path, that is removed after the test. */
export function freshHome(): string {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'video-hosting-test-'));
  atEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  return home;
}

/** A home with a folder for files in it, and the settings that name it. */
export function homeWithFiles<E extends object>(env?: E) {
  const home = freshHome();
  const folder = join(home, 'files');
  mkdirSync(folder);
  return { home, folder, env: { VIDEO_HOSTING_FILES_DIR: folder, ...env } };
}

/** Runs a test, or anything else that opens things, and closes them. */
export async function closingAtEnd(runTest: () => Promise<void>): Promise<void> {
  const closers: Closer[] = [];
  await opened.run(closers, runTest);
  const failures: unknown[] = [];
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
