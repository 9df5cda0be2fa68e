import { SETTINGS } from '../../config/settings.ts';
import type { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { setToldIn } from '../../text/own-command.ts';
import { sentence } from '../../text/sentence.ts';
import { examine } from '../doctor/examine.ts';
import { findingLines, summaryOf } from '../doctor/report.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { applyChange, type ConfigChange, createApprove, forEachClient, type OpenedClient, openConfig } from './change-config.ts';
import { type ChosenClient, chooseClients } from './choose-clients.ts';
import type { AiClient } from './clients.ts';
import { SERVER, type ServerEntry } from './document.ts';
import { entryFor, launchOf } from './entry.ts';
import type { Launch } from './entry-command.ts';
import { type EntryConfig, entryConfig, neededOf } from './entry-config.ts';
import {
  type Answers,
  type Asked,
  answersFor,
  askAgain,
  askForAddresses,
  askForMissing,
  askForMore,
  checkSource,
  type EntrySettings,
  entrySettings,
  isAskedAgain,
  MAX_ATTEMPTS,
  manualSettings,
  offerFolders,
} from './entry-settings.ts';
import { difference, masked, snippet } from './preview.ts';
import { createPrompt, type Prompt } from './prompt.ts';
import { remoteIn } from './remote-entry.ts';
import { accountChange, distinct, tryAccounts } from './try-account.ts';

export const NOBODY = 'Nothing was written, since nobody can be asked here. Run it at a terminal, or with --yes.';

/** A client with the entry that it is to have. */
interface PlannedClient extends OpenedClient {
  readonly wanted: ServerEntry;
  /** Undefined where it has that entry already. */
  readonly change: ConfigChange | undefined;
  /** The settings of the entry that is there, as far as it holds them itself. */
  readonly before: EntryConfig | undefined;
  readonly found: EntryConfig;
  readonly answers: Answers;
}

/** The same, with what came of its account. */
interface TriedClient extends PlannedClient {
  readonly isUsable: boolean;
  readonly isKeyRefused: boolean;
}

/**
 * Puts this server into the configuration of AI clients: tries the account, shows each change, asks, makes a backup, writes, and ends
 * with the checks of `doctor`. Ends with 0 when each client is as the person decided, 1 when the account can’t be used, the checks found
 * something wrong or one could not be written, 2 when nobody could be asked.
 */
export async function install(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print, signal } = surroundings;
  const { options } = config;
  const chosen = chooseClients(surroundings);
  const launch = launchOf(import.meta.dirname);
  const canAsk = terminal !== undefined || options.yes === true;
  if (options.print === true || !canAsk) {
    for (const one of chosen) print(`${manualEntry(one, launch, surroundings)}\n\n`);
    if (options.print === true) return EXIT.done;
    log(NOBODY);
    return EXIT.usage;
  }
  print(`Clients will start this copy: ${launch.args.join(' ')}. Run install again if you move it.\n\n`);
  const failed = new Set<string>();
  const onError = (one: ChosenClient, { message, hint }: VideoHostingError): void => {
    failed.add(one.file);
    log(`${message} ${hint}`);
    print(`By hand:\n\n${manualEntry(one, launch, surroundings)}\n\n`);
  };
  const opened: OpenedClient[] = [];
  const open = async (one: ChosenClient): Promise<boolean> => {
    checkSource(one.client, surroundings);
    return opened.push(await openConfig(one)) > 0;
  };
  const areOpen = await forEachClient(chosen, open, onError);
  const prompt = terminal && createPrompt(terminal, signal);
  const { answers, open: optional, replaced, isTokenAsked } = await askForMissing(opened, surroundings, prompt);
  await offerFolders(surroundings, prompt);
  const plan = async (ones: readonly Answered[]): Promise<Planned> => {
    const planned: PlannedClient[] = [];
    const arePlanned = await forEachClient(ones, async (one) => planned.push(planOf(one, launch, surroundings)) > 0, onError);
    return { planned, arePlanned };
  };
  const ones: readonly Answered[] = opened.map((one) => ({ ...one, answers: answersFor(one, answers, surroundings, replaced) }));
  const untold = await plan(ones);
  const anew = await renewed(untold.planned, surroundings, prompt);
  const first = anew.size === 0 ? untold : await plan(ones.map((one) => ({ ...one, asksAnew: anew.has(one.file) })));
  const valid = isTokenAsked ? first : await withoutExpired(first, plan, surroundings, prompt);
  const found = await tryAll(valid, plan, surroundings, prompt);
  const { tried, arePlanned } = await moreOf(found, optional, plan, surroundings, prompt);
  const changes = tried.filter(({ change }) => change !== undefined);
  if (changes.some(({ isUsable }) => !isUsable) && !(await isWanted(surroundings, prompt))) return EXIT.failed;
  const isAsked = prompt !== undefined && options.yes !== true;
  const approve = createApprove(surroundings, prompt);
  const declined = new Set<string>();
  const put = async (one: TriedClient): Promise<boolean> => {
    if (one.change === undefined)
      print(
        `${one.client.title}: ${one.file} ${one.isUsable ? NOTHING_TO_DO : UNUSABLE}${isAsked || !isKeeper(one) ? '' : KEEPS_KEY(one.client.title)}\n\n`,
      );
    else if (
      await applyChange(one, await withAccount(one, one.change), surroundings, (question) => approve(question, one === changes.at(-1)))
    )
      print(`${[one.client.next, one.client.asks ?? []].flat().join(' ')}\n\n`);
    else declined.add(one.file);
    return one.change !== undefined || one.isUsable;
  };
  const areDone = await forEachClient(tried, put, onError);
  const unusable = tried.filter(({ change, isUsable }) => change === undefined && !isUsable);
  if (unusable.some(({ isKeyRefused }) => isKeyRefused)) log(RENEWED);
  // What is wrong was said before, where nothing was written since. An entry that could not be written is none to be checked.
  const there = tried.filter(({ file }) => !failed.has(file));
  const held = there.flatMap((one) => (declined.has(one.file) ? asItIs(one, surroundings) : [one]));
  const isChecked = options.skipCheck !== true && (changes.length > 0 || unusable.length === 0);
  const isFine = !isChecked || (await checkAll(held, surroundings));
  return areOpen && arePlanned && areDone && isFine ? EXIT.done : EXIT.failed;
}

