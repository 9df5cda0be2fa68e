import type { PlatformPath } from 'node:path';
import { inFull } from '../text/counted.ts';
import { mistyped } from '../text/nearest.ts';
import { type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { readApiAddress } from './api-address.ts';
import { readListenAddress, readPublicUrl } from './http-address.ts';
import { readSecondPerson } from './second-person.ts';
import { readStoreAddress } from './store-address.ts';

export type Checked = { readonly value: string } | { readonly problem: Sentence };

/** All that is to be known of a kind of setting. `More`: what its rows have beside those of other kinds. */
interface Kind<Value, More = unknown> {
  /** What was given, in the form of the variable, or what is wrong with it: the end of a sentence that begins with the setting. */
  readonly check: (text: string, more: More, path: PlatformPath) => Checked;
  /** The value of a checked text. */
  readonly read: (text: string, path: PlatformPath) => Value;
  /** The text where nothing is given and the row has no default, so that there is a value in any case. */
  readonly unset?: string;
  /** The flag takes no value. */
  readonly isBare?: true;
  /** The paths that a text holds: their names may have any characters. */
  readonly paths?: (text: string, path: PlatformPath) => readonly string[];
  /** The type of its field in a bundle’s form. */
  readonly field: 'string' | 'number' | 'boolean' | 'directory' | 'file';
  /** Its format in server.json. */
  readonly format: 'string' | 'number' | 'boolean' | 'filepath';
  /** What docs/settings.md says of its values after the description; `code` sets them apart. */
  readonly values?: (row: More & { readonly description: string }, code: (text: string) => string) => string;
}

/** No header may be as long as the limits of servers on all of them, and what is masked is looked for in every text. */
const MAX_CREDENTIAL = 8_000;

/** A shell writes the home folder in full, where it is not in quotes; a client’s configuration and `--flag=~/folder` keep the sign. */
const beginsAtHome = (path: string): boolean => /^~(?:$|[\\/])/.test(path);
const HOME_NOT_EXPANDED = { problem: sentence`begins with ~, which means the home folder to a shell alone: write the path in full.` };

const asText = { read: (text: string): string => text, field: 'string', format: 'string' } as const;
const onePath = (text: string): readonly string[] => [text];

/** What is relative would be something else in each folder in which a client starts the server. */
const checkAbsolute = (text: string, _: unknown, { isAbsolute }: PlatformPath): Checked => {
  if (beginsAtHome(text)) return HOME_NOT_EXPANDED;
  return isAbsolute(text) ? { value: text } : { problem: sentence`must be an absolute path.` };
};

const partsOf = (text: string, { delimiter }: PlatformPath): string[] => text.split(delimiter).filter((part) => part !== '');

/** A whole number in a range; `of` is what it counts, as in `whole(sentence` of channels`)`. */
const whole = (of: Sentence): Kind<number, { readonly min: number; readonly max: number }> => ({
  check: (text, { min, max }) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? { value: String(Number(text)) }
      : { problem: sentence`must be a whole number${of} from ${min} to ${max}.` },
  read: Number,
  field: 'number',
  format: 'number',
  values: ({ min, max }) => ` ${min} to ${max}.`,
});

const choice: Kind<string, { readonly choices: readonly string[] }> = {
  ...asText,
  check: (text, { choices }) => {
    const best = mistyped(text, choices);
    const hint = best === undefined ? sentence`` : sentence` Did you mean ${word(best)}?`;
    return choices.includes(text) ? { value: text } : { problem: sentence`must be one of ${wordList(choices)}.${hint}` };
  },
  values: ({ choices, description }, code) =>
    choices.every((one) => description.includes(code(one))) ? '' : ` ${choices.map(code).join(' or ')}.`,
};

/** The kinds of values that settings have. Everything that depends on the kind of a setting is here. */
const KINDS = {
  url: {
    ...asText,
    check: (text) => {
      const address = readApiAddress(text);
      return 'problem' in address ? address : { value: `${address.origin}${address.prefix}` };
    },
  },
  store: {
    ...asText,
    check: (text) => {
      const address = readStoreAddress(text);
      return 'problem' in address ? address : { value: text };
    },
  },
  text: {
    ...asText,
    check: (text) => {
      if (/^bearer\s/i.test(text)) return { problem: sentence`must be the credential alone, without the word Bearer before it.` };
      if (text.length > MAX_CREDENTIAL)
        return { problem: sentence`must have at most ${inFull(MAX_CREDENTIAL)} characters; this is something else.` };
      // A credential that no header can carry would fail on every call, with a message about headers.
      return /^[\x21-\x7e]+$/.test(text) ? { value: text } : { problem: sentence`must be printable ASCII without spaces.` };
    },
  },
  switch: {
    check: (text) => {
      if (/^(1|true|on|yes)$/i.test(text)) return { value: 'on' };
      return /^(0|false|off|no)$/i.test(text) ? { value: 'off' } : { problem: sentence`must be 1 or 0.` };
    },
    read: (text) => text === 'on',
    isBare: true,
    field: 'boolean',
    format: 'boolean',
    values: (_: unknown, code) => ` ${code('1')} or ${code('0')}; the flag takes no value.`,
  },
  choice,
  milliseconds: whole(sentence` of milliseconds`),
  directory: { ...asText, check: checkAbsolute, paths: onePath, field: 'directory', format: 'filepath' },
  directories: {
    check: (text, _: unknown, path) => {
      const parts = partsOf(text, path);
      if (parts.some(beginsAtHome)) return HOME_NOT_EXPANDED;
      return parts.every((part) => path.isAbsolute(part))
        ? { value: text }
        : { problem: sentence`must hold absolute paths, separated by "${path.delimiter}".` };
    },
    read: partsOf,
    unset: '',
    paths: (text, { delimiter }) => text.split(delimiter),
    field: 'directory',
    format: 'string',
  },
  file: { ...asText, check: checkAbsolute, paths: onePath, field: 'file', format: 'filepath' },
  listen: {
    ...asText,
    check: (text) =>
      readListenAddress(text) === undefined
        ? { problem: sentence`must be an address and a port, such as 127.0.0.1:8765 or [::1]:8765.` }
        : { value: text },
  },
  root: {
    ...asText,
    check: (text) => {
      const root = readPublicUrl(text);
      return 'problem' in root ? root : { value: root.origin };
    },
  },
  'second-person': {
    ...asText,
    check: (text) => {
      const read = readSecondPerson(text);
      return 'problem' in read ? read : { value: text };
    },
  },
  browser: {
    ...asText,
    check: (text) => {
      if (/^(?:auto|none)$/i.test(text)) return { value: text.toLowerCase() };
      return /^(?:off|no|false|0)$/i.test(text)
        ? { problem: sentence`must be auto, none or a program. Did you mean none?` }
        : { value: text };
    },
    paths: onePath,
  },
} as const satisfies Readonly<Record<string, Kind<unknown, never>>>;

type Kinds = typeof KINDS;
export type KindName = keyof Kinds;

interface SettingBase {
  readonly variable: `VIDEO_HOSTING_${string}`;
  readonly flag?: string;
  readonly title: string;
  readonly description: string;
  readonly default?: string;
  readonly secret?: true;
  /** Any character may be meant, as in a password. */
  readonly isFree?: true;
  /** Of a server over HTTP alone, which no client starts. */
  readonly isOfHttp?: true;
}

type MoreOf<Name extends KindName> = Kinds[Name] extends Kind<unknown, infer More> ? More : never;

/** A setting: of a kind, and with what that needs. */
export type SettingRow = { [Name in KindName]: SettingBase & { readonly kind: Name } & MoreOf<Name> }[KindName];

/** The value of a setting, by its row. */
export type ValueOf<Row> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly kind: infer Name extends KindName }
    ? ReturnType<Kinds[Name]['read']>
    : never;

/** The kinds with which a setting has a value also where nothing is given. */
export type KindWithUnset = { [Name in KindName]: Kinds[Name] extends { readonly unset: string } ? Name : never }[KindName];

/** A kind gets the rows that name it, so each has what the kind needs. */
export const kindOf = ({ kind }: SettingRow): Kind<unknown, SettingRow> => KINDS[kind] as Kind<unknown, never> as Kind<unknown, SettingRow>;
