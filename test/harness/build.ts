/**
 * Builds the command once per run of the tests, into a folder of this run's own, so that another run that builds at the
 * same time takes nothing away. Tests find it through `spawnServer`.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built `main.cjs`. */
    command: string;
  }
}

const root = join(import.meta.dirname, '..', '..');

export async function setup(project: TestProject): Promise<() => void> {
  // Below node_modules, so that what the build leaves outside is still found.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'build-'));
  await buildInto(folder, 3);
  project.provide('command', join(folder, 'main.cjs'));
  return () => rmSync(folder, { recursive: true, force: true });
}

async function buildInto(folder: string, attempts: number): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.mjs')]);
    cpSync(join(root, 'dist'), folder, { recursive: true });
  } catch (error) {
    if (attempts <= 1) throw error;
    await buildInto(folder, attempts - 1);
  }
}
