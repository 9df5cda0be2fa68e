import { checkServer } from '../../app/setup/check-server.ts';
import { MCP_PATH } from '../../config/http-address.ts';
import { SETTINGS } from '../../config/settings.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { refusal, VideoHostingError } from '../../errors.ts';
import { clientTokenProblem } from '../../people/secrets.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { findingLines } from '../doctor/report.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { bareCredential, MAX_ATTEMPTS } from './ask-setting.ts';
import { applyChange, type ConfigChange, createApprove, forEachClient, type OpenedClient, openConfig } from './change-config.ts';
import { type ChosenClient, chooseClients } from './choose-clients.ts';
import type { AiClient, RemoteForm } from './clients.ts';
import { nextId } from './credential-source.ts';
import { SERVER, type ServerEntry } from './document.ts';
import { isWanted, NOBODY } from './install.ts';
import { sourcesText } from './manual-entry.ts';
import { difference, masked, snippet } from './preview.ts';
import { createPrompt, type Prompt } from './prompt.ts';
import { inputFor, remoteEntry, remoteIn, TOKEN_INPUT, type TokenPlace } from './remote-entry.ts';

const { title, variable: VARIABLE } = SETTINGS.clientToken;

/** A client with the way in which its entry for an address is written. */
interface RemoteClient extends OpenedClient {
  readonly form: RemoteForm;
}

/**
 * Puts a server for several people into the configuration of AI clients, with the token of one of them: asks the server first, shows each
 * change, asks, makes a backup and writes. Ends as `install` does.
 */
export async function installRemote(surroundings: Surroundings, url: string): Promise<ExitCode> {
  const { config, terminal, log, print, signal } = surroundings;
  const { options } = config;
  if (config.settings.demo)
    throw invalidArguments([{ field: sentence`url`, problem: sentence`goes without --demo: the made-up account is of this machine.` }]);
  const { able, isAsNamed } = chooseRemote(surroundings);
  const canAsk = terminal !== undefined || options.yes === true;
  if (options.print === true || (!canAsk && able.length > 0)) {
    for (const one of able) print(`${manualEntry(one, url, surroundings)}\n\n`);
    if (options.print === true) return isAsNamed ? EXIT.done : EXIT.failed;
    log(NOBODY);
    return EXIT.usage;
  }
  const onError = (one: (typeof able)[number], { message, hint }: VideoHostingError): void => {
    log(`${message} ${hint}`);
    print(`By hand:\n\n${manualEntry(one, url, surroundings)}\n\n`);
  };
  const opened: RemoteClient[] = [];
  const areOpen = await forEachClient(able, async (one) => opened.push({ ...(await openConfig(one)), form: one.form }) > 0, onError);
  if (opened.length === 0) return EXIT.failed;
  const prompt = terminal && createPrompt(terminal, signal);
  const token = await tokenFor(opened, url, surroundings, prompt);
  if (token === 'refused') return EXIT.failed;
  const isAsked = prompt !== undefined && options.yes !== true;
  const planned: (RemoteClient & { readonly change: ConfigChange | undefined; readonly place: TokenPlace })[] = [];
  for (const one of opened) {
    const place = await placeFor(one, url, token, surroundings, isAsked ? prompt : undefined);
    planned.push({ ...one, place, change: changeOf(one, url, place) });
  }
  const changes = planned.filter(({ change }) => change !== undefined);
  const approve = createApprove(surroundings, prompt);
  const put = async (one: (typeof planned)[number]): Promise<boolean> => {
    if (one.change === undefined) print(`${one.client.title}: ${one.file} has it already; nothing to do.${whereItIs(one)}\n\n`);
    else if (await applyChange(one, one.change, surroundings, (question) => approve(question, one === changes.at(-1))))
      print(`${one.client.next}\n\n`);
    return true;
  };
  const areDone = await forEachClient(planned, put, onError);
  return isAsNamed && areOpen && areDone ? EXIT.done : EXIT.failed;
}

/** What people call the hosted assistants, in small letters alone. */
const HOSTED: Readonly<Record<string, Sentence>> = { claudeai: sentence`claude.ai`, chatgpt: sentence`ChatGPT` };
const NO_TOKEN = sentence`It takes no token: it calls from its own cloud and signs people in by OAuth, which this server does not offer.`;

