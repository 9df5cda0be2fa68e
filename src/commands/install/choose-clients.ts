import { existsSync, readdirSync } from 'node:fs';
import { invalidArguments } from '../../errors/field-problems.ts';
import { VideoHostingError } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AiClient, CLIENT_NAMES, type ClientName, clientOf, type Disk, locate } from './clients.ts';

export interface ChosenClient {
  readonly name: ClientName;
  readonly client: AiClient;
  /** The path of its configuration, as the client opens it. */
  readonly file: string;
}

const DISK: Disk = {
  exists: existsSync,
  entries: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
};

/** The clients that were named, or else all that are found on this machine. */
export function chooseClients({ config, machine }: Surroundings): ChosenClient[] {
  const named = config.options.clients?.filter((name) => name.trim() !== '').map((name) => clientCalled(name) ?? name.trim());
  const problems = named?.length === 0 ? [sentence`names nothing. ${KNOWN}`] : (named ?? []).flatMap(nameProblem);
  if (problems.length > 0) throw invalidArguments(problems.map((problem) => ({ field: sentence`client`, problem })));
  if (machine.home === '')
    throw new VideoHostingError('client_config', sentence`This user has no home folder, in which AI clients keep their configuration.`, {
      hint: 'Set HOME to it, and run the same command again.',
    });
  const all = CLIENT_NAMES.map((name) => ({ name, client: clientOf(name), ...locate(clientOf(name), machine, DISK) }));
  const chosen = all.filter(({ name, found }) => named?.includes(name) ?? found);
  if (chosen.length > 0) return chosen;
  const wsl = machine.env.WSL_DISTRO_NAME === undefined ? '' : ' Those on the Windows side are found from a terminal of Windows.';
  throw new VideoHostingError('client_config', sentence`No AI client was found for this user.${wsl}`, {
    hint: sentence`Name one with --client: ${joined(CLIENT_NAMES, ', ')}.`,
  });
}

const KNOWN = sentence`It is one of ${joined(CLIENT_NAMES, ', ')}.`;

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** The client that a person calls so: `Claude Code`, `vs-code`. */
const clientCalled = (text: string): ClientName | undefined =>
  CLIENT_NAMES.find((name) => [name, clientOf(name).title].some((own) => letters(own) === letters(text)));

function nameProblem(name: string): Sentence[] {
  if (CLIENT_NAMES.includes(name as ClientName)) return []; // `includes` takes known names only
  const begun = letters(name) === '' ? [] : CLIENT_NAMES.filter((one) => letters(one).startsWith(letters(name)));
  const near = begun.length > 0 ? begun : nearest(name, CLIENT_NAMES, 1);
  return [sentence`there is no such client.${near.length === 0 ? '' : sentence` Did you mean ${joined(near, ' or ')}?`} ${KNOWN}`];
}
