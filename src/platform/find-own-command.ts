import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROGRAM } from '../text/own-command.ts';
import { asSentence, type Sentence, sentence } from '../text/sentence.ts';
import type { Desktop } from './find-browser.ts';

/** Folders of a project’s or of npx’s programs, which are on the PATH only of what npm starts. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/**
 * How a person starts this program at a terminal: by its name where that is on the PATH and leads to this copy, else the built file
 * in `folder` by Node. By its name alone where it was not built, as in tests.
 */
export function findOwnCommand(folder: string, { platform, path }: Pick<Desktop, 'platform' | 'path'>, node = process.execPath): Sentence {
  const file = realPathOf(join(folder, 'main.cjs'));
  if (file === undefined) return sentence`${PROGRAM}`;
  const isWindows = platform === 'win32';
  const folders = path.split(isWindows ? ';' : ':').filter((one) => one !== '' && !OF_NPM.test(one));
  // The first of the name is the one that a terminal starts.
  const installed = folders.find((one) => canRun(join(one, isWindows ? `${PROGRAM}.cmd` : PROGRAM)));
  // npm’s command file for Windows names a file beside it.
  const target = installed && join(installed, isWindows ? `node_modules/${PROGRAM}/dist/main.cjs` : PROGRAM);
  if (target !== undefined && realPathOf(target) === file) return sentence`${PROGRAM}`;
  const first = folders.find((one) => canRun(join(one, 'node')));
  const isFirst = first !== undefined && realPathOf(join(first, 'node')) === realPathOf(node);
  // PowerShell starts no program that is named in quotes. What is called otherwise is a client that brings its own Node.
  const isByName = isWindows || isFirst || basename(node) !== 'node';
  return asSentence(`${isByName ? 'node' : shellWord(node, platform)} ${shellWord(file, platform)}`);
}

/** What removes this program where npm installed it: globally, or in a project. Undefined where that is not known, as in a copy of the sources. */
export function findRemovalCommand(
  folder: string,
  { platform, execPath }: Pick<NodeJS.Process, 'platform' | 'execPath'>,
): Sentence | undefined {
  const [, root] = new RegExp(`^(.+)[\\\\/]node_modules[\\\\/]${PROGRAM}[\\\\/]dist$`).exec(folder) ?? [];
  if (root === undefined || /[\\/](?:_npx|\.pnpm|\.bun)[\\/]/.test(root)) return undefined;
  if (existsSync(join(root, 'package.json'))) return asSentence(`npm uninstall --prefix ${shellWord(root, platform)} ${PROGRAM}`);
  const prefix = platform === 'win32' ? root : dirname(root);
  const isUsual = dirname(dirname(execPath)) === prefix || /[\\/]Roaming[\\/]npm$/.test(prefix);
  return asSentence(`npm uninstall --global ${isUsual ? '' : `--prefix ${shellWord(prefix, platform)} `}${PROGRAM}`);
}

/** A path as one word of a command line: for a POSIX shell, on Windows for cmd and PowerShell, where no path has quotation marks. */
export function shellWord(text: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return /^[\w.:\\/-]+$/.test(text) ? text : `"${text}"`;
  return /^[\w./+:@%,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function realPathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
