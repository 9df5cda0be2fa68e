import { resolve } from 'node:path';
import { SETTINGS, type SettingName } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { sentence } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Answers, REQUIRED } from './ask-setting.ts';
import type { OpenedClient } from './change-config.ts';
import type { AiClient } from './clients.ts';
import {
  type CredentialName,
  type CredentialSource,
  INPUT_ID,
  isCredential,
  nextId,
  ownInputId,
  sourceOf,
  variableOf,
} from './credential-source.ts';
import type { ClientInput, ServerEntry } from './document.ts';
import type { EntryOptions } from './entry.ts';

export interface EntrySettings extends EntryOptions {
  readonly inputs: readonly ClientInput[];
  readonly sources: Readonly<Record<string, CredentialSource>>;
  /** Whether the file will hold a credential that we put there. */
  readonly secret: boolean;
}

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