const NOTHING_TO_DO = 'has it already; nothing to do.';
const UNUSABLE = 'is as it was, and what it has does not work.';
const RENEWED = `Nothing was changed where the key was refused. Set ${SETTINGS.apiKey.variable} to the new key in the environment of this command, or run it at a terminal without it to be asked for the key.`;

interface Answered extends OpenedClient {
  readonly answers: Answers;
  /** Whether the client, which keeps the credentials itself, is to ask for them again. */
  readonly asksAnew?: boolean;
}

/** The files of the clients that keep the key themselves and have the old one, as the person says. */
async function renewed(
  planned: readonly PlannedClient[],
  { config }: Surroundings,
  prompt: Prompt | undefined,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  if (prompt === undefined || config.options.yes === true) return files;
  for (const { client, file } of planned.filter(isKeeper))
    if (await prompt.confirm(`${client.title} keeps the key itself. Was it renewed, so that it has to ask for it again?`)) files.add(file);
  return files;
}

const isKeeper = ({ client, change, found }: PlannedClient): boolean =>
  client.secrets.kind === 'prompt' && change === undefined && !found.config.settings.demo;

/** How a renewed key gets to a client that keeps it, where nobody was asked. */
const KEEPS_KEY = (title: string): string => ` ${title} keeps the key itself: if it was renewed, run install at a terminal, without --yes.`;

interface Planned {
  readonly planned: readonly PlannedClient[];
  /** Whether each client could be planned. */
  readonly arePlanned: boolean;
}

/** Asks a person first for another access token where that of an entry has expired, which no request that is tried would tell. */
async function withoutExpired(
  found: Planned,
  plan: (ones: readonly Answered[]) => Promise<Planned>,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): Promise<Planned> {
  if (prompt === undefined || surroundings.config.options.yes === true) return found;
  // One that was entered just now was warned of.
  const there = found.planned.filter(({ before, answers }) => before !== undefined && answers.accessToken === undefined);
  const tokens = await askAgain('accessToken', there, 'expired', surroundings, prompt);
  if (tokens.size === 0) return found;
  const answered = found.planned.map((one) => ({
    ...one,
    answers: { ...one.answers, ...definedFields({ accessToken: tokens.get(one.file) }) },
  }));
  const again = await plan(answered);
  return { planned: again.planned, arePlanned: found.arePlanned && again.arePlanned };
}

/**
 * Tries the account of each entry. A person is asked for another key where one that the file is to hold was refused, for another address
 * where no API answered at one, and about addresses that were given in each other’s place.
 */
