import type { PlatformPath } from 'node:path';
import { parseArgs } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { definedFields } from '../platform/defined-fields.ts';
import type { Desktop } from '../platform/find-browser.ts';
import { nearest } from '../text/nearest.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { checkValue, pathOf } from './check.ts';
import {
  type Action,
  actionsOf,
  COMMAND_FLAGS,
  COMMAND_NAMES,
  COMMANDS,
  type CommandName,
  type CommandOptions,
  checkCommand,
  type GivenFlags,
  isCommandFlag,
  takesOperand,
} from './commands.ts';
import { isLoopback, readListenAddress } from './http-address.ts';
import { kindOf } from './kinds.ts';
import { readProxy } from './proxy.ts';
import { SETTINGS, type SettingName, type Settings, settingRows, type TableSettings } from './settings.ts';

export interface ParsedConfig {
  readonly command: 'serve' | 'help' | 'version' | CommandName;
  readonly options: CommandOptions;
  readonly settings: Settings;
  /** The settings that were given by flag or variable, checked, in the form of the variable. */
  readonly given: Readonly<Partial<Record<SettingName, string>>>;
  /** The variables of settings that were given with values that they can’t have. */
  readonly malformed: readonly string[];
  /** One sentence for each problem, with the nearest right name. If there is any, no command may run. */
  readonly problems: readonly Sentence[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the command line and the environment. Pure: reads nothing but its arguments, and never throws. `home` is empty where
 * this user has no home folder.
 */
export function parseConfig(argv: readonly string[], env: Environment, platform: NodeJS.Platform = 'linux', home = env.HOME): ParsedConfig {
  const problems: Sentence[] = [];
  const path = pathOf(platform);
  // Most clients start it without arguments, and reading them takes a millisecond and more.
  const flags = argv.length === 0 ? NO_FLAGS : readFlags(argv, problems);
  const given = { ...readVariables(env, problems), ...flags.values };
  const value = checkValues(given, path, problems);
  const settings: Settings = {
    ...tableSettings(value, path),
    dataDir: value.dataDir ?? defaultDataDir(env, platform, home || '.'),
    desktop: readDesktop(env, platform, home ?? ''),
    demo: flags.demo,
    ...definedFields({ proxy: readProxy(env), clientMode: env.CLAUDE_CODE_ENTRYPOINT?.slice(0, 100) }),
  };
  if (settings.confirm === 'never' && settings.standingApprovals !== undefined) problems.push(NEVER_WITH_APPROVALS);
  if (flags.options.http) problems.push(...httpProblems(value));
  if (home !== undefined && !settings.demo && !path.isAbsolute(settings.dataDir)) problems.push(NO_HOME);
  const malformed = settingRows.flatMap(([name, row]) => (given[name] !== undefined && value[name] === undefined ? [row.variable] : []));
  return { command: flags.command, options: flags.options, settings, given: value, malformed, problems };
}

const NEVER_WITH_APPROVALS = sentence`${SETTINGS.confirm.variable} is never, with which everything goes, so ${SETTINGS.standingApprovals.variable} would bound nothing: leave one of them out.`;

/** What a server for several people can't have: each would be one person's machine, or let somebody else than a person decide. */
export const NOT_WITH_HTTP = {
  confirm: 'each change waits for a person, who decides with their own sign-in',
  filesDirs: 'no path of this machine is taken or shown',
  browser: 'no browser is opened on this machine',
  agent: 'standing approvals count for the name of the person who asks',
} as const satisfies Partial<Record<SettingName, string>>;

/** What keeps a server for several people from beginning with these settings. */
export function httpProblems(given: Partial<Record<SettingName, string>>): Sentence[] {
  const listen = readListenAddress(given.httpListen ?? SETTINGS.httpListen.default);
  const isBeyond = listen !== undefined && !isLoopback(listen);
  const isOpen = isBeyond && given.publicUrl?.startsWith('https:') !== true;
  return [
    ...Object.entries(NOT_WITH_HTTP).flatMap(([name, why]) =>
      given[name as keyof typeof NOT_WITH_HTTP] === undefined // Object.entries widens
        ? []
        : [sentence`${SETTINGS[name as keyof typeof NOT_WITH_HTTP].variable} can’t be set together with serve --http: ${why}.`],
    ),
    ...(isOpen
      ? [
          sentence`${SETTINGS.httpListen.variable} is an address beyond this machine, so ${SETTINGS.publicUrl.variable} has to be the https address under which people reach it.`,
        ]
      : []),
  ];
}

const NO_HOME = sentence`${SETTINGS.dataDir.variable} is not set, and this user has no home folder to keep data in: set it, or HOME.`;

/** Checked texts, or the defaults, as the values of their settings. */
function tableSettings(given: Partial<Record<SettingName, string>>, path: PlatformPath): TableSettings {
  const values = settingRows.flatMap(([name, row]) => {
    const text = given[name] ?? row.default ?? kindOf(row).unset;
    return text === undefined ? [] : [[name, kindOf(row).read(text, path)] as const];
  });
  return Object.fromEntries(values) as unknown as TableSettings; // each value is that of its row's kind
}

type Given = Partial<Record<SettingName, { readonly text: string; readonly from: string }>>;

type Flags = Pick<ParsedConfig, 'command' | 'options'> & { readonly values: Given; readonly demo: boolean };

const NO_FLAGS: Flags = { values: {}, command: 'serve', demo: false, options: {} };

function readFlags(argv: readonly string[], problems: Sentence[]): Flags {
  const types = new Map<string, 'string' | 'boolean'>([
    ...(['demo', 'help', 'version'] as const).map((name) => [name, 'boolean'] as const),
    ...settingRows.flatMap(([, row]) => (row.flag === undefined ? [] : [[row.flag, kindOf(row).isBare ? 'boolean' : 'string'] as const])),
    ...Object.entries(COMMAND_FLAGS),
  ]);
  const options = {
    ...Object.fromEntries([...types].map(([name, type]) => [name, { type }])),
    help: { type: 'boolean' as const, short: 'h' },
    version: { type: 'boolean' as const, short: 'v' },
  };
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const values: Given = {};
  const given: GivenFlags = {};
  let command: 'serve' | CommandName = 'serve';
  let asked: 'help' | 'version' | undefined;
  let action: Action | undefined;
  let operand: string | undefined;
  let demo = false;
  let isFirstWord = true;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const named = isFirstWord ? WORDS.find((name) => name === token.value) : undefined;
      const does = action === undefined ? actionsOf(command).find((name) => name === token.value) : undefined;
      if (named !== undefined) command = command === 'serve' ? named : command;
      else if (does !== undefined) action = does;
      else if (action !== undefined && operand === undefined && takesOperand(command, action)) operand = token.value;
      else
        problems.push(
          sentence`${strayText(token.value, token.index)}${strayHint(token.value, command, action) || didYouMean(token.value, [...types.keys()], '--') || KNOWN_COMMANDS}`,
        );
      isFirstWord = false;
    }
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    const type = types.get(name);
    const setting = settingRows.find(([, row]) => row.flag === name)?.[0];
    if (type === undefined) problems.push(sentence`Unknown flag ${word(token.rawName)}.${flagHint(name, [...types.keys()])}`);
    else if (type === 'string' && (value === undefined || value.startsWith('--')))
      problems.push(sentence`${word(token.rawName)} needs a value.`);
    else if (type === 'boolean' && value !== undefined) problems.push(sentence`${word(token.rawName)} takes no value.`);
    // A flag that is given twice has two values; where one is needed the last counts.
    else if (isCommandFlag(name)) given[name] = [...(given[name] ?? []), value ?? ''];
    else if (setting !== undefined) values[setting] = { text: value ?? 'on', from: `--${name}` };
    else if (name === 'demo') demo = true;
    else asked = name === 'help' ? 'help' : 'version';
  }
  if (asked !== undefined)
    return { values, command: asked, demo, options: asked === 'help' && command !== 'serve' ? { helpOn: command } : {} };
  return { values, command, demo, options: checkCommand(command, definedFields({ action, operand }), given, problems) };
}

