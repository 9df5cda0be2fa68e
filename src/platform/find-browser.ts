import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Sentence, sentence } from '../text/sentence.ts';

/** What of the machine tells whether a browser can be opened. */
export interface Desktop {
  readonly platform: NodeJS.Platform;
  /** The variable `BROWSER`; empty where it is not set. */
  readonly browser: string;
  readonly hasDisplay: boolean;
  /** Whether this is a session over SSH. */
  readonly isRemote: boolean;
  /** The variable `PATH`. */
  readonly path: string;
  readonly home: string;
}

export interface Browser {
  readonly program: string;
  /**
   * Whether it is given the address itself. Command lines can be read by every user of the machine, so all others are given
   * a file that leads on to the address.
   */
  readonly takesAddress: boolean;
  /** Its arguments for an address, or for the path of a file. */
  readonly args: (target: string) => readonly string[];
}

/** The program that opens the approval page, or why there is none: a sentence. `setting` is `auto`, `none` or a program. */
export function findBrowser(setting: string, desktop: Desktop): Browser | { readonly missing: Sentence } {
  if (setting === 'none') return { missing: sentence`VIDEO_HOSTING_BROWSER is "none", so no browser is opened.` };
  if (setting !== 'auto') {
    const program = findProgram(setting, desktop);
    if (program === undefined) return { missing: sentence`VIDEO_HOSTING_BROWSER names a program that is not there or can’t be run.` };
    return { program, takesAddress: true, args: (address) => [address] };
  }
  return browserOfVariable(desktop) ?? browserOfPlatform(desktop);
}

/** The first program of `BROWSER` that exists: a list of commands, in which `%s` stands for the address. */
function browserOfVariable(desktop: Desktop): Browser | undefined {
  // On Windows a path has a colon.
  for (const command of desktop.browser.split(desktop.platform === 'win32' ? ';' : ':')) {
    const whole = findProgram(command.trim(), desktop);
    const [first = '', ...words] = whole === undefined ? command.trim().split(/\s+/) : [command];
    const program = whole ?? findProgram(first, desktop);
    if (program === undefined) continue;
    const args = (file: string): string[] => {
      const url = pathToFileURL(file).href;
      return words.some((word) => word.includes('%s')) ? words.map((word) => word.replaceAll('%s', () => url)) : [...words, url];
    };
    return { program, takesAddress: false, args };
  }
  return undefined;
}

function browserOfPlatform(desktop: Desktop): Browser | { readonly missing: Sentence } {
  const { platform, hasDisplay, isRemote } = desktop;
  const direct = (program: string, ...before: string[]): Browser => ({ program, takesAddress: false, args: (file) => [...before, file] });
  if (platform === 'darwin' || platform === 'win32') {
    if (isRemote) return { missing: sentence`This is a session over SSH, where no browser of the user can be opened.` };
    return platform === 'darwin' ? direct('/usr/bin/open') : direct('rundll32.exe', 'url.dll,FileProtocolHandler');
  }
  if (!hasDisplay)
    return { missing: sentence`There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no browser can be opened.` };
  const program = findProgram('xdg-open', desktop);
  return program === undefined ? { missing: sentence`xdg-open, which opens the user’s browser, is not installed.` } : direct(program);
}

/** The path of a program that is named by an absolute path or found in PATH. */
function findProgram(name: string, { path, platform }: Desktop): string | undefined {
  if (name === '') return undefined;
  if (isAbsolute(name)) return canRun(name) ? name : undefined;
  if (/[\\/]/.test(name)) return undefined;
  const names = platform === 'win32' && !/\.(?:exe|com)$/i.test(name) ? [`${name}.exe`, `${name}.com`] : [name];
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
