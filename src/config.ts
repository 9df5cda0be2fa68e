import { type PlatformPath, posix, win32 } from 'node:path';
import { parseArgs } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { nearest } from './nearest.ts';
import { readStoreAddress } from './store-address.ts';

/** How a change is confirmed; see the settings table. */
export type ConfirmMode = 'ask' | 'form' | 'token' | 'never';

interface SettingBase {
  readonly variable: `VIDEO_HOSTING_${string}`;
  readonly flag?: string;
  readonly title: string;
  readonly description: string;
  readonly default?: string;
  readonly secret?: true;
}
type SettingRow = SettingBase &
  (
    | { readonly kind: 'url' | 'text' | 'store' | 'switch' | 'directory' | 'directories' | 'file' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'milliseconds'; readonly min: number; readonly max: number }
  );

/**
 * Every setting there is. The README's table, the bundle's settings and the command's help are made from these rows,
 * and a `VIDEO_HOSTING_…` variable or flag that is not here is refused.
 */
export const SETTINGS = {
  baseUrl: {
    variable: 'VIDEO_HOSTING_BASE_URL',
    flag: 'base-url',
    kind: 'url',
    title: 'API address',
    description: 'Root of the main API. https only, save on loopback.',
  },
  statsUrl: {
    variable: 'VIDEO_HOSTING_STATS_URL',
    flag: 'stats-url',
    kind: 'url',
    title: 'Analytics API address',
    description: 'Root of the analytics API. https only, save on loopback.',
  },
  apiKey: {
    variable: 'VIDEO_HOSTING_API_KEY',
    kind: 'text',
    secret: true,
    title: 'API key',
    description: 'Bearer credential. Never printed, logged, cached or sent to another origin.',
  },
  accessToken: {
    variable: 'VIDEO_HOSTING_ACCESS_TOKEN',
    kind: 'text',
    secret: true,
    title: 'Access token (JWT)',
    description: 'A JWT, where the service wants one instead of the key (moving videos). Used for the videos endpoints when set.',
  },
  statsAuth: {
    variable: 'VIDEO_HOSTING_STATS_AUTH',
    flag: 'stats-auth',
    kind: 'choice',
    choices: ['none', 'bearer'],
    default: 'none',
    title: 'Credential for analytics',
    description: 'Whether the analytics API gets the credential.',
  },
  readOnly: {
    variable: 'VIDEO_HOSTING_READ_ONLY',
    flag: 'read-only',
    kind: 'switch',
    default: 'off',
    title: 'Read only',
    description: 'No tool that changes the account is offered.',
  },
  confirm: {
    variable: 'VIDEO_HOSTING_CONFIRM',
    flag: 'confirm',
    kind: 'choice',
    choices: ['ask', 'form', 'token', 'never'],
    default: 'ask',
    title: 'Confirmation',
    description:
      'How a change is confirmed: `ask` shows a form where the client can and hands out a token where it cannot; `form` refuses without a form; `token` always uses the token; `never` is for unattended agents.',
  },
  callBudgetMs: {
    variable: 'VIDEO_HOSTING_CALL_BUDGET_MS',
    flag: 'call-budget-ms',
    kind: 'milliseconds',
    min: 1000,
    max: 3_600_000,
    default: '45000',
    title: 'Call budget',
    description: 'How long one call may take, in milliseconds, before it hands back a running job.',
  },
  personalData: {
    variable: 'VIDEO_HOSTING_PERSONAL_DATA',
    flag: 'personal-data',
    kind: 'choice',
    choices: ['masked', 'allowed'],
    default: 'masked',
    title: 'Personal data',
    description: 'Whether viewers’ personal data may be shown to the assistant, each time confirmed.',
  },
  filesDirs: {
    variable: 'VIDEO_HOSTING_FILES_DIR',
    flag: 'files-dir',
    kind: 'directories',
    title: 'Files folder',
    description:
      'The folder(s), separated as in PATH, that file arguments may read from and exports are written to. Unset: file arguments are refused.',
  },
  videoCatalogue: {
    variable: 'VIDEO_HOSTING_VIDEO_CATALOGUE',
    flag: 'video-catalogue',
    kind: 'file',
    title: 'Video catalogue',
    description: 'A CSV or JSON file of video id, key and title, exported from the dashboard.',
  },
  dataDir: {
    variable: 'VIDEO_HOSTING_DATA_DIR',
    flag: 'data-dir',
    kind: 'directory',
    title: 'Data folder',
    description: 'Where the journal and the view cache are kept. Default: the platform’s data folder.',
  },
  analyticsStore: {
    variable: 'VIDEO_HOSTING_ANALYTICS_STORE',
    flag: 'analytics-store',
    kind: 'store',
    title: 'Analytics store',
    description:
      'A ClickHouse server or cluster that views are kept on instead: `clickhouse://user@host:8123/database?cluster=name`, or `clickhouses://` by https. Default: the data folder.',
  },
  analyticsStorePassword: {
    variable: 'VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD',
    kind: 'text',
    secret: true,
    title: 'Password of the analytics store',
    description: 'Password of the user that the analytics store names.',
  },
  analyticsSqlUser: {
    variable: 'VIDEO_HOSTING_ANALYTICS_SQL_USER',
    flag: 'analytics-sql-user',
    kind: 'text',
    title: 'SQL user of the analytics store',
    description: 'The store’s read-only user that `run_analytics_sql` asks as. Unset: it is refused there.',
  },
  analyticsSqlPassword: {
    variable: 'VIDEO_HOSTING_ANALYTICS_SQL_PASSWORD',
    kind: 'text',
    secret: true,
    title: 'Password of the SQL user',
    description: 'Password of that read-only user.',
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

export interface Settings {
  readonly baseUrl?: string;
  readonly statsUrl?: string;
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly statsAuth: 'none' | 'bearer';
  readonly readOnly: boolean;
  readonly confirm: ConfirmMode;
  /** Milliseconds. */
  readonly callBudgetMs: number;
  readonly personalData: 'masked' | 'allowed';
  readonly filesDirs: readonly string[];
  readonly videoCatalogue?: string;
  readonly dataDir: string;
  /** As `readStoreAddress` takes it. */
  readonly analyticsStore?: string;
  readonly analyticsStorePassword?: string;
  readonly analyticsSqlUser?: string;
  readonly analyticsSqlPassword?: string;
  readonly demo: boolean;
}

/** What a command other than `serve` is given. */
export interface CommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly all?: true;
  readonly json?: true;
  /** The clients that are named, in the order given; none: all that are found. */
  readonly clients?: readonly string[];
  readonly print?: true;
  readonly yes?: true;
  /** Where a credential is kept for a client that can do either. */
  readonly credentials?: 'file' | 'environment';
  /** What of a command that does several things. */
  readonly action?: StoreAction;
}

export interface ParsedConfig {
  readonly command: 'serve' | 'help' | 'version' | CommandName;
  readonly options: CommandOptions;
  readonly settings: Settings;
  /** The settings that were given by flag or variable, checked, as a variable would hold them. */
  readonly given: Readonly<Partial<Record<SettingName, string>>>;
  /** What is wrong, a sentence each, with the nearest right name. Not empty: nothing may be done. */
  readonly problems: readonly string[];
}

/** What the command does besides serving, and its flags. */
const COMMANDS = {
  sync: {
    usage: 'sync --from DATE [--to DATE]',
    flags: ['from', 'to'],
    does: 'read view logs ahead, so that questions about those days need not wait',
  },
  forget: {
    usage: 'forget --all | --to DATE',
    flags: ['to', 'all'],
    does: 'remove the views that are kept on this machine, all or up to a day, and the reports',
  },
  doctor: {
    usage: 'doctor [--json]',
    flags: ['json'],
    does: 'look at the settings, both APIs and this machine, and say what to do about what is wrong',
  },
  install: {
    usage: 'install [--client NAME,…] [--demo] [--print] [--yes] [--credentials file|environment]',
    flags: ['client', 'print', 'yes', 'credentials'],
    does: 'add this server to the configuration of AI clients, all that are found when none is named; shown and asked first',
  },
  uninstall: {
    usage: 'uninstall [--client NAME,…] [--print] [--yes]',
    flags: ['client', 'print', 'yes'],
    does: 'take it out again',
  },
  store: {
    usage: 'store init | store import',
    flags: [],
    does: 'make the tables of the analytics store, or bring the views there that are kept on this machine',
  },
} as const;
type CommandName = keyof typeof COMMANDS;
const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];
const COMMAND_FLAGS = {
  from: 'string',
  to: 'string',
  all: 'boolean',
  json: 'boolean',
  client: 'string',
  print: 'boolean',
  yes: 'boolean',
  credentials: 'string',
} as const;
type CommandFlag = keyof typeof COMMAND_FLAGS;
type GivenFlags = Partial<Record<CommandFlag, readonly string[]>>;
const STORE_ACTIONS = ['init', 'import'] as const;
type StoreAction = (typeof STORE_ACTIONS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** What the process was started with, checked. Pure: reads nothing but its arguments and never throws. */
export function parseConfig(argv: readonly string[], env: Environment, platform: NodeJS.Platform = 'linux'): ParsedConfig {
  const problems: string[] = [];
  const path = pathOf(platform);
  const flags = readFlags(argv, problems);
  const given = { ...readVariables(env, problems), ...flags.values };
  const value = checkValues(given, path, problems);
  const settings: Settings = {
    ...optional('baseUrl', value.baseUrl),
    ...optional('statsUrl', value.statsUrl),
    ...optional('apiKey', value.apiKey),
    ...optional('accessToken', value.accessToken),
    statsAuth: value.statsAuth === 'bearer' ? 'bearer' : 'none',
    readOnly: value.readOnly === 'on',
    confirm: isConfirmMode(value.confirm) ? value.confirm : 'ask',
    callBudgetMs: Number(value.callBudgetMs ?? SETTINGS.callBudgetMs.default),
    personalData: value.personalData === 'allowed' ? 'allowed' : 'masked',
    filesDirs: (value.filesDirs ?? '').split(path.delimiter).filter((part) => part !== ''),
    ...optional('videoCatalogue', value.videoCatalogue),
    dataDir: value.dataDir ?? defaultDataDir(env, platform),
    ...optional('analyticsStore', value.analyticsStore),
    ...optional('analyticsStorePassword', value.analyticsStorePassword),
    ...optional('analyticsSqlUser', value.analyticsSqlUser),
    ...optional('analyticsSqlPassword', value.analyticsSqlPassword),
    demo: flags.demo,
  };
  return { command: flags.command, options: flags.options, settings, given: value, problems };
}

/** The settings without which the service can't be called, that are not set: their variables. */
export function missingSettings(settings: Settings): string[] {
  if (settings.demo) return [];
  return (['baseUrl', 'apiKey'] as const).filter((name) => settings[name] === undefined).map((name) => SETTINGS[name].variable);
}

/** How a system reads paths, whatever this runs on. */
const pathOf = (platform: NodeJS.Platform): PlatformPath => (platform === 'win32' ? win32 : posix);

function optional<Name extends SettingName>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  // The computed key widens to string, so the type has to be stated.
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}

