import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import { expiredText } from './ask-missing.ts';
import { type AddressName, type Answers, askFor, expiryOf, LEAVES_IT } from './ask-setting.ts';
import type { AiClient } from './clients.ts';
import { type CredentialName, variableOf } from './credential-source.ts';
import type { ServerEntry } from './document.ts';
import { type EntryConfig, holdsValue } from './entry-config.ts';
import type { Prompt } from './prompt.ts';

/** Whether a person is asked for another value of a setting where an API did not work with it; one of the environment is changed there. */
export const isAskedAgain = (variable: string | undefined, { config }: Surroundings): boolean =>
  TRIED.some((name) => variableOf(name) === variable && config.given[name] === undefined);

const TRIED = ['baseUrl', 'statsUrl', 'apiKey'] as const;

/** An entry as it is to be. */
interface CredentialHolder {
  readonly file: string;
  /** The settings of the entry that is there. */
  readonly before: EntryConfig | undefined;
  readonly client: AiClient;
  readonly wanted: ServerEntry;
  readonly found: EntryConfig;
}

/** Why a credential that is there is asked for again, and what an empty answer is then. */
const AGAIN = {
  refused: () => LEAVES_IT,
  expired: () => LEAVES_IT,
  renewed: (titles: Sentence) => ` of ${titles}, if it was renewed (empty to keep it)`,
} as const;

/**
 * Asks for another credential in the place of each that a file is to hold and that was refused, has expired, or may have been renewed, and
 * returns it by file. One that the environment of this command has is to be changed there.
 */
export async function askAgain(
  name: CredentialName,
  ones: readonly CredentialHolder[],
  why: keyof typeof AGAIN,
  surroundings: Surroundings,
  prompt: Prompt,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  if (surroundings.config.given[name] !== undefined) return answers;
  const heldBy = ({ found }: CredentialHolder) => found.config.settings[name];
  // Who was asked for what has expired is not asked for it once more.
  const isMeant = (value: string | undefined): boolean =>
    why === 'refused' || name !== 'accessToken' || (expiryOf(value) !== undefined) === (why === 'expired');
  const holders = ones.filter((one) => holdsValue(one.wanted, name) && isMeant(heldBy(one)));
  for (const old of new Set(holders.map(heldBy))) {
    const same = holders.filter((one) => heldBy(one) === old);
    const titles = joined(
      same.map(({ client }) => client.title),
      ', ',
    );
    if (why !== 'renewed') surroundings.print(`${againText(name, titles, expiryOf(old), same)}\n`);
    const answer = await askFor(name, prompt, surroundings, AGAIN[why](titles));
    if (answer !== undefined) for (const { file } of same) answers.set(file, answer);
  }
  return answers;
}

function againText(name: CredentialName, titles: Sentence, expires: string | undefined, ones: readonly CredentialHolder[]): Sentence {
  const what = sentence`The ${name === 'apiKey' ? 'key' : 'access token'} of ${titles}`;
  if (expires !== undefined) return expiredText(name, titles, expires);
  return sentence`${what} was refused. ${ones.some(({ before }) => before !== undefined) ? 'If it was renewed, enter the new one.' : 'Enter the right one.'}`;
}

/** Asks for another address in the place of each at which no API answered; empty leaves it. One that the environment of this command has stays. */
export async function askForAddresses(names: readonly AddressName[], surroundings: Surroundings, prompt: Prompt): Promise<Answers> {
  const answers: Answers = {};
  for (const name of names.filter((one) => surroundings.config.given[one] === undefined))
    answers[name] = await askFor(name, prompt, surroundings, ', corrected (empty to leave it)');
  return definedFields(answers);
}
