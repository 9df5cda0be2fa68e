import { definedFields } from '../platform/defined-fields.ts';
import { joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { readServerUrl } from './http-address.ts';

interface CommandRow {
  readonly usage: Sentence;
  readonly flags: readonly string[];
  /** What it is told to do, and what each of these takes. */
  readonly actions?: Readonly<Record<string, 'nothing' | 'a file' | 'an id' | 'a name'>>;
  /** Flags that go with some actions alone; '' is to be told nothing. */
  readonly actionFlags?: Readonly<Record<string, Readonly<Record<string, 'needed' | 'optional'>>>>;
  /** It may be told nothing. */
  readonly isWhole?: true;
  readonly does: string;
}

/** Serving itself, of which `--http` is a way; the commands below are the others. */
export const SERVE = {
  usage: sentence`serve --http`,
  flags: ['http'],
  does: 'serve the account to several people over HTTP, each with a credential of their own (docs/team.md)',
} as const satisfies CommandRow;

/** The commands besides serving, with their flags. */
export const COMMANDS = {
  sync: {
    usage: sentence`sync --from DATE [--to DATE] [--client NAME]`,
    flags: ['from', 'to', 'client'],
    does: 'read view logs ahead, so that questions about those days are answered at once',
  },
  forget: {
    usage: sentence`forget --all | --to DATE [--client NAME]`,
    flags: ['to', 'all', 'client'],
    does: 'remove the cached views of the account that is set, all or up to a day, and its reports',
  },
  doctor: {
    usage: sentence`doctor [--client NAME] [--json] | doctor --url URL [--json]`,
    flags: ['client', 'json', 'url'],
    does: 'check the settings, those of this command or those of a client’s entry, both APIs and this machine, or from here a server for several people, and say how to fix what is wrong',
  },
  install: {
    usage: sentence`install [--url URL] [--client NAME,…] [--demo] [--print] [--yes] [--skip-check] [--credentials file|environment]`,
    flags: ['url', 'client', 'print', 'yes', 'skip-check', 'credentials'],
    does: 'add this server to the configuration of AI clients, by default all that are found, after trying the account and showing each change; with --url, one for several people at its address',
  },
  uninstall: {
    usage: sentence`uninstall [--client NAME,…] [--print] [--yes]`,
    flags: ['client', 'print', 'yes'],
    does: 'remove it from the configuration of AI clients',
  },
  store: {
    usage: sentence`store init | store import [--client NAME]`,
    flags: ['client'],
    actions: { init: 'nothing', import: 'nothing' },
    does: 'create the tables of the analytics store, or copy the cached views of this machine into it',
  },
  approvals: {
    usage: sentence`approvals [check FILE | revoke ID | stop] [--client NAME]`,
    flags: ['client'],
    actions: { check: 'a file', revoke: 'an id', stop: 'nothing' },
    isWhole: true,
    does: 'say what a person allowed in advance and what is left of it, check such a file, or revoke an approval or all of them for good',
  },
  waiting: {
    usage: sentence`waiting [show ID | approve ID | decline ID] [--exit-code] [--client NAME]`,
    flags: ['exit-code', 'client'],
    actions: { show: 'an id', approve: 'an id', decline: 'an id' },
    isWhole: true,
    does: 'list the changes that wait for a person (VIDEO_HOSTING_CONFIRM=wait, or asked of serve --http), show one in full, or decide on it at a terminal; with --exit-code, end with 3 where any waits',
  },
  people: {
    usage: sentence`people list | people add NAME --roles ROLE,… | people roles NAME --roles ROLE,… | people rotate NAME | people remove NAME [--client NAME]`,
    flags: ['roles', 'client'],
    actions: { add: 'a name', list: 'nothing', roles: 'a name', rotate: 'a name', remove: 'a name' },
    actionFlags: { add: { roles: 'needed' }, roles: { roles: 'needed' } },
    does: 'say who may use a server for several people, add or remove one, set the roles of one (read, propose, approve), or give new secrets',
  },
  audit: {
    usage: sentence`audit [--json] | audit head | audit verify [--head LINE] [--client NAME]`,
    flags: ['json', 'head', 'client'],
    actions: { head: 'nothing', verify: 'nothing' },
    actionFlags: { '': { json: 'optional' }, verify: { head: 'optional' } },
    isWhole: true,
    does: 'list who asked for each change, who decided and what came of it; print a line to note elsewhere; tell whether anything was altered, removed or reordered up to it',
  },
  page: {
    usage: sentence`page [--client NAME]`,
    flags: ['client'],
    does: 'open the approval page in your browser, without an assistant, until Ctrl+C: what waits, changes, contents, reports, standing approvals',
  },
} as const satisfies Record<string, CommandRow>;
export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]; // Object.keys widens
export const COMMAND_FLAGS = {
  from: 'string',
  to: 'string',
  all: 'boolean',
  json: 'boolean',
  client: 'string',
  print: 'boolean',
  yes: 'boolean',
  'skip-check': 'boolean',
  credentials: 'string',
  'exit-code': 'boolean',
  roles: 'string',
  http: 'boolean',
  head: 'string',
  url: 'string',
} as const;
type CommandFlag = keyof typeof COMMAND_FLAGS;
export type GivenFlags = Partial<Record<CommandFlag, readonly string[]>>;
type ActionOf<Name extends CommandName> = (typeof COMMANDS)[Name] extends { readonly actions: infer Actions } ? keyof Actions : never;
export type Action = { [Name in CommandName]: ActionOf<Name> }[CommandName];
const rowOf = (command: string): CommandRow | undefined =>
  isCommandName(command) ? COMMANDS[command] : command === 'serve' ? SERVE : undefined;
