/**
 * Builds the command once per run of the tests, into a folder of its own, so that another run can build at the same time.
 * Tests find it through `spawnServer`.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built `main.cjs`. */
    command: string;
  }
}

const root = join(import.meta.dirname, '..', '..');

/** Runs for each project that needs the build; the first of them builds for all. */
export async function setup(project: TestProject): Promise<(() => void) | undefined> {
  if ('command' in project.vitest.getRootProject().getProvidedContext()) return undefined;
  // Below node_modules, so that packages outside the build are found.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'build-'));
  await buildInto(folder, 3);
  project.vitest.provide('command', join(folder, 'main.cjs'));
  return () => rmSync(folder, { recursive: true, force: true });
}

async function buildInto(folder: string, attempts: number): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.mjs')]);
    // Without what another build, of a part that runs beside this one, is making there.
    cpSync(join(root, 'dist'), folder, { recursive: true, filter: (path) => !basename(path).startsWith('.new-') });
  } catch (error) {
    if (attempts <= 1) throw error;
    await buildInto(folder, attempts - 1);
  }
}