/** The variable of a setting that has no flag, or the nearest flag. */
function flagHint(name: string, flags: readonly string[]): Sentence {
  const variable = `VIDEO_HOSTING_${name.toUpperCase().replaceAll('-', '_')}`;
  const hasNoFlag = settingRows.some(([, row]) => row.flag === undefined && row.variable === variable);
  return hasNoFlag ? sentence` It is not given on the command line: set ${word(variable)}.` : didYouMean(name, flags, '--');
}

/** `serve` is the default, and may be written out. */
const WORDS = ['serve', ...COMMAND_NAMES] as const;

const KNOWN_COMMANDS = sentence` The commands are ${joined(COMMAND_NAMES, ', ')}; --help says what each does.`;

/** An argument that is neither a command nor a flag. Only a plain word is repeated: anything else may be a credential. */
const strayText = (written: string, index: number): Sentence =>
  written.length <= 16 && /^[a-z]+(?:-[a-z]+)*$/.test(written)
    ? sentence`${inQuotes(written)} is no command and no flag.`
    : sentence`Argument ${index + 1} is no command and no flag; it is not repeated, since it may be a credential.`;

/** What an unknown word may have meant. */
function strayHint(written: string, command: 'serve' | CommandName, action: Action | undefined): Sentence {
  if (command === 'serve') return didYouMean(written, WORDS, '');
  if (action === undefined && actionsOf(command).length > 0) return didYouMean(written, actionsOf(command), '');
  return sentence`${didYouMean(written, COMMANDS[command].flags, '--')} Usage: ${COMMANDS[command].usage}`;
}