async function tryAll(
  { planned, arePlanned }: Planned,
  plan: (ones: readonly Answered[]) => Promise<Planned>,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
  attempt = 1,
): Promise<{ readonly tried: readonly TriedClient[]; readonly arePlanned: boolean }> {
  const { options } = surroundings.config;
  if (options.skipCheck === true) return { tried: planned.map((one) => ({ ...one, isUsable: true, isKeyRefused: false })), arePlanned };
  const asks = prompt !== undefined && options.yes !== true && attempt <= MAX_ATTEMPTS;
  setToldIn((variable) => (asks && isAskedAgain(variable, surroundings) ? 'questions' : 'install'));
  const results = await tryAccounts(
    planned.map(({ found }) => found),
    surroundings,
  );
  setToldIn(() => 'install');
  const shown = results.filter(({ isFine }, index) => !isFine || planned[index]?.change !== undefined);
  for (const text of new Set(shown.map((one) => one.text))) surroundings.print(text);
  const tried = planned.map((one, index) => {
    const { isFine = true, isKeyRefused = false } = results[index] ?? {};
    return { ...one, isUsable: isFine, isKeyRefused };
  });
  if (!asks) return { tried, arePlanned };
  const swapped = planned.filter(({ answers: { baseUrl, statsUrl } }, index) => results[index]?.areSwapped && baseUrl && statsUrl);
  const isExchanged = swapped.length > 0 && (await prompt.confirm('Exchange the two addresses?'));
  const wrong = (['baseUrl', 'statsUrl'] as const).filter((name) => results.some(({ wrongAddresses }) => wrongAddresses.includes(name)));
  const addresses = await askForAddresses(wrong, surroundings, prompt);
  const refused = tried.filter(({ isKeyRefused }) => isKeyRefused);
  const keys = await askAgain('apiKey', refused, 'refused', surroundings, prompt);
  const isCorrected = Object.keys(addresses).length > 0;
  if (keys.size === 0 && !isExchanged && !isCorrected) return { tried, arePlanned };
  const corrected = (one: PlannedClient): Answers => {
    const { baseUrl, statsUrl } = one.answers;
    const exchanged = isExchanged && swapped.includes(one) ? { baseUrl: statsUrl, statsUrl: baseUrl } : {};
    const wrongHere = results[planned.indexOf(one)]?.wrongAddresses ?? [];
    const right = Object.fromEntries(Object.entries(addresses).filter(([name]) => wrongHere.some((wrongOne) => wrongOne === name)));
    return { ...one.answers, ...exchanged, ...right, ...definedFields({ apiKey: keys.get(one.file) }) };
  };
  const again = await plan(planned.map((one) => ({ ...one, answers: corrected(one) })));
  return tryAll({ planned: again.planned, arePlanned: arePlanned && again.arePlanned }, plan, surroundings, prompt, attempt + 1);
}

/**
 * Asks a person for what entries that work could get: another key or access token, which is what somebody comes for who changes nothing else, and then what
 * is optional.
 */
async function moreOf(
  found: Awaited<ReturnType<typeof tryAll>>,
  optional: Asked['open'],
  plan: (ones: readonly Answered[]) => Promise<Planned>,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): ReturnType<typeof tryAll> {
  const { tried, arePlanned } = found;
  const isNothingThere = tried.every(({ before }) => before === undefined);
  if (prompt === undefined || surroundings.config.options.yes === true || isNothingThere) return found;
  if (tried.some(({ isUsable }) => !isUsable)) return found;
  const isUnchanged = tried.every(({ change }) => change === undefined);
  const ask = (name: 'apiKey' | 'accessToken') =>
    isUnchanged ? askAgain(name, tried, 'renewed', surroundings, prompt) : new Map<string, string>();
  const keys = await ask('apiKey');
  const tokens = await ask('accessToken');
  const { answers: more, replaced } = await askForMore(optional, tried, surroundings, prompt);
  if (keys.size === 0 && tokens.size === 0 && Object.values(more).every((value) => value === undefined)) return found;
  const answered = tried.map((one) => ({
    ...one,
    answers: {
      ...one.answers,
      ...answersFor(one, more, surroundings, replaced),
      ...definedFields({ apiKey: keys.get(one.file), accessToken: tokens.get(one.file) }),
    },
  }));
  const again = await plan(answered);
  return tryAll({ planned: again.planned, arePlanned: arePlanned && again.arePlanned }, plan, surroundings, prompt);
}

/** A change with what is to be known of its account, once the account was tried. */
async function withAccount({ before, found }: PlannedClient, change: ConfigChange): Promise<ConfigChange> {
  const told = before && (await accountChange(before, found));
  return told === undefined ? change : { ...change, preview: `${change.preview}\n\n! ${told}` };
}