export const actionsOf = (command: string): readonly Action[] => Object.keys(rowOf(command)?.actions ?? {}) as Action[]; // Object.keys widens
/** Whether an action is told about something, such as a file. */
export const takesOperand = (command: string, action: Action): boolean => (rowOf(command)?.actions?.[action] ?? 'nothing') !== 'nothing';
/** Where a credential is kept for a client that supports both. */
const CREDENTIAL_SOURCES = ['file', 'environment'] as const;

export interface CommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly all?: true;
  readonly json?: true;
  /** The named clients, in their order; absent for all that are found. */
  readonly clients?: readonly string[];
  readonly print?: true;
  readonly yes?: true;
  readonly exitCode?: true;
  /** Neither the account is tried nor anything else. */
  readonly skipCheck?: true;
  readonly credentials?: (typeof CREDENTIAL_SOURCES)[number];
  /** What a person may do, as it was written. */
  readonly roles?: readonly string[];
  /** A line of `audit head`. */
  readonly head?: string;
  readonly action?: Action;
  /** What the action is told about. */
  readonly operand?: string;
  /** The root of a server for several people. */
  readonly url?: string;
  /** Serves several people over HTTP. */
  readonly http?: true;
  /** Of `help`: the command that it is about; absent for all. */
  readonly helpOn?: CommandName;
}

const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
export const isCommandFlag = (name: string): name is CommandFlag => Object.hasOwn(COMMAND_FLAGS, name);

/** What a command was given; problems are added to `problems`. */
export function checkCommand(
  command: 'serve' | CommandName,
  { action, operand }: Pick<CommandOptions, 'action' | 'operand'>,
  given: GivenFlags,
  problems: Sentence[],
): CommandOptions {
  const [from, to, head, source] = [given.from?.at(-1), given.to?.at(-1), given.head?.at(-1), given.credentials?.at(-1)];
  const flags: readonly string[] = rowOf(command)?.flags ?? [];
  for (const name of Object.keys(given)) {
    const owners = [SERVE, ...Object.values(COMMANDS)].filter((owner) => (owner.flags as readonly string[]).includes(name));
    const usage = joined(
      owners.map((owner) => owner.usage),
      ', or: ',
    );
    if (!flags.includes(name)) problems.push(sentence`--${word(name)} goes with a command, as in: ${usage}`);
  }
  if (command === 'sync' && from === undefined) problems.push(sentence`sync needs the day to begin with: ${COMMANDS.sync.usage}`);
  if (command === 'forget' && (to === undefined) === (given.all === undefined))
    problems.push(sentence`forget needs either --all or the last day to remove: ${COMMANDS.forget.usage}`);
  const credentials = CREDENTIAL_SOURCES.find((known) => known === source);
  if (source !== credentials) problems.push(sentence`--credentials must be one of ${joined(CREDENTIAL_SOURCES, ', ')}.`);
  const row = rowOf(command);
  if (row?.actions !== undefined && row.isWhole !== true && action === undefined)
    problems.push(sentence`${command} needs to be told what to do: ${row.usage}`);
  const needed = action === undefined ? undefined : row?.actions?.[action];
  if (row !== undefined && action !== undefined && needed !== undefined && needed !== 'nothing' && operand === undefined)
    problems.push(sentence`${command} ${action} needs ${needed}: ${row.usage}`);
  if (row?.actionFlags !== undefined && (action !== undefined || row.isWhole === true)) {
    const own = row.actionFlags[action ?? ''] ?? {};
    const told = action === undefined ? sentence`${command}` : sentence`${command} ${action}`;
    for (const flag of new Set(Object.values(row.actionFlags).flatMap(Object.keys))) {
      const isGiven = Object.hasOwn(given, flag);
      if (isGiven && own[flag] === undefined) problems.push(sentence`${told} takes no --${word(flag)}: ${row.usage}`);
      if (!isGiven && own[flag] === 'needed') problems.push(sentence`${told} needs --${word(flag)}: ${row.usage}`);
    }
  }
  if (given['exit-code'] !== undefined && action !== undefined)
    problems.push(sentence`--exit-code goes with the list: ${COMMANDS.waiting.usage}`);
  const partsOf = (flag: CommandFlag) => given[flag]?.flatMap((names) => names.split(',').map((name) => name.trim()));
  const [clients, roles] = [partsOf('client'), partsOf('roles')];
  const url = given.url === undefined ? undefined : readServerUrl(given.url.at(-1) ?? '');
  if (url !== undefined && 'problem' in url && flags.includes('url')) problems.push(sentence`--url ${url.problem}`);
  if (command === 'doctor' && url !== undefined && clients !== undefined)
    problems.push(sentence`doctor takes --url or --client, not both: the entry of a client names its address.`);
  const isSet = (name: CommandFlag) => given[name] && (true as const);
  return definedFields({
    ...{ url: url !== undefined && 'origin' in url ? url.origin : undefined },
    ...{ from, to, head, clients, credentials, roles, action, operand },
    ...{
      all: isSet('all'),
      json: isSet('json'),
      print: isSet('print'),
      yes: isSet('yes'),
      exitCode: isSet('exit-code'),
      skipCheck: isSet('skip-check'),
      http: isSet('http'),
    },
  });
}