const isConfirmMode = (value: string | undefined): value is ConfirmMode =>
  value !== undefined && (SETTINGS.confirm.choices as readonly string[]).includes(value);

const rows = Object.entries(SETTINGS) as [SettingName, SettingRow][];
type Given = Partial<Record<SettingName, { readonly text: string; readonly from: string }>>;

function readFlags(argv: readonly string[], problems: string[]) {
  const known = ['demo', 'help', 'version', ...rows.flatMap(([, row]) => row.flag ?? [])];
  const nameable = [...known, ...Object.keys(COMMAND_FLAGS)];
  const options = {
    ...Object.fromEntries(
      known.map((flag) => [
        flag,
        { type: rows.some(([, row]) => row.flag === flag && row.kind !== 'switch') ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
    ...Object.fromEntries(Object.entries(COMMAND_FLAGS).map(([flag, type]) => [flag, { type }])),
    help: { type: 'boolean' as const, short: 'h' },
    version: { type: 'boolean' as const, short: 'v' },
  };
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const values: Given = {};
  const given: GivenFlags = {};
  let command: ParsedConfig['command'] = 'serve';
  let action: StoreAction | undefined;
  let demo = false;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const named: CommandName | undefined = command === 'serve' ? COMMAND_NAMES.find((name) => name === token.value) : undefined;
      const does = command === 'store' && action === undefined ? STORE_ACTIONS.find((name) => name === token.value) : undefined;
      if (named !== undefined) command = named;
      else if (does !== undefined) action = does;
      // What it is isn't repeated: it may be a credential that was meant for a flag.
      else
        problems.push(`There is an argument that is no flag.${didYouMeanCommand(token.value) || didYouMean(token.value, nameable, '--')}`);
    }
    if (token.kind !== 'option') continue;
    if (isCommandFlag(token.name)) {
      addCommandFlag(given, token.name, token.value, problems);
      continue;
    }
    const row = rows.find(([, candidate]) => candidate.flag === token.name);
    if (!known.includes(token.name)) problems.push(`Unknown flag ${token.rawName}.${didYouMean(token.name, nameable, '--')}`);
    else if (row !== undefined && row[1].kind !== 'switch') addFlag(values, row, token, problems);
    else if (token.value !== undefined) problems.push(`--${token.name} takes no value.`);
    else if (row !== undefined) values[row[0]] = { text: 'on', from: `--${token.name}` };
    else if (token.name === 'demo') demo = true;
    else command = token.name === 'help' ? 'help' : 'version';
  }
  return { values, command, demo, options: { ...checkCommand(command, given, problems), ...checkAction(command, action, problems) } };
}

function checkAction(command: ParsedConfig['command'], action: StoreAction | undefined, problems: string[]): CommandOptions {
  if (command === 'store' && action === undefined) problems.push(`store needs to be told what to do: ${COMMANDS.store.usage}`);
  return action === undefined ? {} : { action };
}

const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
const isCommandFlag = (name: string): name is CommandFlag => Object.hasOwn(COMMAND_FLAGS, name);

function addCommandFlag(given: GivenFlags, name: CommandFlag, value: string | undefined, problems: string[]): void {
  const takesValue = COMMAND_FLAGS[name] === 'string';
  if (takesValue && (value === undefined || value.startsWith('--'))) problems.push(`--${name} needs a value.`);
  else if (!takesValue && value !== undefined) problems.push(`--${name} takes no value.`);
  else given[name] = [...(given[name] ?? []), value ?? ''];
}

function checkCommand(command: ParsedConfig['command'], given: GivenFlags, problems: string[]): CommandOptions {
  const [from, to, credentials] = [given.from?.at(-1), given.to?.at(-1), given.credentials?.at(-1)];
  const flags: readonly string[] = isCommandName(command) ? COMMANDS[command].flags : [];
  for (const name of Object.keys(given)) {
    const owners = COMMAND_NAMES.filter((owner) => (COMMANDS[owner].flags as readonly string[]).includes(name));
    const usage = owners.map((owner) => COMMANDS[owner].usage).join(', or: ');
    if (!flags.includes(name) && command !== 'help') problems.push(`--${name} goes with a command, as in: ${usage}`);
  }
  if (command === 'sync' && from === undefined) problems.push(`sync needs the day to begin with: ${COMMANDS.sync.usage}`);
  if (command === 'forget' && (to === undefined) === (given.all === undefined))
    problems.push(`forget needs either --all or the last day to remove: ${COMMANDS.forget.usage}`);
  if (credentials !== undefined && credentials !== 'file' && credentials !== 'environment')
    problems.push('--credentials must be one of file, environment.');
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(given.all === undefined ? {} : { all: true }),
    ...(given.json === undefined ? {} : { json: true }),
    ...(given.client === undefined ? {} : { clients: given.client.flatMap((names) => names.split(',')) }),
    ...(given.print === undefined ? {} : { print: true }),
    ...(given.yes === undefined ? {} : { yes: true }),
    ...(credentials === 'file' || credentials === 'environment' ? { credentials } : {}),
  };
}

function didYouMeanCommand(name: string): string {
  const [best] = nearest(name, COMMAND_NAMES, 1);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}

function addFlag(
  values: Given,
  [name]: [SettingName, SettingRow],
  token: { name: string; value?: string | undefined },
  problems: string[],
) {
  if (token.value === undefined || token.value.startsWith('--')) problems.push(`--${token.name} needs a value.`);
  else values[name] = { text: token.value, from: `--${token.name}` };
}

function readVariables(env: Environment, problems: string[]): Given {
  const values: Given = {};
  const names = rows.map(([, row]) => row.variable);
  for (const [variable, raw] of Object.entries(env)) {
    if (!isMeantForUs(variable, names)) continue;
    const row = rows.find(([, candidate]) => candidate.variable === variable);
    if (row === undefined) problems.push(`Unknown setting ${variable}.${didYouMean(variable.toUpperCase(), names, '')}`);
    // A bundle host passes `${user_config.x}` as it stands for a field that the user left empty.
    else if (raw !== undefined && raw.trim() !== '' && !/^\$\{.*\}$/.test(raw.trim()))
      values[row[0]] = { text: raw.trim(), from: variable };
  }
  return values;
}

/** Letters that a mistyped name of a variable may be away from the right one. */
const TYPO = 3;

function isMeantForUs(variable: string, names: readonly string[]): boolean {
  if (/^VIDEO[_-]?HOSTING/i.test(variable)) return true;
  return (
    variable.length > 12 &&
    names.some((name) => Math.abs(name.length - variable.length) <= TYPO && distance(variable.toUpperCase(), name) <= TYPO)
  );
}

function didYouMean(name: string, known: readonly string[], prefix: string): string {
  const [best] = nearest(name.replaceAll('_', '-'), known, 1, (candidate) => candidate.replaceAll('_', '-'));
  return best === undefined ? '' : ` Did you mean ${prefix}${best}?`;
}

function checkValues(given: Given, path: PlatformPath, problems: string[]): Partial<Record<SettingName, string>> {
  const values: Partial<Record<SettingName, string>> = {};
  for (const [name, row] of rows) {
    const entry = given[name];
    if (entry === undefined) continue;
    const checked = checkValue(row, entry.text, path);
    if ('problem' in checked) problems.push(`${entry.from} ${checked.problem}`);
    else values[name] = checked.value;
  }
  return values;
}

type Checked = { readonly value: string } | { readonly problem: string };

/** What a setting would be with this text, or what is wrong with it. */
export const checkSetting = (name: SettingName, text: string): Checked => checkValue(SETTINGS[name], text, pathOf(process.platform));

function checkValue(row: SettingRow, text: string, { delimiter, isAbsolute }: PlatformPath): Checked {
  switch (row.kind) {
    case 'url':
      return checkUrl(text);
    case 'store': {
      const address = readStoreAddress(text);
      return 'problem' in address ? address : { value: text };
    }
    case 'switch':
      return checkSwitch(text);
    case 'choice': {
      const [best] = nearest(text, row.choices, 1);
      const hint = best === undefined ? '' : ` Did you mean ${best}?`;
      return row.choices.includes(text) ? { value: text } : { problem: `must be one of ${row.choices.join(', ')}.${hint}` };
    }
    case 'milliseconds':
      return /^\d{1,9}$/.test(text) && Number(text) >= row.min && Number(text) <= row.max
        ? { value: String(Number(text)) }
        : { problem: `must be a whole number of milliseconds from ${row.min} to ${row.max}.` };
    case 'directories':
      return text
        .split(delimiter)
        .filter((part) => part !== '')
        .every((part) => isAbsolute(part))
        ? { value: text }
        : { problem: `must hold absolute paths, separated by "${delimiter}".` };
    case 'directory':
      return isAbsolute(text) ? { value: text } : { problem: 'must be an absolute path.' };
    case 'text':
      // A credential that can't stand in a header would fail on every call with a message about headers.
      return /^[\x21-\x7e]+$/.test(text) ? { value: text } : { problem: 'must be printable ASCII without spaces.' };
    case 'file':
      return { value: text };
  }
}

function checkSwitch(text: string): Checked {
  if (/^(1|true|on|yes)$/i.test(text)) return { value: 'on' };
  if (/^(0|false|off|no)$/i.test(text)) return { value: 'off' };
  return { problem: 'must be 1 or 0.' };
}

/** Whether a host name or address is this machine's loopback. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function checkUrl(text: string): Checked {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { problem: 'must be an address like https://api.example.com.' };
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return { problem: 'must start with https:// (http is for loopback only).' };
  if (url.username !== '' || url.password !== '') return { problem: 'must not hold a user name or password.' };
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    return { problem: 'must not hold a query or fragment.' };
  return { value: url.href.replace(/\/+$/, '') };
}

function defaultDataDir(env: Environment, platform: NodeJS.Platform): string {
  const { join } = pathOf(platform);
  const set = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const home = set('HOME') ?? '.';
  // Not below AppData: of a packaged client, as Claude Desktop is, Windows puts what is written there elsewhere, where
  // neither a terminal nor another client finds it. And not HOME, which a shell may have made a path of its own kind.
  if (platform === 'win32') return join(set('USERPROFILE') ?? home, '.video-hosting-mcp');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'video-hosting-mcp');
  return join(set('XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'video-hosting-mcp');
}

/** The command's help text. */
export function helpText(): string {
  const names = rows.map(([, row]) => [row.flag === undefined ? '(variable only)' : `--${row.flag}`, row.variable] as const);
  const [flagWidth, variableWidth] = ([0, 1] as const).map((at) => Math.max(...names.map((name) => name[at].length)));
  const lines = rows.map(([, row], at) => {
    const [flag = '', variable = ''] = names[at] ?? [];
    const choices = row.kind === 'choice' ? ` One of: ${row.choices.join(', ')}.` : '';
    const standard = row.default === undefined ? '' : ` Default: ${row.default}.`;
    return `  ${flag.padEnd(flagWidth ?? 0)} ${variable.padEnd(variableWidth ?? 0)} ${row.description}${choices}${standard}`;
  });
  return [
    'video-hosting-mcp: an MCP server over stdio for a video hosting account.',
    '',
    'Usage: video-hosting-mcp [--demo] [settings]',
    ...COMMAND_NAMES.map((name) => `       video-hosting-mcp ${COMMANDS[name].usage} [settings]`),
    '',
    ...COMMAND_NAMES.map((name) => `  ${name.padEnd(18)} ${COMMANDS[name].does}`),
    '',
    '  --demo             serve an embedded demo account; needs no settings',
    '  -h, --help; -v, --version',
    '',
    'Settings (a flag wins over its variable):',
    ...lines,
    '',
  ].join('\n');
}
