import { checkServer } from '../../app/setup/check-server.ts';
import { type Finding, note, wrong } from '../../app/setup/finding.ts';
import { urlText } from '../../config/api-address.ts';
import { MCP_PATH, readServerUrl } from '../../config/http-address.ts';
import { SETTINGS } from '../../config/settings.ts';
import { inQuotes, sentence, word } from '../../text/sentence.ts';
import type { ClientEntry } from '../client-settings.ts';
import { bareCredential } from '../install/ask-setting.ts';
import { createPrompt } from '../install/prompt.ts';
import { type RemoteServer, shownAddress } from '../install/remote-entry.ts';
import type { Surroundings } from '../surroundings.ts';

/** Tries a server for several people from here, with the token of the environment, or of the person at the terminal. */
export async function examineRemote(url: string, surroundings: Surroundings): Promise<readonly Finding[]> {
  const { config, signal } = surroundings;
  const problems = config.problems.map((problem) => wrong('Settings', problem, sentence`Correct it where it is set.`));
  const { proxy } = config.settings;
  const token = config.settings.clientToken ?? (await askedFor(surroundings));
  const { findings } = await checkServer({ url, token, proxy }, signal);
  return [...problems, ...findings];
}

/** Undefined where it is left out, or nobody can be asked. */
async function askedFor({ config, terminal, signal }: Surroundings): Promise<string | undefined> {
  if (terminal === undefined || config.options.json === true || config.malformed.includes(SETTINGS.clientToken.variable)) return undefined;
  const question = `${SETTINGS.clientToken.title} (vhm_…), to have it tried (not shown, empty for none):`;
  const token = bareCredential(await createPrompt(terminal, signal, sentence`Nothing was tried.`).hidden(question));
  return token === '' ? undefined : token;
}

/** The same with what the entry of a client says. */
export async function examineRemoteEntry(
  { client, again }: ClientEntry,
  remote: RemoteServer,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const { config, machine, signal } = surroundings;
  const { address, token: place } = remote;
  const shown = inQuotes(shownAddress(remote));
  const read = readServerUrl(address);
  if ('problem' in read) return [wrong('Client', sentence`${client.title} has ${shown} as the address, which ${read.problem}`, again)];
  const { variable } = SETTINGS.clientToken;
  const known =
    place?.kind === 'file'
      ? place.token
      : place?.kind === 'environment' && place.variable !== variable
        ? machine.env[place.variable]
        : config.given.clientToken;
  const where =
    known !== undefined || place === undefined || place.kind === 'file'
      ? []
      : [
          note(
            'Client',
            sentence`The token is not known here: ${client.title} takes it from its own ${place.kind === 'client' ? 'secret store' : 'environment'}.`,
            sentence`Set ${word(place.kind === 'environment' ? place.variable : variable)} in the environment of this command too, to have it tried.`,
          ),
        ];
  const missing =
    place === undefined
      ? [wrong('Client', sentence`The entry of ${client.title} has no token.`, sentence`${again} --url ${urlText(read.origin)}`)]
      : [];
  const path =
    address === `${read.origin}${MCP_PATH}`
      ? []
      : [wrong('Client', sentence`The address ${shown} does not end in ${MCP_PATH}.`, sentence`${again} --url ${urlText(read.origin)}`)];
  const { findings } = await checkServer({ url: read.origin, token: known, proxy: config.settings.proxy }, signal);
  return [...path, ...missing, ...where, ...findings];
}
