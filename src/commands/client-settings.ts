import { urlText } from '../config/api-address.ts';
import { invalidArguments } from '../errors/field-problems.ts';
import { VideoHostingError } from '../errors.ts';
import { ownCommand } from '../text/own-command.ts';
import { pathInQuotes, type Sentence, sentence, word } from '../text/sentence.ts';
import { configError, openConfig } from './install/change-config.ts';
import { type ChosenClient, chooseClients } from './install/choose-clients.ts';
import { SERVER, type ServerEntry } from './install/document.ts';
import { elsewhereText, entryConfig } from './install/entry-config.ts';
import { remoteIn, shownAddress } from './install/remote-entry.ts';
import type { Surroundings } from './surroundings.ts';

/** The entry of this server in the configuration of the one client that was named. */
export interface ClientEntry extends ChosenClient {
  readonly entry: ServerEntry | undefined;
  /** That there is none, and how to have one. */
  readonly missing: { readonly what: Sentence; readonly remedy: Sentence };
  /** How an entry is written anew. */
  readonly again: Sentence;
}

/** Throws `invalid_arguments` where not one client is named, and `client_config` where its configuration can’t be read. */
export async function entryOfClient(surroundings: Surroundings): Promise<ClientEntry> {
  const [chosen, ...others] = chooseClients(surroundings);
  if (chosen === undefined || others.length > 0)
    throw invalidArguments([{ field: sentence`client`, problem: sentence`name one, whose entry is meant.` }]);
  const { document } = await openConfig(chosen).catch((error: unknown) => {
    throw configError(chosen.file, error);
  });
  const again = sentence`Run ${ownCommand('install --client')} ${word(chosen.name)}`;
  const what = sentence`${chosen.client.title} has no "${SERVER}" in ${pathInQuotes(chosen.file)}.`;
  return { ...chosen, entry: document.entry, missing: { what, remedy: again }, again };
}

/** With the settings of the client that was named, in place of those of the environment; as it is where none was. */
export async function withClientSettings(surroundings: Surroundings): Promise<Surroundings> {
  const { config, machine, log } = surroundings;
  if (config.options.clients === undefined) return surroundings;
  const { client, entry, missing } = await entryOfClient(surroundings);
  if (entry === undefined) throw new VideoHostingError('client_config', missing.what, { hint: missing.remedy });
  const remote = remoteIn(entry);
  if (remote !== undefined)
    throw new VideoHostingError(
      'client_config',
      sentence`The entry of ${client.title} leads to ${urlText(shownAddress(remote))}: account and settings are that server’s.`,
      {
        hint: sentence`Run this command on its machine.`,
      },
    );
  const found = entryConfig(client, entry, { given: config.given, machine });
  for (const one of found.elsewhere) log(sentence`${elsewhereText(one)} Set it in the environment of this command too.`);
  return { ...surroundings, config: { ...found.config, command: config.command, options: config.options } };
}
