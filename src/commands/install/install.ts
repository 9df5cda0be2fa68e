import type { VideoHostingError } from '../../errors.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { applyChange, type ConfigChange, forEachClient, type OpenedClient, openConfig } from './change-config.ts';
import { type ChosenClient, chooseClients } from './choose-clients.ts';
import type { AiClient } from './clients.ts';
import { SERVER } from './document.ts';
import { entryFor, type Launch, launchOf } from './entry.ts';
import { askForMissing, checkSource, type EntrySettings, entrySettings, INPUT_IDS, manualSettings } from './entry-settings.ts';
import { difference, masked, snippet } from './preview.ts';
import { createPrompt } from './prompt.ts';

const NOBODY = 'Nothing was written, since nobody can be asked here. Run it at a terminal, or with --yes.';

/**
 * Puts this server into the configuration of AI clients: shows each change, asks, makes a backup, writes. Ends with 0 when
 * every client has it, 1 when a change was declined or could not be written, 2 when nobody could be asked.
 */
export async function install(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print } = surroundings;
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
  const onError = (one: ChosenClient, { message, hint }: VideoHostingError): void => {
    log(`${message} ${hint}`);
    print(`By hand:\n\n${manualEntry(one, launch, surroundings)}\n\n`);
  };
  const opened: OpenedClient[] = [];
  const open = async (one: ChosenClient): Promise<boolean> => {
    checkSource(one.client, surroundings);
    return opened.push(await openConfig(one)) > 0;
  };
  const areOpen = await forEachClient(chosen, open, onError);
  const prompt = terminal && createPrompt(terminal);
  const answers = await askForMissing(opened, surroundings, prompt);
  const put = async (one: OpenedClient): Promise<boolean> => {
    const change = installation(one, launch, entrySettings(one.client, answers, surroundings));
    if (change === undefined) print(`${one.client.title}: ${one.file} has it already; nothing to do.\n\n`);
    const isDone = change === undefined || (await applyChange(one, change, surroundings, prompt));
    if (isDone && change !== undefined) print(`${one.client.next}\n\n`);
    return isDone;
  };
  const areDone = await forEachClient(opened, put, onError);
  return areOpen && areDone ? EXIT.done : EXIT.failed;
}

function installation({ client, config, document }: OpenedClient, launch: Launch, settings: EntrySettings): ConfigChange | undefined {
  const { entry } = document;
  const wanted = entryFor(client, launch, settings, entry);
  const text = document.with(wanted, settings.inputs);
  if (text === config.text) return undefined;
  const before = entry === undefined ? '' : snippet(client, masked(entry));
  const after = snippet(client, masked(wanted, entry), settings.inputs);
  return {
    text,
    secret: settings.secret,
    preview: [difference(before, after), ...sourcesText(client, settings)].join('\n'),
    question: `${entry === undefined ? 'Add' : 'Change'} "${SERVER}" in the configuration of ${client.title}?`,
  };
}

function sourcesText({ title }: AiClient, { sources }: EntrySettings): string[] {
  const words = {
    file: `is kept in that file, which only you may read: ${title} has no other place for it, or none that was set up here.`,
    environment: `is not in the file; ${title} takes it from its own environment, so it has to be set where ${title} is started.`,
    client: `is not in the file; ${title} asks you for it once and keeps it in its secret store.`,
  };
  return Object.entries(sources).map(([variable, source], index) => `${index === 0 ? '\n' : ''}${variable} ${words[source]}`);
}

/** What somebody pastes who does it by hand. It holds no credential. */
function manualEntry({ client, file }: ChosenClient, launch: Launch, surroundings: Surroundings): string {
  const settings = manualSettings(client, surroundings);
  const entry = snippet(client, entryFor(client, launch, settings), settings.inputs);
  return [`${client.title}: ${file}`, '', entry, ...sourcesText(client, settings)].join('\n');
}

/**
 * Takes this server out of the configuration of AI clients: shows each change, asks, makes a backup, writes. Ends with 0 when
 * no client has it any more, 1 when a change was declined or could not be written, 2 when nobody could be asked.
 */
export async function uninstall(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print } = surroundings;
  const { options } = config;
  const canAsk = terminal !== undefined || options.yes === true;
  const titles: string[] = [];
  let changes = 0;
  const prompt = terminal && createPrompt(terminal);
  const take = async (chosen: ChosenClient): Promise<boolean> => {
    const one = await openConfig(chosen);
    titles.push(one.client.title);
    const change = removal(one);
    if (change === undefined) return true;
    changes += 1;
    if (options.print === true || !canAsk) print(`${one.client.title}: ${one.config.path}\n\n${change.preview}\n\n`);
    else if (!(await applyChange(one, change, surroundings, prompt))) return false;
    else print('\n');
    return true;
  };
  const done = await forEachClient(chooseClients(surroundings), take, (_one, { message, hint }) => log(`${message} ${hint}`));
  if (changes === 0) print(`"${SERVER}" is in no configuration of ${titles.join(', ')}.\n`);
  if (changes === 0 || options.print === true || canAsk) return done ? EXIT.done : EXIT.failed;
  log(NOBODY);
  return EXIT.usage;
}

function removal({ client, config, document }: OpenedClient): ConfigChange | undefined {
  const text = document.without(client.secrets.kind === 'prompt' ? INPUT_IDS : []);
  if (text === config.text) return undefined;
  const { entry } = document;
  return {
    text,
    secret: false,
    preview: entry === undefined ? `- ${INPUT_IDS.join(', ')}` : difference(snippet(client, masked(entry)), ''),
    question: `Take "${SERVER}" out of the configuration of ${client.title}?`,
  };
}
