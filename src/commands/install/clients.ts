import { posix, win32 } from 'node:path';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { Machine } from '../surroundings.ts';

/** What is read of the disk to find a client. */
export interface Disk {
  readonly exists: (path: string) => boolean;
  /** The names in a folder; none where there is no such folder. */
  readonly entries: (folder: string) => readonly string[];
}

/** A file in which a client may keep its configuration. */
export interface ConfigLocation {
  readonly file: string;
  /** Exists where the client was ever used. */
  readonly marker: string;
}

/**
 * How a client gets a credential, other than as a value in its file: `prompt`, it asks and stores it itself; `reference`, its
 * file names a variable of its environment; `forward`, it passes on the variables of a list; `file`, in no other way.
 */
type Secrets =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'reference'; readonly write: (variable: string) => string }
  | { readonly kind: 'forward' }
  | { readonly kind: 'file' };

/** How an entry for a server at an address is written. */
export interface RemoteForm {
  readonly type?: 'http';
  readonly url: 'url' | 'httpUrl';
  /** The field of its headers, of which one has the token or refers to it. */
  readonly headers: 'headers' | 'http_headers';
  /** The field that names the variable of the token, in the place of a header that refers to it. */
  readonly tokenVariable?: 'bearer_token_env_var';
}

export interface AiClient {
  readonly title: Sentence;
  readonly format: 'json' | 'toml';
  /** The key of its servers in the configuration. */
  readonly key: string;
  readonly locations: (machine: Machine, disk: Disk) => readonly ConfigLocation[];
  readonly secrets: Secrets;
  /** A sentence: why there is no entry for an address. */
  readonly remote: RemoteForm | Sentence;
  /** The client would take a value that matches for a variable. */
  readonly variable?: RegExp;
  /** Fields that an entry has besides command, args and env. */
  readonly fields?: Readonly<Record<string, string | number>>;
  /** What makes it read the change. */
  readonly next: string;
  /** How a person is asked there by the server that it starts. */
  readonly asks?: string;
  /** A folder in which it keeps copies of its configuration itself. */
  readonly ownCopies?: (machine: Machine) => string;
}

