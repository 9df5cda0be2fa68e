import { posix, win32 } from 'node:path';
import { kindOf } from '../../config/kinds.ts';
import { settingRows } from '../../config/settings.ts';
import { shellWord } from '../../platform/find-own-command.ts';
import { inQuotes, type Sentence, sentence } from '../../text/sentence.ts';
import type { ServerEntry } from './document.ts';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** How an entry starts the server. */
export interface EntryCommand extends Launch {
  /** What somebody wrote behind our file. */
  readonly flags: readonly string[];
  /** What a person has to know of it: what could not be kept, or that it starts another copy. */
  readonly told?: Sentence;
}

const OUR_FILE = /(?:^|[\\/])(?:main\.cjs|video-hosting-mcp)$/;
const IN_SHELL = /'[^']*[\\/]main\.cjs'|"[^"]*[\\/]main\.cjs"|[^\s'"]+[\\/]main\.cjs/;
/** They start a package of a registry, which an entry never does. */
const PACKAGE_RUNNERS = new Set(['npx', 'npm', 'pnpx', 'pnpm', 'yarn', 'bunx', 'bun', 'corepack']);
/** They start a copy on another machine, or in a container, whose paths are not those of this one. */
const ELSEWHERE = new Set(['docker', 'podman', 'nerdctl', 'kubectl', 'ssh', 'wsl', 'flatpak-spawn', 'toolbox', 'distrobox']);
/** Options of Node whose value is the next argument. */
const NODE_OPTIONS_WITH_VALUE = new Set(
  '-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --title --icu-data-dir --openssl-config --disable-warning'.split(
    ' ',
  ),
);

const nameOf = (program: string): string => win32.basename(posix.basename(program)).replace(/\.(?:exe|cmd)$/i, '');

/**
 * The command of an existing entry, with this copy in the place of the one that it starts: its program, the options of Node, a wrapper
 * and the flags behind our file stay. Without an entry, that of a new one.
 */
export function entryCommand({ command, args }: ServerEntry, launch: Launch, isDemo = false): EntryCommand {
  const [file = ''] = launch.args;
  if (typeof command !== 'string' || command === '') return { ...launch, flags: [] };
  const words = Array.isArray(args) ? args.map(String) : [];
  const name = nameOf(command);
  const old = inQuotes([command, ...words].join(' '), 1_000);
  const replaced = { command: launch.command, told: sentence`Not kept: ${old}. This copy is started in its place.` };
  if (ELSEWHERE.has(name) && !isDemo)
    return { command, args: words, flags: [], told: sentence`${inQuotes(name)} starts a copy elsewhere: its command stays as it is.` };
  if (PACKAGE_RUNNERS.has(name)) return { ...replaced, args: [file], flags: flagsBehind(words, ofPackage(words)) };
  if (OUR_FILE.test(command)) return { command: launch.command, args: [file], flags: words };
  const index = /^node(?:js)?$/.test(name) ? ofScript(words) : words.findIndex((word) => OUR_FILE.test(word));
  if (index >= 0) return { command, args: [...words.slice(0, index), file], flags: words.slice(index + 1) };
  const script = words.findIndex((word) => IN_SHELL.test(word));
  if (script >= 0 && !isDemo)
    return { command, args: words.map((word) => word.replace(IN_SHELL, () => shellWord(file, process.platform))), flags: [] };
  return { ...replaced, args: [file], flags: ourFlags(words) };
}

/** What an entry gives the server on its command line. */
export function flagsOf(entry: ServerEntry): string[] {
  const { flags, args } = entryCommand(entry, NO_LAUNCH);
  const inWrapper = ourFlags(args).filter((word) => word !== NO_LAUNCH.args[0]);
  const isDemo = [...flags, ...args].some((word) => /(?:^|\s)--demo\b/.test(word));
  return [...(isDemo ? ['--demo'] : []), ...(flags.length > 0 ? flags.filter((word) => word !== '--demo') : inWrapper)];
}

const NO_LAUNCH: Launch = { command: 'node', args: ['main.cjs'] };

/** Where an entry of a package names it: `video-hosting-mcp@1.2.3`. */
const ofPackage = (words: readonly string[]): number => words.findIndex((word) => /^video-hosting-mcp(?:@|$)/.test(word));

const flagsBehind = (words: readonly string[], index: number): string[] => (index < 0 ? ourFlags(words) : words.slice(index + 1));

/** The place of Node’s script, which may be our file or the folder that it is in. */
function ofScript(words: readonly string[]): number {
  const named = words.findIndex((word) => OUR_FILE.test(word));
  if (named >= 0) return named;
  return words.findIndex((word, index) => !word.startsWith('-') && !NODE_OPTIONS_WITH_VALUE.has(words[index - 1] ?? ''));
}

/** The flags of this server with their values, wherever they stand, also in a line for a shell. */
function ourFlags(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => word.split(/\s+/)).map((word) => word.replace(/^['"]|['"]$/g, ''));
  return parts.flatMap((part, index) => {
    const row = rowOf(part);
    if (row === undefined) return [];
    const value = parts[index + 1];
    return kindOf(row).isBare || part.includes('=') || value === undefined ? [part] : [part, value];
  });
}

const rowOf = (word: string) => settingRows.find(([, { flag }]) => flag !== undefined && word.split('=', 1)[0] === `--${flag}`)?.[1];

/** These flags without those whose settings an entry has as variables too: a flag wins, so that a new value would not count. */
export function withoutFlagsOf(flags: readonly string[], variables: ReadonlySet<string>): string[] {
  return flags.filter((word, index) => {
    const [own, before] = [rowOf(word), rowOf(flags[index - 1] ?? '')];
    const isDropped = (row: typeof own): boolean => row !== undefined && !kindOf(row).isBare && variables.has(row.variable);
    const isValue = before !== undefined && !(flags[index - 1] ?? '').includes('=') && isDropped(before);
    return !isDropped(own) && !isValue;
  });
}