/** Throws `client_config` where the client can’t be given what is wanted. */
function planOf(one: Answered, launch: Launch, surroundings: Surroundings): PlannedClient {
  const { client, config, document, answers } = one;
  const { entry } = document;
  const settings = entrySettings(one, answers, surroundings);
  const { entry: wanted, told } = entryFor(client, launch, settings, entry);
  const text = document.with(wanted, settings.inputs);
  const old = entry === undefined ? '' : snippet(client, masked(entry));
  const after = snippet(client, masked(wanted, entry), settings.inputs);
  const change = {
    text,
    secret: settings.secret,
    preview: [difference(old, after), ...(told === undefined ? [] : ['', `! ${told}`]), ...sourcesText(client, settings)].join('\n'),
    question: `${entry === undefined ? 'Add' : 'Change'} "${SERVER}" in the configuration of ${client.title}?`,
  };
  const { machine } = surroundings;
  const before = entry && entryConfig(client, entry, { given: {}, machine });
  const found = entryConfig(client, wanted, {
    given: { ...surroundings.config.given, ...definedFields(answers) },
    machine,
  });
  return { ...one, wanted, change: text === config.text ? undefined : change, before, found };
}

/** Whether the person wants it all the same, although the account can’t be used. */
export async function isWanted({ config, print, log }: Surroundings, prompt: Prompt | undefined): Promise<boolean> {
  if (prompt !== undefined && config.options.yes !== true) {
    if (await prompt.confirm('Write it all the same?')) return true;
    print('Nothing was written.\n');
    return false;
  }
  log('Nothing was written, since this does not work. Correct it, or add --skip-check to write it untried.');
  return false;
}

interface HeldEntry extends Pick<PlannedClient, 'client' | 'found'> {
  /** It was to get other settings, and the person declined. */
  readonly isAsItWas?: true;
}

/** A client whose change the person declined, with the entry that it has; none where it has none. */
function asItIs({ client, document: { entry } }: PlannedClient, { config, machine }: Surroundings): HeldEntry[] {
  return entry === undefined || remoteIn(entry) !== undefined
    ? []
    : [{ client, found: entryConfig(client, entry, { given: config.given, machine }), isAsItWas: true }];
}

/** What `doctor --client` says of each; those with the same settings are told once. Returns whether nothing is wrong with those that were written. */
async function checkAll(entries: readonly HeldEntry[], surroundings: Surroundings): Promise<boolean> {
  let isFine = true;
  const configs = entries.map(({ client, found, isAsItWas }) => ({ ...found, title: client.title, isAsItWas }));
  for (const { title, config, elsewhere, isAsItWas } of distinct(configs)) {
    if (neededOf(elsewhere).length > 0) continue;
    const { findings } = await examine(config, surroundings, sentence`in the entry of ${title}`);
    const what = isAsItWas ? `The entry of ${title}, as it was:\n\n` : '';
    surroundings.print(`${what}${findingLines(findings).join('\n')}\n\n${summaryOf(findings)}\n`);
    isFine &&= isAsItWas === true || findings.every(({ level }) => level !== 'wrong');
  }
  return isFine;
}

/** What a credential is needed for, where that is not everything. */
const FOR: Readonly<Record<string, string>> = {
  [SETTINGS.accessToken.variable]: 'A move of videos needs it where the service wants a JWT for that and the API key is none.',
};

const SOURCES = {
  client: (title: string) => `is not in the file; ${title} asks you for it once and keeps it in its secret store.`,
  environment: (title: string) =>
    `is not in the file; ${title} takes it from its own environment, so it has to be set where ${title} is started.`,
} as const;

export function sourcesText({ title, secrets }: AiClient, { sources }: Pick<EntrySettings, 'sources'>): string[] {
  return Object.entries(sources).map(([variable, source], index) => {
    const inFile =
      secrets.kind === 'file'
        ? `${title} has no other place for it.`
        : `To keep it out of the file, run install with --credentials environment, and set ${variable} where you start ${title}.`;
    const words = source === 'file' ? `is kept in that file, which only you may read. ${inFile}` : SOURCES[source](title);
    const purpose = source === 'environment' && FOR[variable] !== undefined ? ` ${FOR[variable]}` : '';
    return `${index === 0 ? '\n' : ''}${variable} ${words}${purpose}`;
  });
}

/** What somebody pastes who does it by hand. It holds no credential. */
function manualEntry({ client, file }: ChosenClient, launch: Launch, surroundings: Surroundings): string {
  const settings = manualSettings(client, surroundings);
  const entry = snippet(client, entryFor(client, launch, settings).entry, settings.inputs);
  return [`${client.title}: ${file}`, '', entry, ...sourcesText(client, settings)].join('\n');
}