function readVariables(env: Environment, problems: Sentence[]): Given {
  const values: Given = {};
  const names = settingRows.map(([, row]) => row.variable);
  for (const [variable, raw] of Object.entries(env)) {
    if (!isOurs(variable, names)) continue;
    const row = settingRows.find(([, candidate]) => candidate.variable === variable);
    if (row === undefined) problems.push(sentence`Unknown setting ${word(variable)}.${didYouMean(variable.toUpperCase(), names, '')}`);
    // A bundle host passes `${user_config.x}` as it stands for a field that the user left empty.
    else if (raw !== undefined && raw.trim() !== '' && !/^\$\{.*\}$/.test(raw.trim()))
      values[row[0]] = { text: raw.trim(), from: variable };
  }
  return values;
}

const TYPO = 3;

function isOurs(variable: string, names: readonly string[]): boolean {
  if (/^VIDEO[_-]?HOSTING/i.test(variable)) return true;
  return (
    variable.length > 12 &&
    names.some((name) => Math.abs(name.length - variable.length) <= TYPO && distance(variable.toUpperCase(), name) <= TYPO)
  );
}

function didYouMean(name: string, known: readonly string[], prefix: '' | '--'): Sentence {
  const [best] = nearest(name.replaceAll('_', '-'), known, 1, (candidate) => candidate.replaceAll('_', '-'));
  return best === undefined ? sentence`` : sentence` Did you mean ${prefix}${word(best)}?`;
}

function checkValues(given: Given, path: PlatformPath, problems: Sentence[]): Partial<Record<SettingName, string>> {
  const values: Partial<Record<SettingName, string>> = {};
  for (const [name, row] of settingRows) {
    const entry = given[name];
    if (entry === undefined) continue;
    const checked = checkValue(row, entry.text, path);
    if ('problem' in checked) problems.push(sentence`${word(entry.from)} ${checked.problem}`);
    else values[name] = checked.value;
  }
  return values;
}

/** What tells whether a browser can be opened. */
function readDesktop(env: Environment, platform: NodeJS.Platform, home: string): Desktop {
  const isSet = (...names: readonly string[]): boolean => names.some((name) => (env[name] ?? '') !== '');
  return {
    platform,
    browser: env.BROWSER ?? '',
    hasDisplay: isSet('DISPLAY', 'WAYLAND_DISPLAY'),
    isRemote: isSet('SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'),
    path: env.PATH ?? '',
    home,
  };
}

function defaultDataDir(env: Environment, platform: NodeJS.Platform, home: string): string {
  const { join, isAbsolute } = pathOf(platform);
  // A relative path would be another folder for each client that starts the server.
  const set = (name: string): string | undefined => (isAbsolute(env[name] ?? '') ? env[name] : undefined);
  // Not below AppData: Windows redirects what a packaged client such as Claude Desktop writes there, so that neither a terminal
  // nor another client finds it. Not HOME either: a shell may have set it to a path in its own form.
  if (platform === 'win32') return join(set('USERPROFILE') ?? home, '.video-hosting-mcp');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'video-hosting-mcp');
  return join(set('XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'video-hosting-mcp');
}
