import { statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { credentialInfo } from '../../account/identity.ts';
import { withoutApiPath } from '../../config/api-address.ts';
import { checkSetting } from '../../config/check.ts';
import { SETTINGS, type SettingName } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { codeOf, makeFolder } from '../../platform/files.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import type { OpenedClient } from './change-config.ts';
import type { AiClient } from './clients.ts';
import { type ClientInput, inputIdIn, ownInputsIn, SERVER, type ServerEntry } from './document.ts';
import type { EntryOptions } from './entry.ts';
import { type EntryConfig, entryConfig, hasSetting, holdsValue } from './entry-config.ts';
import type { Prompt } from './prompt.ts';
import { TOKEN_INPUT } from './remote-entry.ts';

/** Where a client gets a credential from: its configuration file, its environment, or its own secret store. */
export type CredentialSource = 'file' | 'environment' | 'client';

export interface EntrySettings extends EntryOptions {
  readonly inputs: readonly ClientInput[];
  readonly sources: Readonly<Record<string, CredentialSource>>;
  /** Whether the file will hold a credential that we put there. */
  readonly secret: boolean;
}

/** The ids under which VS Code stores the credentials. Under a further number it has none yet, and asks. */
const INPUT_ID = { apiKey: `${SERVER}-api-key`, accessToken: `${SERVER}-access-token` } as const;
const INPUT_IDS = Object.values(INPUT_ID);
type CredentialName = keyof typeof INPUT_ID;
const CREDENTIAL_NAMES = Object.keys(INPUT_ID) as CredentialName[]; // Object.keys widens

/** The input from which an entry takes a credential, if it is one of ours. */
function ownInputId(entry: ServerEntry, name: CredentialName): string | undefined {
  const id = inputIdIn(entry, variableOf(name));
  return id?.replace(/-\d+$/, '') === INPUT_ID[name] ? id : undefined;
}

/** Those of our inputs that a configuration may hold beside an entry. */
export const inputIdsOf = (entry: ServerEntry): readonly string[] => [...new Set([...INPUT_IDS, TOKEN_INPUT, ...ownInputsIn(entry)])];

/** The id for which VS Code asks again, since it has nothing under it. */
export function nextId(id: string): string {
  const [, root = id, number = '1'] = /^(.*?)(?:-(\d+))?$/.exec(id) ?? [];
  return `${root}-${Number(number) + 1}`;
}

/** What the server requires, and what most people want, in the order in which people are asked, with what each is for. */
const ASKED = {
  baseUrl: '',
  statsUrl: ' (empty if there is none)',
  apiKey: '',
  accessToken: ': wanted by some accounts for moving videos, beside the key (empty if you have none)',
  filesDirs: ': a folder for lists of videos and for exports, such as the CSV of a move (empty for none)',
  videoCatalogue: ': a CSV or JSON of video ids, keys and titles, which the API can’t list (empty for none)',
} as const satisfies Partial<Record<SettingName, string>>;
const ASKED_NAMES = Object.keys(ASKED) as AskedName[]; // Object.keys widens
const REQUIRED: readonly SettingName[] = ['baseUrl', 'apiKey'];
type AskedName = keyof typeof ASKED;
export type AddressName = 'baseUrl' | 'statsUrl';
export type Answers = Partial<Record<SettingName, string | undefined>>;

const LATER = 'Run install again to set it later.';

const isCredential = (name: SettingName): name is CredentialName => name in INPUT_ID;
const variableOf = (name: SettingName) => SETTINGS[name].variable;

/** Whether a credential has to be in the file itself, since the person wants that or the client has no other place. */
const isFileOnly = ({ secrets }: AiClient, { config }: Surroundings): boolean =>
  secrets.kind === 'file' || (secrets.kind !== 'prompt' && config.options.credentials === 'file');

/**
 * Unless the person says another place, a credential goes where the entry has it, or else where it has another one. A new entry has none
 * in the file if the client recommends another way and the person can use it.
 */
function sourceOf(name: CredentialName, client: AiClient, entry: ServerEntry, surroundings: Surroundings): CredentialSource {
  const { options, given } = surroundings.config;
  if (client.secrets.kind === 'prompt') return 'client';
  if (isFileOnly(client, surroundings)) return 'file';
  if (options.credentials === 'environment') return 'environment';
  const placed = hasSetting(entry, name) ? [name] : CREDENTIAL_NAMES;
  return given[name] === undefined || placed.some((one) => holdsValue(entry, one)) ? 'file' : 'environment';
}

/** Throws `client_config` where a credential would have to be in a file although the person said that it is in the environment. */
export function checkSource({ title, secrets }: AiClient, { config }: Surroundings): void {
  if (config.options.credentials !== 'environment' || secrets.kind !== 'file' || config.settings.demo) return;
  throw new VideoHostingError('client_config', sentence`${title} can’t take a credential from its environment.`, {
    hint: 'Nothing was written there. Leave out --credentials environment for it.',
  });
}

/** What was answered, and what could be set beside it and was not asked for. */
export interface Asked {
  readonly answers: Answers;
  readonly open: readonly AskedName[];
  /** Of a credential that an entry holds and an answer replaces there too: the files of such. */
  readonly replaced: Replaced;
  /** Whether the access token of an entry was asked for, since it has expired. */
  readonly isTokenAsked: boolean;
}

export type Replaced = Partial<Record<CredentialName, ReadonlySet<string>>>;

/**
 * What entries lack and is set nowhere. Addresses and paths are taken from the entries of other clients; for what no entry has, the person is
 * asked once, and beside what is required, unless --yes is given, for what most people want. Throws `settings_missing` where nobody can be asked.
 */
export async function askForMissing(
  clients: readonly OpenedClient[],
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): Promise<Asked> {
  const nothing = { replaced: {}, isTokenAsked: false };
  if (surroundings.config.settings.demo) return { answers: {}, open: [], ...nothing };
  const lacking = ASKED_NAMES.filter((name) => clients.some((one) => isMissing(name, one, surroundings)));
  const answers = takenFromOthers(lacking, clients, surroundings);
  const open = lacking.filter((name) => answers[name] === undefined);
  // What an entry has as a reference, and is to hold, is as good as required.
  const isNeeded = (name: AskedName): boolean =>
    REQUIRED.includes(name) || clients.some((one) => isMissing(name, one, surroundings) && hasSetting(one.document.entry ?? {}, name));
  const missing = open.filter(isNeeded);
  if (prompt === undefined && missing.length > 0)
    throw new VideoHostingError('settings_missing', sentence`Not set: ${joined(missing.map(variableOf), ', ')}.`, {
      hint: 'Nothing was written. Set them in the environment of this command, or run it at a terminal to be asked; --demo needs none.',
    });
  if (prompt === undefined) return { answers, open: [], ...nothing };
  const isBrief = surroundings.config.options.yes === true;
  // Who is asked for what is required is asked for the rest too.
  const asked = isBrief || missing.length === 0 ? missing : open;
  const given = await askForEach(asked, clients, surroundings, prompt);
  const rest = isBrief ? [] : open.filter((name) => !asked.includes(name));
  return { ...given, answers: { ...answers, ...given.answers }, open: rest };
}

/** Asks for settings, first for a credential that an entry holds and that has expired. */
async function askForEach(
  names: readonly AskedName[],
  clients: readonly OpenedClient[],
  surroundings: Surroundings,
  prompt: Prompt,
): Promise<Omit<Asked, 'open'>> {
  const heldOf = (name: AskedName) => (isCredential(name) ? heldIn(name, clients, surroundings) : undefined);
  const expired = names.filter((name) => heldOf(name)?.expires !== undefined);
  const answers: Answers = {};
  const replaced: Record<CredentialName, ReadonlySet<string>> = { apiKey: new Set(), accessToken: new Set() };
  for (const name of [...expired, ...names.filter((one) => !expired.includes(one))]) {
    const held = heldOf(name);
    if (!isCredential(name) || held === undefined) answers[name] = await askFor(name, prompt, surroundings);
    else {
      const { answer, files } = await askForHeld(name, held, prompt, surroundings);
      answers[name] = answer;
      replaced[name] = files;
    }
  }
  return { answers, replaced, isTokenAsked: expired.includes('accessToken') };
}

/** A credential that entries hold and others lack. */
interface Held {
  readonly value: string;
  readonly titles: Sentence;
  readonly files: readonly string[];
  /** When it expired, where it has. */
  readonly expires: string | undefined;
}

/** That of the first entry that holds one which has not expired, with the others that hold it; undefined where none does. */
function heldIn(name: CredentialName, clients: readonly OpenedClient[], { machine }: Surroundings): Held | undefined {
  const ones = clients.flatMap(({ client, file, document: { entry } }) => {
    const value = entry && holdsValue(entry, name) ? entryConfig(client, entry, { given: {}, machine }).config.given[name] : undefined;
    return value === undefined ? [] : [{ title: client.title, file, value }];
  });
  const value = (ones.find((one) => expiryOf(one.value) === undefined) ?? ones[0])?.value;
  if (value === undefined) return undefined;
  const same = ones.filter((one) => one.value === value);
  const titles = joined(
    same.map(({ title }) => title),
    ', ',
  );
  return { value, titles, files: same.map(({ file }) => file), expires: expiryOf(value) };
}

/** Asks for a credential that another entry holds: an empty answer takes that, and what is new is taken there too where it is renewed. */
async function askForHeld(
  name: CredentialName,
  { value, titles, files, expires }: Held,
  prompt: Prompt,
  surroundings: Surroundings,
): Promise<{ readonly answer: string | undefined; readonly files: ReadonlySet<string> }> {
  if (expires !== undefined) {
    surroundings.print(`${expiredText(name, titles, expires)}\n`);
    const answer = await askFor(name, prompt, surroundings, AGAIN.expired());
    if (answer !== undefined) return { answer, files: new Set(files) };
    return { answer: REQUIRED.includes(name) ? value : undefined, files: new Set() };
  }
  const answer = await askFor(name, prompt, surroundings, ` (empty: as in ${titles})`);
  const isOther = answer !== undefined && answer !== value;
  const isForAll =
    isOther && (await prompt.confirm(`${titles} ${files.length === 1 ? 'has' : 'have'} another one. Take this one there too?`));
  return { answer: answer ?? value, files: new Set(isForAll ? files : []) };
}

const expiredText = (name: CredentialName, titles: Sentence, expires: string): Sentence =>
  sentence`The ${name === 'apiKey' ? 'key' : 'access token'} of ${titles} expired on ${word(expires.slice(0, 10))}. Enter the new one.`;

/** Offers what could be set beside what entries have. */
export async function askForMore(
  open: readonly AskedName[],
  clients: readonly OpenedClient[],
  surroundings: Surroundings,
  prompt: Prompt,
): Promise<Pick<Asked, 'answers' | 'replaced'>> {
  const titles = open.map((name) => SETTINGS[name].title).join(', ');
  if (open.length === 0 || !(await prompt.confirm(`Not set, and optional: ${titles}. Set any of them now?`)))
    return { answers: {}, replaced: {} };
  return askForEach(open, clients, surroundings, prompt);
}

/** What the entries of other clients hold, where they agree. A credential goes into no other file unasked. */
function takenFromOthers(names: readonly AskedName[], clients: readonly OpenedClient[], { machine, print }: Surroundings): Answers {
  const held = clients.flatMap(({ client, document }) =>
    document.entry === undefined ? [] : [entryConfig(client, document.entry, { given: {}, machine }).config.given],
  );
  const taken = names.flatMap((name) => {
    const values = new Set(held.flatMap((given) => given[name] ?? []));
    return isCredential(name) || values.size !== 1 ? [] : [[name, [...values][0]] as const];
  });
  if (taken.length > 0) print(`Taken from the entries that are there: ${taken.map(([name]) => variableOf(name)).join(', ')}.\n\n`);
  return Object.fromEntries(taken);
}

/** These answers, without what the entry has already. */
export const answersFor = (one: OpenedClient, answers: Answers, surroundings: Surroundings, replaced: Replaced = {}): Answers =>
  Object.fromEntries(
    (Object.entries(answers) as [SettingName, string | undefined][]) // Object.entries widens
      .filter(([name]) => !hasIt(name, one, surroundings) || (isCredential(name) && replaced[name]?.has(one.file) === true)),
  );

/** Whether the entry has this setting; a reference to a credential is none where the file is to hold it. */
function hasIt(name: SettingName, { client, document }: OpenedClient, surroundings: Surroundings): boolean {
  const has = isCredential(name) && isFileOnly(client, surroundings) ? holdsValue : hasSetting;
  return has(document.entry ?? {}, name);
}

function isMissing(name: AskedName, one: OpenedClient, surroundings: Surroundings): boolean {
  if (surroundings.config.given[name] !== undefined || hasIt(name, one, surroundings)) return false;
  return !isCredential(name) || sourceOf(name, one.client, one.document.entry ?? {}, surroundings) === 'file';
}

export const MAX_ATTEMPTS = 3;

/** Whether a person is asked for another value of a setting where an API did not work with it; one of the environment is changed there. */
export const isAskedAgain = (variable: string | undefined, { config }: Surroundings): boolean =>
  TRIED.some((name) => variableOf(name) === variable && config.given[name] === undefined);

const TRIED = ['baseUrl', 'statsUrl', 'apiKey'] as const;

/** An entry as it is to be. */
interface CredentialHolder {
  readonly file: string;
  /** The settings of the entry that is there. */
  readonly before: EntryConfig | undefined;
  readonly client: AiClient;
  readonly wanted: ServerEntry;
  readonly found: EntryConfig;
}

/** Why a credential that is there is asked for again, and what an empty answer is then. */
const AGAIN = {
  refused: () => ' (empty to leave it)',
  expired: () => ' (empty to leave it)',
  renewed: (titles: Sentence) => ` of ${titles}, if it was renewed (empty to keep it)`,
} as const;

/** The time at which a JWT expired; undefined of what is none, or has not. */
function expiryOf(credential: string | undefined): string | undefined {
  const expires = credential === undefined ? undefined : credentialInfo(credential).expires;
  return expires !== undefined && Date.parse(expires) < Date.now() ? expires : undefined;
}

/**
 * Asks for another credential in the place of each that a file is to hold and that was refused, has expired, or may have been renewed, and
 * returns it by file. One that the environment of this command has is to be changed there.
 */
export async function askAgain(
  name: CredentialName,
  ones: readonly CredentialHolder[],
  why: keyof typeof AGAIN,
  surroundings: Surroundings,
  prompt: Prompt,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  if (surroundings.config.given[name] !== undefined) return answers;
  const heldBy = ({ found }: CredentialHolder) => found.config.settings[name];
  // Who was asked for what has expired is not asked for it once more.
  const isMeant = (value: string | undefined): boolean =>
    why === 'refused' || name !== 'accessToken' || (expiryOf(value) !== undefined) === (why === 'expired');
  const holders = ones.filter((one) => holdsValue(one.wanted, name) && isMeant(heldBy(one)));
  for (const old of new Set(holders.map(heldBy))) {
    const same = holders.filter((one) => heldBy(one) === old);
    const titles = joined(
      same.map(({ client }) => client.title),
      ', ',
    );
    if (why !== 'renewed') surroundings.print(`${againText(name, titles, expiryOf(old), same)}\n`);
    const answer = await askFor(name, prompt, surroundings, AGAIN[why](titles));
    if (answer !== undefined) for (const { file } of same) answers.set(file, answer);
  }
  return answers;
}

function againText(name: CredentialName, titles: Sentence, expires: string | undefined, ones: readonly CredentialHolder[]): Sentence {
  const what = sentence`The ${name === 'apiKey' ? 'key' : 'access token'} of ${titles}`;
  if (expires !== undefined) return expiredText(name, titles, expires);
  return sentence`${what} was refused. ${ones.some(({ before }) => before !== undefined) ? 'If it was renewed, enter the new one.' : 'Enter the right one.'}`;
}

/** Asks for another address in the place of each at which no API answered; empty leaves it. One that the environment of this command has stays. */
export async function askForAddresses(names: readonly AddressName[], surroundings: Surroundings, prompt: Prompt): Promise<Answers> {
  const answers: Answers = {};
  for (const name of names.filter((one) => surroundings.config.given[one] === undefined))
    answers[name] = await askFor(name, prompt, surroundings, ', corrected (empty to leave it)');
  return definedFields(answers);
}

/** What the person answers; undefined where it is left out. `otherwise` says what an empty answer is to a required one. */
async function askFor(name: AskedName, prompt: Prompt, { status, machine }: Surroundings, otherwise?: string): Promise<string | undefined> {
  const required = REQUIRED.includes(name) && otherwise === undefined;
  const question = `${SETTINGS[name].title}${otherwise ?? ASKED[name]}`;
  let next: string | undefined;
  // What is required and was mistyped costs none of the answers before it.
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const entered = next ?? (await (isCredential(name) ? prompt.hidden(`${question} (not shown):`) : prompt.line(`${question}:`)));
    next = undefined;
    const text = isCredential(name) ? bareCredential(entered) : entered;
    if (text === '' && !required) return undefined;
    const root = SETTINGS[name].kind === 'url' ? withoutApiPath(text) : text;
    const checked = text === '' ? { problem: 'is needed.' } : checkAnswer(name, root, machine.home);
    if ('value' in checked && root !== text)
      status.write(`Taken without ${/\/v1/i.test(text) ? '/v1, which this server adds itself' : 'what follows the path'}.\n`);
    if ('value' in checked) {
      const expires = isCredential(name) ? expiryOf(checked.value) : undefined;
      if (expires === undefined) return checked.value;
      // Whoever notices what it was pastes the new one there.
      const answer = await prompt.hidden(
        `This JWT expired on ${expires.slice(0, 10)}. Take it all the same? Or enter the new one (not shown) [y/N]`,
      );
      if (/^y(es)?$/i.test(answer)) return checked.value;
      if (answer.length > MAX_NO) next = answer;
      continue;
    }
    if ('absent' in checked) {
      if (await madeFolder(checked.absent, prompt)) return checked.absent;
      continue;
    }
    status.write(`It ${checked.problem}\n`);
    if (required && text !== '') attempt -= 1;
  }
  if (required)
    throw new VideoHostingError('settings_missing', sentence`${variableOf(name)} was not given.`, { hint: 'Nothing was written.' });
  status.write(`Left out. ${LATER}\n`);
  return undefined;
}

