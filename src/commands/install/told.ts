import { checkSetting } from '../../config/check.ts';
import { SETTINGS, type SettingName } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Asker } from './ask.ts';
import type { Client } from './clients.ts';
import type { ClientInput } from './document.ts';
import { type Entry, isRecord, SERVER, type Told } from './entry.ts';

/** Where a client gets a credential from, besides from its file. */
export type Source = 'file' | 'environment' | 'client';

export interface Telling extends Told {
  readonly inputs: readonly ClientInput[];
  /** For each credential, where it will be. */
  readonly sources: Readonly<Record<string, Source>>;
  /** Whether the file will hold a credential that we put there. */
  readonly secret: boolean;
}

const CREDENTIALS = ['apiKey', 'accessToken'] as const;
/** What the server can't do without, and what most want, in the order in which people are asked. */
const ASKED = ['baseUrl', 'statsUrl', ...CREDENTIALS] as const;
const REQUIRED: readonly SettingName[] = ['baseUrl', 'apiKey'];
type Asked = (typeof ASKED)[number];
export type Answers = Partial<Record<Asked, string>>;

const isCredential = (name: SettingName): name is (typeof CREDENTIALS)[number] => (CREDENTIALS as readonly string[]).includes(name);
const variableOf = (name: SettingName): string => SETTINGS[name].variable;

/** The id under which VS Code keeps a credential. */
const inputId = (name: 'apiKey' | 'accessToken'): string => `${SERVER}-${name === 'apiKey' ? 'api-key' : 'access-token'}`;
export const INPUT_IDS = CREDENTIALS.map(inputId);

/** How a credential gets to a client: not through the file, where the client recommends another way and the person can take it. */
function sourceOf(name: SettingName, client: Client, { config }: Surroundings): Source {
  const { kind } = client.secrets;
  if (kind === 'prompt') return 'client';
  const { credentials } = config.options;
  if (credentials === 'file' || kind === 'file') return 'file';
  if (credentials === 'environment') return 'environment';
  return config.given[name] === undefined ? 'file' : 'environment';
}

/** Fails where a credential would have to be in a file although the person said that it is in the environment. */
export function checkSource({ title, secrets }: Client, { config }: Surroundings): void {
  if (config.options.credentials !== 'environment' || secrets.kind !== 'file' || config.settings.demo) return;
  throw new VideoHostingError('client_config', `${title} can’t take a credential from its environment.`, {
    hint: 'Nothing was written there. Leave out --credentials environment for it.',
  });
}

/** Whether a client’s entry needs an answer for this setting. */
function isOpen(name: Asked, client: Client, existing: Entry | undefined, surroundings: Surroundings): boolean {
  const env = existing !== undefined && isRecord(existing.env) ? existing.env : {};
  const listed: readonly unknown[] = Array.isArray(existing?.env_vars) ? existing.env_vars : [];
  if (surroundings.config.given[name] !== undefined || variableOf(name) in env || listed.includes(variableOf(name))) return false;
  return !isCredential(name) || sourceOf(name, client, surroundings) === 'file';
}

/** Asks once for what is set nowhere. Throws `settings_missing` where nobody can be asked. */
export async function askForMissing(
  clients: readonly { readonly client: Client; readonly entry: Entry | undefined }[],
  surroundings: Surroundings,
  asker: Asker | undefined,
): Promise<Answers> {
  if (surroundings.config.settings.demo) return {};
  const open = ASKED.filter((name) => clients.some(({ client, entry }) => isOpen(name, client, entry, surroundings)));
  const missing = open.filter((name) => REQUIRED.includes(name));
  if (asker === undefined && missing.length > 0)
    throw new VideoHostingError('settings_missing', `Not set: ${missing.map(variableOf).join(', ')}.`, {
      hint: 'Nothing was written. Set them in the environment of this command, or run it at a terminal to be asked; --demo needs none.',
    });
  const answers: Answers = {};
  if (asker !== undefined) for (const name of open) Object.assign(answers, await askFor(name, asker, surroundings));
  return answers;
}

const ATTEMPTS = 3;

async function askFor(name: Asked, asker: Asker, { status }: Surroundings): Promise<Answers> {
  const required = REQUIRED.includes(name);
  const question = `${SETTINGS[name].title}${required ? '' : ' (empty if there is none)'}:`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const text = await (isCredential(name) ? asker.hidden(question.replace(':', ' (not shown):')) : asker.line(question));
    if (text === '' && !required) return {};
    const checked = text === '' ? { problem: 'is needed.' } : checkSetting(name, text);
    if ('value' in checked) return { [name]: checked.value };
    status.write(`It ${checked.problem}\n`);
  }
  throw new VideoHostingError('settings_missing', `${variableOf(name)} was not given.`, { hint: 'Nothing was written.' });
}

/** What a client is told, given what people answered. Throws `client_config` where the client can't be told it. */
export function tellingOf(client: Client, answers: Answers, surroundings: Surroundings): Telling {
  const { given } = surroundings.config;
  return telling(client, surroundings, (name) => literal(client, name, given[name] ?? answers[name as Asked]));
}

/** What a client is told by somebody who pastes it: in the place of credentials, and of what is set nowhere, stands its name. */
export function tellingByHand(client: Client, surroundings: Surroundings): Telling {
  const { given } = surroundings.config;
  return telling(client, surroundings, (name) => {
    const value = given[name] ?? (REQUIRED.includes(name) ? '' : undefined);
    const isShown = value !== undefined && value !== '' && !isCredential(name) && client.variable?.test(value) !== true;
    return value === undefined || isShown ? value : `<${variableOf(name)}>`;
  });
}

function telling(client: Client, surroundings: Surroundings, textFor: (name: SettingName) => string | undefined): Telling {
  const env: Record<string, string> = {};
  const forwarded: string[] = [];
  const inputs: ClientInput[] = [];
  const sources: Record<string, Source> = {};
  const { demo } = surroundings.config.settings;
  for (const name of demo ? [] : (Object.keys(SETTINGS) as SettingName[])) {
    // Object.keys widens
    const variable = variableOf(name);
    const source = isCredential(name) ? sourceOf(name, client, surroundings) : undefined;
    const isWanted = name === 'apiKey' || surroundings.config.given[name] !== undefined;
    if (source !== undefined && source !== 'file') {
      if (!isWanted) continue;
      sources[variable] = source;
      if (client.secrets.kind === 'prompt' && isCredential(name)) {
        inputs.push({ id: inputId(name), description: `${SETTINGS[name].title} of the video hosting account` });
        env[variable] = `\${input:${inputId(name)}}`;
      } else if (client.secrets.kind === 'forward') forwarded.push(variable);
      else if (client.secrets.kind === 'reference') env[variable] = client.secrets.write(variable);
      continue;
    }
    const value = textFor(name);
    if (value === undefined) continue;
    env[variable] = value;
    if (source !== undefined) sources[variable] = source;
  }
  return { demo, env, forwarded, inputs, sources, secret: Object.values(sources).includes('file') };
}

/** A value as it stands in the file, unless the client would take a part of it for a variable. */
function literal({ title, variable }: Client, name: SettingName, value: string | undefined): string | undefined {
  if (value === undefined || variable?.test(value) !== true) return value;
  throw new VideoHostingError('client_config', `${variableOf(name)}: ${title} would take a part of it for a variable, from a $ on.`, {
    hint: 'Nothing was written there. Use --credentials environment for a credential, or another path.',
  });
}
