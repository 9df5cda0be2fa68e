import { statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { credentialInfo } from '../../account/identity.ts';
import { withoutApiPath } from '../../config/api-address.ts';
import { checkSetting } from '../../config/check.ts';
import { SETTINGS, type SettingName } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { codeOf, makeFolder } from '../../platform/files.ts';
import { pathInQuotes, sentence, word } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import { isCredential, variableOf } from './credential-source.ts';
import type { Prompt } from './prompt.ts';

/** What the server requires, and what most people want, in the order in which people are asked, with what each is for. */
const ASKED = {
  baseUrl: '',
  statsUrl: ' (empty if there is none)',
  apiKey: '',
  accessToken: ': wanted by some accounts for moving videos, beside the key (empty if you have none)',
  filesDirs: ': a folder for lists of videos and for exports, such as the CSV of a move (empty for none)',
  videoCatalogue: ': a CSV or JSON of video ids, keys and titles, which the API can’t list (empty for none)',
} as const satisfies Partial<Record<SettingName, string>>;
export const ASKED_NAMES = Object.keys(ASKED) as AskedName[]; // Object.keys widens
export const REQUIRED: readonly SettingName[] = ['baseUrl', 'apiKey'];
export type AskedName = keyof typeof ASKED;
export type AddressName = 'baseUrl' | 'statsUrl';
export type Answers = Partial<Record<SettingName, string | undefined>>;

/** To a question for what is there already: what an empty answer does. */
export const LEAVES_IT = ' (empty to leave it)';

const LATER = 'Run install again to set it later.';

export const MAX_ATTEMPTS = 3;

/** The time at which a JWT expired; undefined of what is none, or has not. */
export function expiryOf(credential: string | undefined): string | undefined {
  const expires = credential === undefined ? undefined : credentialInfo(credential).expires;
  return expires !== undefined && Date.parse(expires) < Date.now() ? expires : undefined;
}

/** What the person answers; undefined where it is left out. `otherwise` says what an empty answer is to a required one. */
export async function askFor(
  name: AskedName,
  prompt: Prompt,
  { status, machine }: Surroundings,
  otherwise?: string,
): Promise<string | undefined> {
  const required = REQUIRED.includes(name) && otherwise === undefined;
  const question = `${SETTINGS[name].title}${otherwise ?? ASKED[name]}`;
  let next: string | undefined;
  // What is required and was mistyped costs none of the answers before it.
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const entered = next ?? (await (isCredential(name) ? prompt.hidden(`${question} (not shown):`) : prompt.line(`${question}:`)));
    next = undefined;
    const text = isCredential(name) ? bareCredential(entered) : entered;
    if (text === '' && !required) return undefined;
    const root = SETTINGS[name].kind === 'url' ? withoutApiPath(text) : text;
    const checked = text === '' ? { problem: 'is needed.' } : checkAnswer(name, root, machine.home);
    if ('value' in checked && root !== text)
      status.write(`Taken without ${/\/v1/i.test(text) ? '/v1, which this server adds itself' : 'what follows the path'}.\n`);
    if ('value' in checked) {
      const expires = isCredential(name) ? expiryOf(checked.value) : undefined;
      if (expires === undefined) return checked.value;
      // Whoever notices what it was pastes the new one there.
      const answer = await prompt.hidden(
        `This JWT expired on ${expires.slice(0, 10)}. Take it all the same? Or enter the new one (not shown) [y/N]`,
      );
      if (/^y(es)?$/i.test(answer)) return checked.value;
      if (answer.length > MAX_NO) next = answer;
      continue;
    }
    if ('absent' in checked) {
      if (await madeFolder(checked.absent, prompt)) return checked.absent;
      continue;
    }
    status.write(`It ${checked.problem}\n`);
    if (required && text !== '') attempt -= 1;
  }
  if (required)
    throw new VideoHostingError('settings_missing', sentence`${variableOf(name)} was not given.`, { hint: 'Nothing was written.' });
  status.write(`Left out. ${LATER}\n`);
  return undefined;
}

/** An answer that is longer is no way to say no. */
const MAX_NO = 4;

/** A credential without what often stands around it where it is copied from: quotation marks, and the words of the header. */
export function bareCredential(text: string): string {
  const [, , unquoted = text] = /^(['"`])(.*)\1$/.exec(text) ?? [];
  return unquoted.replace(/^(?:authorization:\s*)?bearer\s+/i, '').trim();
}

type CheckedAnswer =
  | { readonly value: string }
  | { readonly problem: string }
  | { /** A folder that could be made. */ readonly absent: string };

/** A path may begin with `~`, as at a shell. A file has to be there. */
function checkAnswer(name: AskedName, text: string, home: string): CheckedAnswer {
  if (name === 'accessToken' && credentialInfo(text).kind !== 'JWT')
    return { problem: 'is no JWT: that has three parts with dots between.' };
  if (name !== 'filesDirs' && name !== 'videoCatalogue') return checkSetting(name, text);
  // A terminal puts the path of a file that is dropped on it in quotation marks.
  const [, , dropped = text] = /^(['"])(.+)\1$/.exec(text) ?? [];
  const path = /^~(?:$|[\\/])/.test(dropped) ? join(home, dropped.slice(1)) : resolve(dropped);
  const info = statSync(path, { throwIfNoEntry: false });
  if (name === 'filesDirs' && info === undefined) return { absent: path };
  if (name === 'filesDirs') return info?.isDirectory() ? { value: path } : { problem: 'must be a folder.' };
  return info?.isFile() ? { value: path } : { problem: 'must be a file that is there.' };
}

/** Whether a folder was made that was not there, since the person wants that. */
async function madeFolder(folder: string, prompt: Prompt): Promise<boolean> {
  if (!(await prompt.confirm(`There is no folder ${folder}. Make it?`))) return false;
  try {
    await makeFolder(folder);
    return true;
  } catch (cause) {
    throw new VideoHostingError(
      'client_config',
      sentence`The folder ${pathInQuotes(folder)} can’t be made (${word(codeOf(cause) ?? 'no code')}).`,
      {
        cause,
        hint: 'Nothing was written. Make it, or name another one.',
      },
    );
  }
}

/** Offers to make folders that were named on the command line or in the environment, and are not there. */
export async function offerFolders({ config, print }: Surroundings, prompt: Prompt | undefined): Promise<void> {
  const folders = (config.given.filesDirs ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders.filter((one) => statSync(one, { throwIfNoEntry: false }) === undefined))
    if (prompt !== undefined && config.options.yes !== true && (await madeFolder(folder, prompt))) print(`Made: ${folder}\n`);
}
