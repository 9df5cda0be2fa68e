import { SETTINGS, type SettingName } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { sentence } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import type { AiClient } from './clients.ts';
import { inputIdIn, ownInputsIn, SERVER, type ServerEntry } from './document.ts';
import { hasSetting, holdsValue } from './entry-config.ts';
import { TOKEN_INPUT } from './remote-entry.ts';

/** Where a client gets a credential from: its configuration file, its environment, or its own secret store. */
export type CredentialSource = 'file' | 'environment' | 'client';

/** The ids under which VS Code stores the credentials. Under a further number it has none yet, and asks. */
export const INPUT_ID = { apiKey: `${SERVER}-api-key`, accessToken: `${SERVER}-access-token` } as const;
const INPUT_IDS = Object.values(INPUT_ID);
export type CredentialName = keyof typeof INPUT_ID;
const CREDENTIAL_NAMES = Object.keys(INPUT_ID) as CredentialName[]; // Object.keys widens

/** The input from which an entry takes a credential, if it is one of ours. */
export function ownInputId(entry: ServerEntry, name: CredentialName): string | undefined {
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

export const isCredential = (name: SettingName): name is CredentialName => name in INPUT_ID;
export const variableOf = (name: SettingName) => SETTINGS[name].variable;

/** Whether a credential has to be in the file itself, since the person wants that or the client has no other place. */
export const isFileOnly = ({ secrets }: AiClient, { config }: Surroundings): boolean =>
  secrets.kind === 'file' || (secrets.kind !== 'prompt' && config.options.credentials === 'file');

/**
 * Unless the person says another place, a credential goes where the entry has it, or else where it has another one. A new entry has none
 * in the file if the client recommends another way and the person can use it.
 */
export function sourceOf(name: CredentialName, client: AiClient, entry: ServerEntry, surroundings: Surroundings): CredentialSource {
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