const BRACES = /\$\{/;

/** How a person is asked in a client that shows no forms. */
const NO_FORMS = 'It shows no forms: you confirm changes on a page that opens in your browser.';

/** Of a client whose entry for an address nobody tried. */
const UNTRIED = sentence`Its entry for an address was not tried, so none is written. By hand it takes the address with /mcp, and the header Authorization with Bearer and the token.`;

/** The path functions and the folders of the given system. */
function foldersOf({ platform, env, home }: Machine) {
  const path = platform === 'win32' ? win32 : posix;
  const set = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const roaming = set('APPDATA') ?? path.join(home, 'AppData', 'Roaming');
  const xdg = set('XDG_CONFIG_HOME') ?? path.join(home, '.config');
  return {
    set,
    in: (...parts: readonly string[]): string => path.join(...parts),
    local: set('LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local'),
    xdg: platform === 'win32' ? roaming : xdg,
    /** Where desktop programs keep files of the user. */
    programs: platform === 'win32' ? roaming : platform === 'darwin' ? path.join(home, 'Library', 'Application Support') : xdg,
  };
}

/** The locations of a client whose file is in a folder of its own. */
function inFolder(name: string, folderOf: (machine: Machine, folders: ReturnType<typeof foldersOf>) => string): AiClient['locations'] {
  return (machine) => {
    const folders = foldersOf(machine);
    const folder = folderOf(machine, folders);
    return [{ file: folders.in(folder, name), marker: folder }];
  };
}

/** Every client that can be configured, by its name for `--client`. docs/install.md says what each entry holds and where. */
export const CLIENTS = {
  'claude-desktop': {
    title: sentence`Claude Desktop`,
    format: 'json',
    key: 'mcpServers',
    locations: (machine, disk) => {
      const folders = foldersOf(machine);
      const name = 'claude_desktop_config.json';
      const packages = folders.in(folders.local, 'Packages');
      // The Windows installer makes a packaged app. Windows redirects its %APPDATA% to another folder, and only that is read.
      const packaged = machine.platform !== 'win32' ? [] : disk.entries(packages).filter((entry) => /^Claude_/i.test(entry));
      return [
        ...packaged.map((entry) => ({
          file: folders.in(packages, entry, 'LocalCache', 'Roaming', 'Claude', name),
          marker: folders.in(packages, entry),
        })),
        { file: folders.in(folders.programs, 'Claude', name), marker: folders.in(folders.programs, 'Claude') },
      ];
    },
    secrets: { kind: 'file' },
    remote: sentence`It starts programs alone. To an address it connects through claude.ai, which takes no token and signs people in by OAuth, and that this server does not offer.`,
    next: 'Quit Claude Desktop and start it again.',
    asks: NO_FORMS,
  },
  'claude-code': {
    title: sentence`Claude Code`,
    format: 'json',
    key: 'mcpServers',
    locations: (machine) => {
      const folders = foldersOf(machine);
      const own = folders.set('CLAUDE_CONFIG_DIR');
      return [{ file: folders.in(own ?? machine.home, '.claude.json'), marker: own ?? folders.in(machine.home, '.claude') }];
    },
    // Without `:-` a variable that is not set is an error of the whole file.
    secrets: { kind: 'reference', write: (variable) => `\${${variable}:-}` },
    variable: BRACES,
    fields: { type: 'stdio' },
    remote: { type: 'http', url: 'url', headers: 'headers' },
    next: 'Start Claude Code anew: one that runs may write its file over.',
    ownCopies: (machine) => {
      const folders = foldersOf(machine);
      return folders.in(folders.set('CLAUDE_CONFIG_DIR') ?? folders.in(machine.home, '.claude'), 'backups');
    },
  },
  cursor: {
    title: sentence`Cursor`,
    format: 'json',
    key: 'mcpServers',
    locations: inFolder('mcp.json', ({ home }, folders) => folders.in(home, '.cursor')),
    secrets: { kind: 'reference', write: (variable) => `\${env:${variable}}` },
    variable: BRACES,
    remote: { url: 'url', headers: 'headers' },
    next: 'Restart Cursor, and see its settings, under MCP.',
  },
  vscode: {
    title: sentence`VS Code`,
    format: 'json',
    key: 'servers',
    locations: (machine) => {
      const folders = foldersOf(machine);
      const portable = folders.set('VSCODE_PORTABLE');
      const data =
        portable === undefined
          ? ['Code', 'Code - Insiders'].map((name) => folders.in(folders.programs, name))
          : [folders.in(portable, 'user-data')];
      return data.map((folder) => ({ file: folders.in(folder, 'User', 'mcp.json'), marker: folders.in(folder, 'User') }));
    },
    secrets: { kind: 'prompt' },
    variable: BRACES,
    fields: { type: 'stdio' },
    remote: { type: 'http', url: 'url', headers: 'headers' },
    next: 'Start the server in VS Code (MCP: List Servers). A profile other than the default has a file of its own.',
  },
  codex: {
    title: sentence`Codex`,
    format: 'toml',
    key: 'mcp_servers',
    locations: inFolder('config.toml', ({ home }, folders) => folders.set('CODEX_HOME') ?? folders.in(home, '.codex')),
    secrets: { kind: 'forward' },
    // Its own limit of ten seconds is short for a machine that is starting up.
    fields: { startup_timeout_sec: 60 },
    remote: { url: 'url', headers: 'http_headers', tokenVariable: 'bearer_token_env_var' },
    next: 'Start Codex anew.',
  },
  gemini: {
    title: sentence`Gemini CLI`,
    format: 'json',
    key: 'mcpServers',
    locations: inFolder('settings.json', ({ home }, folders) => folders.in(folders.set('GEMINI_CLI_HOME') ?? home, '.gemini')),
    secrets: { kind: 'reference', write: (variable) => `\${${variable}}` },
    variable: /\$[A-Za-z_{]/,
    remote: { url: 'httpUrl', headers: 'headers' },
    next: 'Start Gemini CLI anew, in a folder that it trusts (/permissions trust): in others it starts no server of the user.',
    asks: NO_FORMS,
  },
  windsurf: {
    title: sentence`Windsurf`,
    format: 'json',
    key: 'mcpServers',
    locations: inFolder('mcp_config.json', ({ home }, folders) => folders.in(home, '.codeium', 'windsurf')),
    secrets: { kind: 'reference', write: (variable) => `\${env:${variable}}` },
    variable: BRACES,
    remote: UNTRIED,
    next: 'Refresh the list of MCP servers in Windsurf.',
  },
  zed: {
    title: sentence`Zed`,
    format: 'json',
    key: 'context_servers',
    locations: inFolder('settings.json', ({ platform, home }, folders) =>
      platform === 'darwin'
        ? folders.in(home, '.config', 'zed')
        : folders.in(folders.set('FLATPAK_XDG_CONFIG_HOME') ?? folders.xdg, platform === 'win32' ? 'Zed' : 'zed'),
    ),
    secrets: { kind: 'file' },
    remote: UNTRIED,
    next: 'Zed takes it up at once; see the settings of its agent panel.',
  },
} as const satisfies Record<string, AiClient>;

export type ClientName = keyof typeof CLIENTS;
export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly ClientName[]; // Object.keys widens
export const clientOf = (name: ClientName): AiClient => CLIENTS[name];

/** The path of a client's configuration, and whether the client was ever used on this machine. */
export function locate(client: AiClient, machine: Machine, disk: Disk): { readonly file: string; readonly found: boolean } {
  const locations = client.locations(machine, disk);
  const used = locations.find(({ file, marker }) => disk.exists(marker) || disk.exists(file));
  return { file: (used ?? locations[0])?.file ?? '', found: used !== undefined };
}
