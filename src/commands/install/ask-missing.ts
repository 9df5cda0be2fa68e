import { SETTINGS, type SettingName } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Answers, ASKED_NAMES, type AskedName, askFor, expiryOf, LEAVES_IT, REQUIRED } from './ask-setting.ts';
import type { OpenedClient } from './change-config.ts';
import { type CredentialName, isCredential, isFileOnly, sourceOf, variableOf } from './credential-source.ts';
import { entryConfig, hasSetting, holdsValue } from './entry-config.ts';
import type { Prompt } from './prompt.ts';

/** What was answered, and what could be set beside it and was not asked for. */
export interface Asked {
  readonly answers: Answers;
  readonly open: readonly AskedName[];
  /** Of a credential that an entry holds and an answer replaces there too: the files of such. */
  readonly replaced: Replaced;
  /** Whether the access token of an entry was asked for, since it has expired. */
  readonly isTokenAsked: boolean;
}

export type Replaced = Partial<Record<CredentialName, ReadonlySet<string>>>;

/**
 * What entries lack and is set nowhere. Addresses and paths are taken from the entries of other clients; for what no entry has, the person is
 * asked once, and beside what is required, unless --yes is given, for what most people want. Throws `settings_missing` where nobody can be asked.
 */
export async function askForMissing(
  clients: readonly OpenedClient[],
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): Promise<Asked> {
  const nothing = { replaced: {}, isTokenAsked: false };
  if (surroundings.config.settings.demo) return { answers: {}, open: [], ...nothing };
  const lacking = ASKED_NAMES.filter((name) => clients.some((one) => isMissing(name, one, surroundings)));
  const answers = takenFromOthers(lacking, clients, surroundings);
  const open = lacking.filter((name) => answers[name] === undefined);
  // What an entry has as a reference, and is to hold, is as good as required.
  const isNeeded = (name: AskedName): boolean =>
    REQUIRED.includes(name) || clients.some((one) => isMissing(name, one, surroundings) && hasSetting(one.document.entry ?? {}, name));
  const missing = open.filter(isNeeded);
  if (prompt === undefined && missing.length > 0)
    throw new VideoHostingError('settings_missing', sentence`Not set: ${joined(missing.map(variableOf), ', ')}.`, {
      hint: 'Nothing was written. Set them in the environment of this command, or run it at a terminal to be asked; --demo needs none.',
    });
  if (prompt === undefined) return { answers, open: [], ...nothing };
  const isBrief = surroundings.config.options.yes === true;
  // Who is asked for what is required is asked for the rest too.
  const asked = isBrief || missing.length === 0 ? missing : open;
  const given = await askForEach(asked, clients, surroundings, prompt);
  const rest = isBrief ? [] : open.filter((name) => !asked.includes(name));
  return { ...given, answers: { ...answers, ...given.answers }, open: rest };
}

/** Asks for settings, first for a credential that an entry holds and that has expired. */
async function askForEach(
  names: readonly AskedName[],
  clients: readonly OpenedClient[],
  surroundings: Surroundings,
  prompt: Prompt,
): Promise<Omit<Asked, 'open'>> {
  const heldOf = (name: AskedName) => (isCredential(name) ? heldIn(name, clients, surroundings) : undefined);
  const expired = names.filter((name) => heldOf(name)?.expires !== undefined);
  const answers: Answers = {};
  const replaced: Record<CredentialName, ReadonlySet<string>> = { apiKey: new Set(), accessToken: new Set() };
  for (const name of [...expired, ...names.filter((one) => !expired.includes(one))]) {
    const held = heldOf(name);
    if (!isCredential(name) || held === undefined) answers[name] = await askFor(name, prompt, surroundings);
    else {
      const { answer, files } = await askForHeld(name, held, prompt, surroundings);
      answers[name] = answer;
      replaced[name] = files;
    }
  }
  return { answers, replaced, isTokenAsked: expired.includes('accessToken') };
}

/** A credential that entries hold and others lack. */
interface Held {
  readonly value: string;
  readonly titles: Sentence;
  readonly files: readonly string[];
  /** When it expired, where it has. */
  readonly expires: string | undefined;
}

