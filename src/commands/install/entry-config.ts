import { type ParsedConfig, parseConfig } from '../../config/parse-config.ts';
import { SETTINGS, settingRows } from '../../config/settings.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { isObject } from '../../platform/is-object.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Machine } from '../surroundings.ts';
import type { AiClient } from './clients.ts';
import type { ServerEntry } from './document.ts';
import { flagsOf } from './entry-command.ts';

/** The settings that a client starts the server with, as far as this process can know them. */
export interface EntryConfig {
  readonly config: ParsedConfig;
  /** Variables whose values the client has elsewhere, each with where. */
  readonly elsewhere: readonly { readonly variable: string; readonly where: Sentence }[];
}

/** What is known of values that an entry names and does not hold. */
export interface Known {
  /** Settings, in the form of the variable. */
  readonly given: ParsedConfig['given'];
  readonly machine: Machine;
}

/** How clients write that a value is that of a variable: `$NAME`, `${NAME}`, `${NAME:-}`, `${env:NAME}`. */
export const REFERENCE = /^\$(?:(\w+)|\{(?:env:)?(\w+)(?::-([^}]*))?\})$/;
export const INPUT = /^\$\{input:[^}]*\}$/;

/** Reads the settings of an entry. A variable that it refers to is looked for among those of this process. */
export function entryConfig({ title }: AiClient, entry: ServerEntry, { given, machine }: Known): EntryConfig {
  const known = (variable: string): string | undefined => {
    const row = settingRows.find(([, candidate]) => candidate.variable === variable);
    return row === undefined ? machine.env[variable] : given[row[0]];
  };
  const elsewhere: EntryConfig['elsewhere'][number][] = [];
  const find = (variable: string, where: Sentence, from = variable): string | undefined => {
    const value = known(from);
    if (value === undefined) elsewhere.push({ variable, where });
    return value;
  };
  const ofEnvironment = sentence`from its own environment`;
  const env: Record<string, string | undefined> = {};
  for (const [variable, raw] of Object.entries(isObject(entry.env) ? entry.env : {})) {
    const text = String(raw);
    const [, plain, inBraces, otherwise] = REFERENCE.exec(text) ?? [];
    const name = plain ?? inBraces;
    if (INPUT.test(text)) env[variable] = find(variable, sentence`from its secret store`);
    else env[variable] = name === undefined ? text : (find(variable, ofEnvironment, name) ?? otherwise);
  }
  for (const variable of Array.isArray(entry.env_vars) ? entry.env_vars.map(String) : []) env[variable] ??= find(variable, ofEnvironment);
  const parsed = parseConfig(flagsOf(entry), { ...machine.env, ...definedFields(env) }, machine.platform, machine.home);
  const isKnownElsewhere = elsewhere.filter(({ variable }) => env[variable] === undefined || env[variable] === '');
  // What the client has elsewhere is not missing.
  const malformed = [...parsed.malformed, ...isKnownElsewhere.map(({ variable }) => variable)];
  return {
    config: { ...parsed, malformed },
    elsewhere: isKnownElsewhere.map((one) => ({ ...one, where: sentence`${title} takes it ${one.where}` })),
  };
}

/** Whether an entry has this setting: as a variable, by its value or a reference, or as a flag. */
export function hasSetting(entry: ServerEntry, name: keyof typeof SETTINGS): boolean {
  const { env, env_vars: forwarded } = entry;
  const { variable } = SETTINGS[name];
  const row = SETTINGS[name];
  if ((isObject(env) && variable in env) || (Array.isArray(forwarded) && forwarded.includes(variable))) return true;
  return 'flag' in row && flagsOf(entry).some((flag) => flag.split('=', 1)[0] === `--${row.flag}`);
}

/** Whether an entry holds the value of a setting itself, in a variable that is no reference. */
export function holdsValue({ env }: ServerEntry, name: keyof typeof SETTINGS): boolean {
  const value = isObject(env) ? env[SETTINGS[name].variable] : undefined;
  return typeof value === 'string' && value !== '' && !REFERENCE.test(value) && !INPUT.test(value);
}

/** Those of them without which the server does not start. */
export const neededOf = (elsewhere: EntryConfig['elsewhere']): EntryConfig['elsewhere'] =>
  elsewhere.filter(({ variable }) => variable !== SETTINGS.accessToken.variable);

export const elsewhereText = ({ variable, where }: EntryConfig['elsewhere'][number]): Sentence =>
  sentence`${word(variable)} is not known here: ${where}.`;
