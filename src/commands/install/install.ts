import type { VideoHostingError } from '../../errors.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { createAsker } from './ask.ts';
import { carryOut, type Opened, openAll, trying } from './change.ts';
import { type Chosen, chooseClients } from './choose.ts';
import type { Client } from './clients.ts';
import { entryFor, SERVER } from './entry.ts';
import { type Launch, launchOf } from './launch.ts';
import { difference, masked, snippet } from './preview.ts';
import { askForMissing, checkSource, type Telling, tellingByHand, tellingOf } from './told.ts';

/**
 * Puts this server into the configuration of AI clients: shows each change, asks, copies what was there, writes. Ends with
 * 0 when every one has it, 1 when one was declined or could not be written, 2 when nothing could be asked.
 */
export async function install(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print } = surroundings;
  const { options } = config;
  const chosen = chooseClients(surroundings);
  const launch = launchOf(import.meta.dirname);
  const byHand = (one: Chosen): void => print(`${manual(one, launch, surroundings)}\n\n`);
  if (options.print === true) {
    chosen.forEach(byHand);
    return EXIT.done;
  }
  if (terminal === undefined && options.yes === undefined) {
    chosen.forEach(byHand);
    log('Nothing was written, since nobody can be asked here. Run it at a terminal, or with --yes.');
    return EXIT.usage;
  }
  print(`Clients will start this copy: ${launch.args.join(' ')}. Run install again if you move it.\n\n`);
  const problem = (one: Chosen, error: VideoHostingError): void => {
    log(`${error.message} ${error.hint}`);
    print(`By hand:\n\n${manual(one, launch, surroundings)}\n\n`);
  };
  const opened = await openAll(chosen, problem, ({ client }) => checkSource(client, surroundings));
  const asker = terminal === undefined ? undefined : createAsker(terminal);
  const answers = await askForMissing(
    opened.map(({ client, document }) => ({ client, entry: document.entry })),
    surroundings,
    asker,
  );
  let done = opened.length === chosen.length;
  for (const one of opened) {
    const put = async (): Promise<void> => {
      const telling = tellingOf(one.client, answers, surroundings);
      const change = changeOf(one, launch, telling);
      if (change === undefined) print(`${one.client.title}: ${one.file} has it already; nothing to do.\n\n`);
      else if (await carryOut(one, change, surroundings, asker)) print(`${one.client.next}\n\n`);
      else done = false;
    };
    if (!(await trying(put, (error) => problem(one, error)))) done = false;
  }
  return done ? EXIT.done : EXIT.failed;
}

function changeOf({ client, config, document }: Opened, launch: Launch, telling: Telling) {
  const { entry } = document;
  const wanted = entryFor(client, launch, telling, entry);
  const text = document.with(wanted, telling.inputs);
  if (text === config.text) return undefined;
  const before = entry === undefined ? '' : snippet(client, masked(entry, launch));
  const after = snippet(client, masked(wanted, launch, entry), telling.inputs);
  return {
    text,
    secret: telling.secret,
    shown: [difference(before, after), ...whereSecretsGo(client, telling)].join('\n'),
    question: `${entry === undefined ? 'Add' : 'Change'} "${SERVER}" in the configuration of ${client.title}?`,
  };
}

function whereSecretsGo({ title }: Client, { sources }: Telling): string[] {
  const words = {
    file: `is kept in that file, which only you may read: ${title} has no other place for it, or none that was set up here.`,
    environment: `is not in the file; ${title} takes it from its own environment, so it has to be set where ${title} is started.`,
    client: `is not in the file; ${title} asks you for it once and keeps it in its secret store.`,
  };
  return Object.entries(sources).map(([variable, source], at) => `${at === 0 ? '\n' : ''}${variable} ${words[source]}`);
}

/** What somebody pastes who does it by hand. No credential is in it. */
function manual({ client, file }: Chosen, launch: Launch, surroundings: Surroundings): string {
  const telling = tellingByHand(client, surroundings);
  const entry = snippet(client, entryFor(client, launch, telling), telling.inputs);
  return [`${client.title}: ${file}`, '', entry, ...whereSecretsGo(client, telling)].join('\n');
}