/** An answer that is longer is no way to say no. */
const MAX_NO = 4;

/** A credential without what often stands around it where it is copied from: quotation marks, and the words of the header. */
export function bareCredential(text: string): string {
  const [, , unquoted = text] = /^(['"`])(.*)\1$/.exec(text) ?? [];
  return unquoted.replace(/^(?:authorization:\s*)?bearer\s+/i, '').trim();
}

type CheckedAnswer =
  | { readonly value: string }
  | { readonly problem: string }
  | { /** A folder that could be made. */ readonly absent: string };

/** A path may begin with `~`, as at a shell. A file has to be there. */
function checkAnswer(name: AskedName, text: string, home: string): CheckedAnswer {
  if (name === 'accessToken' && credentialInfo(text).kind !== 'JWT')
    return { problem: 'is no JWT: that has three parts with dots between.' };
  if (name !== 'filesDirs' && name !== 'videoCatalogue') return checkSetting(name, text);
  // A terminal puts the path of a file that is dropped on it in quotation marks.
  const [, , dropped = text] = /^(['"])(.+)\1$/.exec(text) ?? [];
  const path = /^~(?:$|[\\/])/.test(dropped) ? join(home, dropped.slice(1)) : resolve(dropped);
  const info = statSync(path, { throwIfNoEntry: false });
  if (name === 'filesDirs' && info === undefined) return { absent: path };
  if (name === 'filesDirs') return info?.isDirectory() ? { value: path } : { problem: 'must be a folder.' };
  return info?.isFile() ? { value: path } : { problem: 'must be a file that is there.' };
}

/** Whether a folder was made that was not there, since the person wants that. */
async function madeFolder(folder: string, prompt: Prompt): Promise<boolean> {
  if (!(await prompt.confirm(`There is no folder ${folder}. Make it?`))) return false;
  try {
    await makeFolder(folder);
    return true;
  } catch (cause) {
    throw new VideoHostingError(
      'client_config',
      sentence`The folder ${inQuotes(folder, MAX_PATH)} can’t be made (${word(codeOf(cause) ?? 'no code')}).`,
      {
        cause,
        hint: 'Nothing was written. Make it, or name another one.',
      },
    );
  }
}

/** Offers to make folders that were named on the command line or in the environment, and are not there. */
export async function offerFolders({ config, print }: Surroundings, prompt: Prompt | undefined): Promise<void> {
  const folders = (config.given.filesDirs ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders.filter((one) => statSync(one, { throwIfNoEntry: false }) === undefined))
    if (prompt !== undefined && config.options.yes !== true && (await madeFolder(folder, prompt))) print(`Made: ${folder}\n`);
}

const MAX_PATH = 4_096;

/** The settings of an entry. Throws `client_config` where the client would take a part of a value for a variable. */
export function entrySettings(
  { client, document, asksAnew }: OpenedClient & { readonly asksAnew?: boolean },
  answers: Answers,
  surroundings: Surroundings,
): EntrySettings {
  const { given } = surroundings.config;
  const idOf = (name: CredentialName): string => {
    const id = ownInputId(document.entry ?? {}, name) ?? INPUT_ID[name];
    return asksAnew === true ? nextId(id) : id;
  };
  return settingsWith({ client, entry: document.entry ?? {}, idOf }, surroundings, (name) => {
    const value = inFull(name, given[name] ?? answers[name]);
    if (value === undefined || client.variable?.test(value) !== true) return value;
    throw new VideoHostingError(
      'client_config',
      sentence`${variableOf(name)}: ${client.title} would take a part of it for a variable, from a $ on.`,
      {
        hint: 'Nothing was written there. Use --credentials environment for a credential, or another path.',
      },
    );
  });
}

/** A client starts the server in another folder than this one. */
const inFull = (name: SettingName, value: string | undefined): string | undefined =>
  value !== undefined && SETTINGS[name].kind === 'file' ? resolve(value) : value;

/** The settings of an entry that somebody pastes: a credential, or a required value that is not set, is shown as `<VARIABLE>`. */
export function manualSettings(client: AiClient, surroundings: Surroundings): EntrySettings {
  const { given } = surroundings.config;
  return settingsWith({ client, entry: {}, idOf: (name) => INPUT_ID[name] }, surroundings, (name) => {
    const value = given[name];
    const isHidden = value === undefined ? REQUIRED.includes(name) : isCredential(name) || client.variable?.test(value) === true;
    return isHidden ? `<${variableOf(name)}>` : value;
  });
}

interface Holder {
  readonly client: AiClient;
  readonly entry: ServerEntry;
  readonly idOf: (name: CredentialName) => string;
}

function settingsWith(
  { client, entry, idOf }: Holder,
  surroundings: Surroundings,
  textOf: (name: SettingName) => string | undefined,
): EntrySettings {
  const env: Record<string, string> = {};
  const forwarded: string[] = [];
  const inputs: ClientInput[] = [];
  const sources: Record<string, CredentialSource> = {};
  const { secrets } = client;
  const { given, settings } = surroundings.config;
  // A token for a server at an address is of no use to one that a client starts.
  const names = settings.demo ? [] : (Object.keys(SETTINGS) as SettingName[]).filter((name) => name !== 'clientToken'); // Object.keys widens
  for (const name of names) {
    const variable = variableOf(name);
    const source = isCredential(name) ? sourceOf(name, client, entry, surroundings) : undefined;
    const isInFile = source === undefined || source === 'file';
    const value = isInFile ? textOf(name) : undefined;
    // What a move may need is referred to where the person keeps credentials there, set by now or not.
    const isWanted = name === 'apiKey' || given[name] !== undefined || surroundings.config.options.credentials === 'environment';
    if (isInFile ? value === undefined : !isWanted) continue;
    if (source !== undefined) sources[variable] = source;
    if (value !== undefined) env[variable] = value;
    else if (secrets.kind === 'forward') forwarded.push(variable);
    else if (secrets.kind === 'reference') env[variable] = secrets.write(variable);
    else if (secrets.kind === 'prompt' && isCredential(name)) {
      const id = idOf(name);
      inputs.push({ type: 'promptString', id, description: `${SETTINGS[name].title} of the video hosting account`, password: true });
      env[variable] = `\${input:${id}}`;
    }
  }
  return { demo: settings.demo, env, forwarded, inputs, sources, secret: Object.values(sources).includes('file') };
}
