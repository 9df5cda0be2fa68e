import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/** How this package is called in the arguments of an entry. */
export const PACKAGE = 'video-hosting-mcp';

/** What a client runs to start this server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The built file in `folder`, by its absolute path and through links. Never a name that a package registry looks up:
 * the package of that name there may be somebody else's, and a later release must not run unasked.
 */
export function launchOf(folder: string): Launch {
  return { command: 'node', args: [join(realpathSync(folder), 'main.cjs')] };
}