/** The clients that take an entry for an address; of the others it is said why they can’t. */
function chooseRemote(surroundings: Surroundings) {
  const { config, print } = surroundings;
  const { clients } = config.options;
  const hostedIn = (name: string): Sentence[] => {
    const known = HOSTED[name.toLowerCase().replaceAll(/[^a-z]/g, '')];
    return known === undefined ? [] : [known];
  };
  const hosted = clients?.flatMap(hostedIn) ?? [];
  for (const name of hosted) print(`${name}: not connected. ${NO_TOKEN}\n\n`);
  const others = clients?.filter((name) => hostedIn(name).length === 0);
  const chosen =
    others?.length === 0 && hosted.length > 0
      ? []
      : chooseClients({ ...surroundings, config: { ...config, options: { ...config.options, ...(others && { clients: others }) } } });
  const able: (ChosenClient & { readonly form: RemoteForm })[] = [];
  for (const one of chosen) {
    const { remote } = one.client;
    if (typeof remote !== 'string') able.push({ ...one, form: remote });
    else print(`${one.client.title}: not connected. ${remote}\n\n`);
  }
  // Who names none gets those that can.
  return { able, isAsNamed: able.length > 0 && (clients === undefined || able.length === chosen.length + hosted.length) };
}

const addressOf = (url: string): string => `${url}${MCP_PATH}`;

/** The token of an entry for this server, where the entry holds it. */
function heldIn({ document }: OpenedClient, url: string): string | undefined {
  const remote = remoteIn(document.entry);
  return remote?.address === addressOf(url) && remote.token?.kind === 'file' ? remote.token.token : undefined;
}

/**
 * The token that entries are to get, once the server knows it: from the environment, or of the person at the terminal; undefined where each
 * entry keeps its own. `refused`: nothing may be written.
 */
async function tokenFor(
  opened: readonly RemoteClient[],
  url: string,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): Promise<string | 'refused' | undefined> {
  const { config, log } = surroundings;
  const given = config.given.clientToken;
  if (given !== undefined) {
    const problem = clientTokenProblem(given);
    if (problem !== undefined) throw refusal('settings_invalid', sentence`${VARIABLE} ${problem}`, NOT_WRITTEN);
  }
  const lacking = opened.filter((one) => heldIn(one, url) === undefined && sourceOf(one, url, surroundings) === 'file');
  if (given === undefined && prompt === undefined && lacking.length > 0)
    throw refusal('settings_missing', sentence`Not set: ${VARIABLE}.`, ASK_FOR_IT);
  const asks = given === undefined && prompt !== undefined;
  const isOptional = lacking.length === 0;
  let token = given;
  if (asks && !(isOptional && config.options.yes === true)) token = await askForToken(prompt, surroundings, isOptional ? KEEP : '');
  for (let attempt = 1; ; attempt += 1) {
    const tried = token === undefined ? [...new Set(opened.map((one) => heldIn(one, url)))] : [token];
    const known = tried.filter((one) => one !== undefined);
    const result = await tryTokens(known.length === 0 ? [undefined] : known, url, surroundings);
    if (result === 'fine') return token;
    if (result === 'wrong') return (await isWanted(surroundings, prompt)) ? token : 'refused';
    if (!asks || attempt >= MAX_ATTEMPTS) {
      log(`Nothing was written, since the token is refused. ${given === undefined ? ASK_FOR_IT : NEW_ONE}`);
      return 'refused';
    }
    token = await askForToken(prompt, surroundings, '');
  }
}

const NOT_WRITTEN = sentence`Nothing was written. Set it to the person’s client token.`;
const ASK_FOR_IT = sentence`Set ${VARIABLE} to the token in the environment of this command, or run it at a terminal to be asked for it.`;
const NEW_ONE = sentence`Set ${VARIABLE} to the new one (people rotate prints one).`;
const KEEP = ', if it is new (empty to keep what is there)';

/** Asks the server, and says what came of it. */
async function tryTokens(
  tokens: readonly (string | undefined)[],
  url: string,
  { config, print, signal }: Surroundings,
): Promise<'fine' | 'refused' | 'wrong'> {
  if (config.options.skipCheck === true) return 'fine';
  const results = [];
  for (const token of tokens) results.push(await checkServer({ url, token, proxy: config.settings.proxy }, signal));
  for (const text of new Set(results.map(({ findings }) => findingLines(findings).join('\n')))) print(`${text}\n\n`);
  if (results.some(({ isTokenRefused }) => isTokenRefused)) return 'refused';
  return results.some(({ findings }) => findings.some(({ level }) => level === 'wrong')) ? 'wrong' : 'fine';
}