/** That of the first entry that holds one which has not expired, with the others that hold it; undefined where none does. */
function heldIn(name: CredentialName, clients: readonly OpenedClient[], { machine }: Surroundings): Held | undefined {
  const ones = clients.flatMap(({ client, file, document: { entry } }) => {
    const value = entry && holdsValue(entry, name) ? entryConfig(client, entry, { given: {}, machine }).config.given[name] : undefined;
    return value === undefined ? [] : [{ title: client.title, file, value }];
  });
  const value = (ones.find((one) => expiryOf(one.value) === undefined) ?? ones[0])?.value;
  if (value === undefined) return undefined;
  const same = ones.filter((one) => one.value === value);
  const titles = joined(
    same.map(({ title }) => title),
    ', ',
  );
  return { value, titles, files: same.map(({ file }) => file), expires: expiryOf(value) };
}

/** Asks for a credential that another entry holds: an empty answer takes that, and what is new is taken there too where it is renewed. */
async function askForHeld(
  name: CredentialName,
  { value, titles, files, expires }: Held,
  prompt: Prompt,
  surroundings: Surroundings,
): Promise<{ readonly answer: string | undefined; readonly files: ReadonlySet<string> }> {
  if (expires !== undefined) {
    surroundings.print(`${expiredText(name, titles, expires)}\n`);
    const answer = await askFor(name, prompt, surroundings, LEAVES_IT);
    if (answer !== undefined) return { answer, files: new Set(files) };
    return { answer: REQUIRED.includes(name) ? value : undefined, files: new Set() };
  }
  const answer = await askFor(name, prompt, surroundings, ` (empty: as in ${titles})`);
  const isOther = answer !== undefined && answer !== value;
  const isForAll =
    isOther && (await prompt.confirm(`${titles} ${files.length === 1 ? 'has' : 'have'} another one. Take this one there too?`));
  return { answer: answer ?? value, files: new Set(isForAll ? files : []) };
}

export const expiredText = (name: CredentialName, titles: Sentence, expires: string): Sentence =>
  sentence`The ${name === 'apiKey' ? 'key' : 'access token'} of ${titles} expired on ${word(expires.slice(0, 10))}. Enter the new one.`;

/** Offers what could be set beside what entries have. */
export async function askForMore(
  open: readonly AskedName[],
  clients: readonly OpenedClient[],
  surroundings: Surroundings,
  prompt: Prompt,
): Promise<Pick<Asked, 'answers' | 'replaced'>> {
  const titles = open.map((name) => SETTINGS[name].title).join(', ');
  if (open.length === 0 || !(await prompt.confirm(`Not set, and optional: ${titles}. Set any of them now?`)))
    return { answers: {}, replaced: {} };
  return askForEach(open, clients, surroundings, prompt);
}

/** What the entries of other clients hold, where they agree. A credential goes into no other file unasked. */
function takenFromOthers(names: readonly AskedName[], clients: readonly OpenedClient[], { machine, print }: Surroundings): Answers {
  const held = clients.flatMap(({ client, document }) =>
    document.entry === undefined ? [] : [entryConfig(client, document.entry, { given: {}, machine }).config.given],
  );
  const taken = names.flatMap((name) => {
    const values = new Set(held.flatMap((given) => given[name] ?? []));
    return isCredential(name) || values.size !== 1 ? [] : [[name, [...values][0]] as const];
  });
  if (taken.length > 0) print(`Taken from the entries that are there: ${taken.map(([name]) => variableOf(name)).join(', ')}.\n\n`);
  return Object.fromEntries(taken);
}

/** These answers, without what the entry has already. */
export const answersFor = (one: OpenedClient, answers: Answers, surroundings: Surroundings, replaced: Replaced = {}): Answers =>
  Object.fromEntries(
    (Object.entries(answers) as [SettingName, string | undefined][]) // Object.entries widens
      .filter(([name]) => !hasIt(name, one, surroundings) || (isCredential(name) && replaced[name]?.has(one.file) === true)),
  );

/** Whether the entry has this setting; a reference to a credential is none where the file is to hold it. */
function hasIt(name: SettingName, { client, document }: OpenedClient, surroundings: Surroundings): boolean {
  const has = isCredential(name) && isFileOnly(client, surroundings) ? holdsValue : hasSetting;
  return has(document.entry ?? {}, name);
}

function isMissing(name: AskedName, one: OpenedClient, surroundings: Surroundings): boolean {
  if (surroundings.config.given[name] !== undefined || hasIt(name, one, surroundings)) return false;
  return !isCredential(name) || sourceOf(name, one.client, one.document.entry ?? {}, surroundings) === 'file';
}
