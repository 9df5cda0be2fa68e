/** Where each client keeps its configuration on the three systems, regardless of the system that runs the test. */
import { describe, expect, test } from 'vitest';
import { CLIENT_NAMES, type ClientName, clientOf, locate } from '../../../src/commands/install/clients.ts';
import type { Machine } from '../../../src/commands/surroundings.ts';

const HOMES = { linux: '/home/ada', darwin: '/Users/ada', win32: 'C:\\Users\\ada' } as const;
type System = keyof typeof HOMES;

const everywhere = (path: string): Record<System, string> => ({
  linux: `/home/ada/${path}`,
  darwin: `/Users/ada/${path}`,
  win32: `C:\\Users\\ada\\${path.replaceAll('/', '\\')}`,
});
const WHERE: Record<ClientName, Record<System, string>> = {
  'claude-desktop': {
    linux: '/home/ada/.config/Claude/claude_desktop_config.json',
    darwin: '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    win32: 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  },
  'claude-code': everywhere('.claude.json'),
  cursor: everywhere('.cursor/mcp.json'),
  vscode: {
    linux: '/home/ada/.config/Code/User/mcp.json',
    darwin: '/Users/ada/Library/Application Support/Code/User/mcp.json',
    win32: 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
  },
  codex: everywhere('.codex/config.toml'),
  gemini: everywhere('.gemini/settings.json'),
  windsurf: everywhere('.codeium/windsurf/mcp_config.json'),
  zed: { ...everywhere('.config/zed/settings.json'), win32: 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json' },
};

function whereIs(name: ClientName, platform: System, { env = {}, disk = [] }: { env?: Machine['env']; disk?: readonly string[] } = {}) {
  const separator = platform === 'win32' ? '\\' : '/';
  const below = (path: string, folder: string): boolean => path.startsWith(`${folder}${separator}`);
  const entries = (folder: string): readonly string[] => {
    const inside = disk.filter((one) => below(one, folder));
    return [...new Set(inside.map((one) => one.slice(folder.length + 1).split(separator)[0] ?? ''))];
  };
  return locate(
    clientOf(name),
    { platform, env, home: HOMES[platform] },
    { exists: (path) => disk.some((one) => one === path || below(one, path)), entries },
  );
}

describe.each(Object.keys(HOMES) as System[])('on %s', (platform) => {
  test.each(CLIENT_NAMES)('the configuration file of %s is located at the client’s path', (name) => {
    expect(whereIs(name, platform)).toEqual({ file: WHERE[name][platform], found: false });
    expect(whereIs(name, platform, { disk: [WHERE[name][platform]] })).toEqual({ file: WHERE[name][platform], found: true });
  });
});

test.each<[ClientName, System, Machine['env'], string]>([
  ['claude-desktop', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Claude/claude_desktop_config.json'],
  ['claude-desktop', 'win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Claude\\claude_desktop_config.json'],
  ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
  ['claude-code', 'win32', { CLAUDE_CONFIG_DIR: 'D:\\c' }, 'D:\\c\\.claude.json'],
  ['codex', 'darwin', { CODEX_HOME: '/codex' }, '/codex/config.toml'],
  ['gemini', 'linux', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json'],
  ['vscode', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Code/User/mcp.json'],
  ['vscode', 'win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Code\\User\\mcp.json'],
  ['vscode', 'win32', { VSCODE_PORTABLE: 'E:\\data' }, 'E:\\data\\user-data\\User\\mcp.json'],
  ['zed', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/zed/settings.json'],
  ['zed', 'linux', { XDG_CONFIG_HOME: '/cfg', FLATPAK_XDG_CONFIG_HOME: '/flat' }, '/flat/zed/settings.json'],
  ['zed', 'darwin', { XDG_CONFIG_HOME: '/cfg' }, '/Users/ada/.config/zed/settings.json'],
  ['zed', 'linux', { XDG_CONFIG_HOME: '' }, '/home/ada/.config/zed/settings.json'],
])('%s on %s with %j has its file at %s', (name, platform, env, file) => {
  expect(whereIs(name, platform, { env }).file).toBe(file);
});

test('a packaged Claude Desktop on Windows uses the folder of its package, even if an older file exists', () => {
  const older = WHERE['claude-desktop'].win32;
  const packages = 'C:\\Users\\ada\\AppData\\Local\\Packages';
  const own = `${packages}\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`;
  const disk = [older, `${packages}\\Claudette_1\\x`, `${packages}\\Claude_pzs8sxrjxfjjc\\Settings\\x`];
  expect(whereIs('claude-desktop', 'win32', { disk })).toEqual({ file: own, found: true });
  expect(whereIs('claude-desktop', 'win32', { disk: [older] })).toEqual({ file: older, found: true });
});

test('VS Code Insiders is configured if only that edition is used', () => {
  const early = '/home/ada/.config/Code - Insiders/User/mcp.json';
  expect(whereIs('vscode', 'linux', { disk: [early] })).toEqual({ file: early, found: true });
  expect(whereIs('vscode', 'linux', { disk: [early, WHERE.vscode.linux] }).file).toBe(WHERE.vscode.linux);
});

test('Claude Code is found by its own folder, not by the home folder alone', () => {
  expect(whereIs('claude-code', 'linux', { disk: ['/home/ada/.bashrc'] }).found).toBe(false);
  expect(whereIs('claude-code', 'linux', { disk: ['/home/ada/.claude/settings.json'] }).found).toBe(true);
});