/** Nothing of it is shown, and none comes from the command line. */
async function askForToken(prompt: Prompt, { status }: Surroundings, otherwise: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const token = bareCredential(await prompt.hidden(`${title} (vhm_…)${otherwise} (not shown):`));
    if (token === '' && otherwise !== '') return undefined;
    const problem = token === '' ? sentence`is needed.` : clientTokenProblem(token);
    if (problem === undefined) return token;
    status.write(`It ${problem}\n`);
  }
  throw new VideoHostingError('settings_missing', sentence`${VARIABLE} was not given.`, { hint: 'Nothing was written.' });
}

/** Where a token goes: where the entry has it, or by the same rule as a key of the account. */
function sourceOf({ client, document }: OpenedClient, url: string, { config }: Surroundings): TokenPlace['kind'] {
  if (client.secrets.kind === 'prompt') return 'client';
  const { credentials } = config.options;
  if (credentials !== undefined) return credentials;
  const remote = remoteIn(document.entry);
  if (remote?.address === addressOf(url) && remote.token !== undefined) return remote.token.kind;
  return config.given.clientToken === undefined ? 'file' : 'environment';
}

async function placeFor(
  one: RemoteClient,
  url: string,
  token: string | undefined,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): Promise<TokenPlace> {
  const source = sourceOf(one, url, surroundings);
  const before = remoteIn(one.document.entry);
  const isSame = before?.address === addressOf(url);
  // What could be neither asked for nor found was refused before.
  if (source === 'file') return { kind: 'file', token: token ?? heldIn(one, url) ?? '' };
  if (source === 'environment')
    return { kind: 'environment', variable: before?.token?.kind === 'environment' && isSame ? before.token.variable : VARIABLE };
  const input = before?.token?.kind === 'client' ? before.token.input : TOKEN_INPUT;
  // What is stored under it is the token for the other server, which this one is not to get.
  if (before !== undefined && !isSame) return { kind: 'client', input: nextId(input) };
  if (!isSame || prompt === undefined) return { kind: 'client', input };
  const isNew = await prompt.confirm(`${one.client.title} keeps the token itself. Was it renewed, so that it has to ask for it again?`);
  return { kind: 'client', input: isNew ? nextId(input) : input };
}

function whereItIs({ client, place }: { readonly client: AiClient; readonly place: TokenPlace }): string {
  if (place.kind === 'file') return '';
  return place.kind === 'environment'
    ? ` It takes the token from ${place.variable} in its environment: set it there to the new one, if it was renewed.`
    : ` ${client.title} keeps the token itself: if it was renewed, run install at a terminal, without --yes.`;
}

const inputsOf = (place: TokenPlace) => (place.kind === 'client' ? [inputFor(place.input)] : []);

function changeOf({ client, config, document, form }: RemoteClient, url: string, place: TokenPlace): ConfigChange | undefined {
  const { entry } = document;
  const wanted = remoteEntry(client, form, { address: addressOf(url), token: place }, entry);
  const inputs = inputsOf(place);
  const text = document.with(wanted, inputs);
  if (text === config.text) return undefined;
  const before = entry === undefined ? '' : snippet(client, masked(entry));
  const after = snippet(client, masked(wanted, entry), inputs);
  const isProgram = entry !== undefined && remoteIn(entry) === undefined;
  return {
    text,
    secret: place.kind === 'file',
    preview: [
      difference(before, after),
      ...(isProgram ? ['', `! ${PROGRAM_GOES}`] : []),
      ...sourcesText(client, { sources: { [place.kind === 'environment' ? place.variable : VARIABLE]: place.kind } }),
    ].join('\n'),
    question: `${entry === undefined ? 'Add' : 'Change'} "${SERVER}" in the configuration of ${client.title}?`,
  };
}

const PROGRAM_GOES = sentence`The server that this client starts itself is taken out for it, with its settings. What it keeps of the account stays.`;

/** What somebody pastes who does it by hand. It holds no token. */
function manualEntry({ client, file, form }: ChosenClient & { readonly form: RemoteForm }, url: string, { config }: Surroundings): string {
  const source =
    client.secrets.kind === 'prompt' ? 'client' : (config.options.credentials ?? (config.given.clientToken ? 'environment' : 'file'));
  const places = {
    file: { kind: 'file', token: `<${VARIABLE}>` },
    environment: { kind: 'environment', variable: VARIABLE },
    client: { kind: 'client', input: TOKEN_INPUT },
  } as const satisfies Record<TokenPlace['kind'], TokenPlace>;
  const place = places[source];
  const entry: ServerEntry = remoteEntry(client, form, { address: addressOf(url), token: place });
  return [
    `${client.title}: ${file}`,
    '',
    snippet(client, entry, inputsOf(place)),
    ...sourcesText(client, { sources: { [VARIABLE]: source } }),
  ].join('\n');
}
