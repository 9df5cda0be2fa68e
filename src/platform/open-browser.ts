import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Desktop } from './find-browser.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export interface OpenedBrowser {
  /** Resolves if the program could not be started, or ended with an error. */
  readonly failed: Promise<void>;
  /** Removes the file that led to the address. */
  release(): void;
}

/** Opens an address in a browser. Rejects where the file for it can't be written. */
export async function openBrowser(address: string, browser: Browser, desktop: Desktop): Promise<OpenedBrowser> {
  const folder = browser.takesAddress ? undefined : await writeLink(address, desktop);
  const child = spawn(browser.program, browser.args(folder === undefined ? address : join(folder, FILE)), {
    detached: true,
    stdio: 'ignore',
  });
  const failed = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', (code) => code !== null && code !== 0 && resolve());
  });
  child.unref();
  return { failed, release: () => folder !== undefined && removeNow(folder) };
}

const FILE = 'approval-page.html';

/** Writes a file that leads on to an address, in a folder of its own that nobody else can read. */
async function writeLink(address: string, desktop: Desktop): Promise<string> {
  const folder = makeTemporaryFolder(await linkParent(desktop), 'video-hosting-mcp-page-');
  await writeFile(join(folder, FILE), linkDocument(address), { mode: 0o600, flag: 'wx' });
  return folder;
}

/** A browser that is a snap can read neither the folder for temporary files nor hidden folders, but the home folder. */
async function linkParent({ platform, home }: Desktop): Promise<string> {
  const hasSnaps = platform === 'linux' && home !== '' && (await stat('/snap/bin').catch(() => undefined)) !== undefined;
  return hasSnaps ? home : tmpdir();
}

const linkDocument = (address: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Approval page</title>` +
  `<meta http-equiv="refresh" content="0;url=${address}"><p><a href="${address}">Open the approval page</a></p></html>\n`;

function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The code in it has been used or has expired.
  }
}
