import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rolesFindings } from '../../app/setup/check-people.ts';
import { type Finding, fine, note, wrong } from '../../app/setup/finding.ts';
import { originText } from '../../config/api-address.ts';
import { isLoopback, readListenAddress } from '../../config/http-address.ts';
import type { ParsedConfig } from '../../config/parse-config.ts';
import { httpProblems } from '../../config/parse-config.ts';
import { secondPersonRule } from '../../config/second-person.ts';
import { SETTINGS, type SettingName, type Settings, settingRows, sharedSettings } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { approversProblem } from '../../people/approvers.ts';
import { openPeople, type Person, peopleFileIn } from '../../people/people.ts';
import { counted } from '../../text/counted.ts';
import { ownCommand } from '../../text/own-command.ts';
import { pathInQuotes, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';

/** The settings as a server for several people has them; undefined where nobody means to run one with these. */
export async function settingsForSeveral({ settings, given }: ParsedConfig): Promise<Settings | undefined> {
  const isMeant = settingRows.some(([name, row]) => row.isOfHttp === true && name !== 'clientToken' && given[name] !== undefined);
  if (settings.demo || (!isMeant && (await stat(fileOfPeople(settings)).catch(() => undefined)) === undefined)) return undefined;
  return sharedSettings(settings, settings.publicUrl ?? `http://${settings.httpListen}`);
}

const fileOfPeople = ({ people, dataDir }: Settings): string => people ?? peopleFileIn(dataDir);

/** What a server for several people would find here; nothing where nobody means to run one with these settings. */
export async function checkServerSettings(config: ParsedConfig): Promise<Finding[]> {
  const { settings, given } = config;
  if ((await settingsForSeveral(config)) === undefined) return [];
  return [...(await checkPeople(fileOfPeople(settings), settings)), ...checkAddresses(given, settings.httpListen), ...notTogether(given)];
}

async function checkPeople(path: string, settings: Settings): Promise<Finding[]> {
  const about = SETTINGS.people.title;
  const file = pathInQuotes(path);
  let people: readonly Person[];
  try {
    people = openPeople(path).all();
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return [wrong(about, error.message, error.hint)];
  }
  if (people.length === 0) return [note(about, sentence`Nobody is in ${file}, so nobody would get in.`, sentence`Add somebody: ${ADD()}`)];
  const folder = dirname(path);
  const info = await stat(folder);
  // Whoever may write there can put another file in its place.
  const isOpen = process.platform !== 'win32' && (info.mode & 0o022) !== 0 && (info.mode & 0o1000) === 0;
  const others = isOpen
    ? [wrong(about, sentence`Others may put another file in the place of ${file}.`, sentence`chmod go-w ${pathInQuotes(folder)}`)]
    : [];
  const approvers = people.filter(({ roles }) => roles.includes('approve'));
  const who = approvers.length === 0 ? sentence`nobody may approve` : sentence`${wordList(approvers.map(({ name }) => name))} may approve`;
  const counts = sentence`${file}: ${counted(people.length, 'person', 'people')}, of whom ${who}.`;
  return [
    approvers.length === 0
      ? note(about, counts, sentence`What waits could be applied by nobody. Let somebody: ${ADD()}`)
      : fine(about, counts),
    ...rolesFindings(settings),
    ...others,
    ...secondPersonFindings(settings.secondPerson, people, approvers),
  ];
}

const ADD = (): Sentence => ownCommand('people add NAME --roles read,propose,approve');

/** Whether what the setting names could be applied by somebody. */
function secondPersonFindings(setting: string, people: readonly Person[], approvers: readonly Person[]): Finding[] {
  const about = SETTINGS.secondPerson.title;
  const rule = secondPersonRule(setting);
  const remedy = sentence`Let a second person approve: ${ADD()}`;
  const problem = approversProblem(rule, people);
  if (problem !== undefined) return [wrong(about, problem, remedy)];
  if (setting === SETTINGS.secondPerson.default) return [];
  const [only, ...others] = approvers;
  if (only !== undefined && others.length === 0 && only.roles.includes('propose'))
    return [note(about, sentence`only ${word(only.name)} may approve, so what they ask for of it could be applied by nobody.`, remedy)];
  return [fine(about, sentence`${word(setting, 500)}.`)];
}

function checkAddresses(given: ParsedConfig['given'], httpListen: string): Finding[] {
  const listen = readListenAddress(httpListen);
  const { publicUrl } = given;
  if (listen === undefined) return [];
  const about = SETTINGS.publicUrl.title;
  const at = sentence`It listens on ${word(httpListen)}`;
  if (publicUrl !== undefined)
    return [fine(about, sentence`${originText(new URL(publicUrl))}. ${at}. From where people are, \`doctor --url\` tries it.`)];
  if (!isLoopback(listen)) return [];
  return [
    note(
      about,
      sentence`not set. ${at}, for the programs of this machine alone.`,
      sentence`For others, set ${SETTINGS.publicUrl.variable} to the https address of the proxy before it.`,
    ),
  ];
}

/** What a server for several people refuses to begin with, and one for one person needs. */
function notTogether(given: Partial<Record<SettingName, string>>): Finding[] {
  return httpProblems(given).map((problem) => note('Settings', problem, sentence`For serve --http, unset it.`));
}
