import { existsSync, readdirSync } from 'node:fs';
import { invalidArguments, VideoHostingError } from '../../errors.ts';
import { nearest } from '../../platform/nearest.ts';
import type { Surroundings } from '../surroundings.ts';
import { CLIENT_NAMES, type Client, type ClientName, clientOf, type Disk, locate } from './clients.ts';

export interface Chosen {
  readonly name: ClientName;
  readonly client: Client;
  /** The path of its configuration, as the client opens it. */
  readonly file: string;
}

const DISK: Disk = {
  exists: existsSync,
  entries: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/** The clients that were named, or else all that are found here. */
export function chooseClients({ config, machine }: Surroundings): Chosen[] {
  const named = config.options.clients?.map((name) => name.trim()).filter((name) => name !== '');
  const unknown = (named ?? []).filter((name) => !isClient(name));
  if (unknown.length > 0 || named?.length === 0) throw invalidArguments(unknownClients(unknown));
  const all = CLIENT_NAMES.map((name) => ({ name, client: clientOf(name), ...locate(clientOf(name), machine, DISK) }));
  if (named !== undefined) return all.filter(({ name }) => named.includes(name));
  const found = all.filter((one) => one.found);
  if (found.length > 0) return found;
  const wsl = machine.env.WSL_DISTRO_NAME === undefined ? '' : ' Those on the Windows side are found from a terminal of Windows.';
  throw new VideoHostingError('client_config', `No AI client was found for this user.${wsl}`, {
    hint: `Name one with --client: ${CLIENT_NAMES.join(', ')}.`,
  });
}

const isClient = (name: string): name is ClientName => (CLIENT_NAMES as readonly string[]).includes(name);

function unknownClients(names: readonly string[]) {
  const known = `It is one of ${CLIENT_NAMES.join(', ')}.`;
  if (names.length === 0) return [{ field: 'client', problem: `names nothing. ${known}` }];
  return names.map((name) => {
    const [best] = nearest(name, CLIENT_NAMES, 1);
    return { field: 'client', problem: `there is no such client.${best === undefined ? '' : ` Did you mean ${best}?`} ${known}` };
  });
}
