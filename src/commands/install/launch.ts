import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const PACKAGE = 'video-hosting-mcp';

/** What a client runs to have this server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether it is fetched from the registry; else it is the copy that is running now, at a path. */
  readonly fetched: boolean;
}

/**
 * The very version that is running: from the registry by its exact number if it came from there, so that nobody's later
 * release runs unasked; from where it lies if it did not (a checkout, a file, a link), since the registry's package of
 * that name and number need not be the same.
 */
export function launchOf({ folder, version, platform }: { folder: string; version: string; platform: NodeJS.Platform }): Launch {
  const dist = realpathSync(folder);
  if (!isFromRegistry(dirname(dist), version)) return { command: 'node', args: [join(dist, 'main.cjs')], fetched: false };
  const args = ['-y', `${PACKAGE}@${version}`];
  // npx is a script there, which programs can't start by themselves.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args], fetched: true } : { command: 'npx', args, fetched: true };
}

interface Installed {
  readonly version?: unknown;
  readonly resolved?: unknown;
  readonly integrity?: unknown;
}

/** npm writes beside what it installs where that came from; `npx` is npm's too. */
function isFromRegistry(packageFolder: string, version: string): boolean {
  const modules = dirname(packageFolder);
  if (basename(modules) !== 'node_modules') return false;
  try {
    // npm's own format.
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages?: Record<string, Installed> };
    const installed = lock.packages?.[`node_modules/${PACKAGE}`];
    if (installed === undefined || installed.version !== version || typeof installed.integrity !== 'string') return false;
    // A registry's addresses may be left out by a setting of npm; those of files, links and repositories never are.
    if (installed.resolved === undefined) return true;
    return (
      typeof installed.resolved === 'string' &&
      /^https?:\/\//.test(installed.resolved) &&
      installed.resolved.endsWith(`/${PACKAGE}/-/${PACKAGE}-${version}.tgz`)
    );
  } catch {
    return false;
  }
}
