/** Which program opens the approval page, and when there is none. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Desktop, findBrowser } from '../../src/platform/find-browser.ts';
import { freshHome } from '../harness/start.ts';

/** A folder in PATH with these programs, and a file that can't be run. */
function desktopWith(programs: readonly string[], more: Partial<Desktop> = {}): Desktop {
  const path = freshHome();
  for (const name of programs) {
    writeFileSync(join(path, name), '#!/bin/sh\n');
    chmodSync(join(path, name), 0o700);
  }
  writeFileSync(join(path, 'no-program'), '');
  return { platform: 'linux', browser: '', hasDisplay: true, isRemote: false, path, home: path, ...more };
}

const found = (setting: string, desktop: Desktop) => {
  const browser = findBrowser(setting, desktop);
  if ('missing' in browser) return browser.missing;
  return (
    [browser.program.replace(`${desktop.path}/`, ''), ...browser.args('/tmp/x y')].join(' ') + (browser.takesAddress ? ' (address)' : '')
  );
};

test.each([
  ['none', ['xdg-open'], {}, 'VIDEO_HOSTING_BROWSER is "none", so no browser is opened.'],
  ['auto', ['xdg-open'], {}, 'xdg-open /tmp/x y'],
  ['auto', [], {}, 'xdg-open, which opens the user’s browser, is not installed.'],
  ['auto', ['xdg-open'], { hasDisplay: false }, expect.stringContaining('There is no display')],
  ['auto', [], { platform: 'darwin' }, '/usr/bin/open /tmp/x y'],
  ['auto', [], { platform: 'darwin', isRemote: true }, expect.stringContaining('session over SSH')],
  ['auto', [], { platform: 'win32' }, 'rundll32.exe url.dll,FileProtocolHandler /tmp/x y'],
  ['auto', [], { platform: 'win32', isRemote: true }, expect.stringContaining('session over SSH')],
  // BROWSER: a list of commands.
  ['auto', ['firefox'], { browser: 'firefox', hasDisplay: false }, 'firefox file:///tmp/x%20y'],
  ['auto', ['firefox', 'xdg-open'], { browser: 'firefox -P work %s' }, 'firefox -P work file:///tmp/x%20y'],
  ['auto', ['links'], { browser: 'firefox:links -g' }, 'links -g file:///tmp/x%20y'],
  ['auto', ['xdg-open'], { browser: 'firefox' }, 'xdg-open /tmp/x y'],
  ['auto', ['xdg-open'], { browser: 'no-program' }, 'xdg-open /tmp/x y'],
  ['auto', ['xdg-open'], { browser: './xdg-open' }, 'xdg-open /tmp/x y'],
  // VIDEO_HOSTING_BROWSER: one program, without arguments of its own.
  ['firefox', ['firefox', 'xdg-open'], {}, 'firefox /tmp/x y (address)'],
  ['firefox -P work', ['firefox', 'xdg-open'], {}, expect.stringContaining('names a program that is not there')],
  ['no-program', ['xdg-open'], {}, expect.stringContaining('can’t be run')],
  ['../firefox', ['firefox'], {}, expect.stringContaining('names a program that is not there')],
] as const)('the setting %s with the programs %j and %j leads to: %s', (setting, programs, more, expected) => {
  expect(found(setting, desktopWith(programs, more))).toEqual(expected);
});

test('a path can contain spaces and be a link, and must be a file', () => {
  const desktop = desktopWith(['my browser']);
  const path = join(desktop.path, 'my browser');
  expect(found(path, desktop)).toBe('my browser /tmp/x y (address)');
  expect(found('auto', { ...desktop, browser: path })).toBe('my browser file:///tmp/x%20y');
  symlinkSync(path, join(desktop.path, 'link'));
  expect(found(join(desktop.path, 'link'), desktop)).toBe('link /tmp/x y (address)');
  mkdirSync(join(desktop.path, 'folder'));
  expect(found(join(desktop.path, 'folder'), desktop)).toContain('not there');
});
