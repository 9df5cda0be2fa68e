import { SETTINGS } from '../../config/settings.ts';
import type { VideoHostingError } from '../../errors.ts';
import { sentence } from '../../text/sentence.ts';
import { examine } from '../doctor/examine.ts';
import { findingLines, summaryOf } from '../doctor/report.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { answersFor, askForMissing } from './ask-missing.ts';
import { offerFolders } from './ask-setting.ts';
import { applyChange, type ConfigChange, createApprove, forEachClient, type OpenedClient, openConfig } from './change-config.ts';
import { type ChosenClient, chooseClients } from './choose-clients.ts';
import { checkSource } from './credential-source.ts';
import { launchOf } from './entry.ts';
import { entryConfig, neededOf } from './entry-config.ts';
import { manualEntry } from './manual-entry.ts';
import { type Answered, type PlannedClient, planEntry } from './plan-entry.ts';
import { createPrompt, type Prompt } from './prompt.ts';
import { remoteIn } from './remote-entry.ts';
import { accountChange, distinct } from './try-account.ts';
import { moreOf, type Planned, type TriedClient, tryAll, withoutExpired } from './try-entries.ts';

export const NOBODY = 'Nothing was written, since nobody can be asked here. Run it at a terminal, or with --yes.';

/**
 * Puts this server into the configuration of AI clients: tries the account, shows each change, asks, makes a backup, writes, and ends
 * with the checks of `doctor`. Ends with 0 when each client is as the person decided, 1 when the account can’t be used, the checks found
 * something wrong or one could not be written, 2 when nobody could be asked.
 */
export async function install(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print, signal } = surroundings;
  const { options } = config;
  const chosen = chooseClients(surroundings);
  const launch = launchOf(import.meta.dirname);
  const canAsk = terminal !== undefined || options.yes === true;
  if (options.print === true || !canAsk) {
    for (const one of chosen) print(`${manualEntry(one, launch, surroundings)}\n\n`);
    if (options.print === true) return EXIT.done;
    log(NOBODY);
    return EXIT.usage;
  }
  print(`Clients will start this copy: ${launch.args.join(' ')}. Run install again if you move it.\n\n`);
  const failed = new Set<string>();
  const onError = (one: ChosenClient, { message, hint }: VideoHostingError): void => {
    failed.add(one.file);
    log(`${message} ${hint}`);
    print(`By hand:\n\n${manualEntry(one, launch, surroundings)}\n\n`);
  };
  const opened: OpenedClient[] = [];
  const open = async (one: ChosenClient): Promise<boolean> => {
    checkSource(one.client, surroundings);
    return opened.push(await openConfig(one)) > 0;
  };
  const areOpen = await forEachClient(chosen, open, onError);
  const prompt = terminal && createPrompt(terminal, signal);
  const { answers, open: optional, replaced, isTokenAsked } = await askForMissing(opened, surroundings, prompt);
  await offerFolders(surroundings, prompt);
  const plan = async (ones: readonly Answered[]): Promise<Planned> => {
    const planned: PlannedClient[] = [];
    const arePlanned = await forEachClient(ones, async (one) => planned.push(planEntry(one, launch, surroundings)) > 0, onError);
    return { planned, arePlanned };
  };
  const ones: readonly Answered[] = opened.map((one) => ({ ...one, answers: answersFor(one, answers, surroundings, replaced) }));
  const untold = await plan(ones);
  const anew = await renewed(untold.planned, surroundings, prompt);
  const first = anew.size === 0 ? untold : await plan(ones.map((one) => ({ ...one, asksAnew: anew.has(one.file) })));
  const valid = isTokenAsked ? first : await withoutExpired(first, plan, surroundings, prompt);
  const found = await tryAll(valid, plan, surroundings, prompt);
  const { tried, arePlanned } = await moreOf(found, optional, plan, surroundings, prompt);
  const changes = tried.filter(({ change }) => change !== undefined);
  if (changes.some(({ isUsable }) => !isUsable) && !(await isWanted(surroundings, prompt))) return EXIT.failed;
  const isAsked = prompt !== undefined && options.yes !== true;
  const approve = createApprove(surroundings, prompt);
  const declined = new Set<string>();
  const put = async (one: TriedClient): Promise<boolean> => {
    if (one.change === undefined)
      print(
        `${one.client.title}: ${one.file} ${one.isUsable ? NOTHING_TO_DO : UNUSABLE}${isAsked || !isKeeper(one) ? '' : KEEPS_KEY(one.client.title)}\n\n`,
      );
    else if (
      await applyChange(one, await withAccount(one, one.change), surroundings, (question) => approve(question, one === changes.at(-1)))
    )
      print(`${[one.client.next, one.client.asks ?? []].flat().join(' ')}\n\n`);
    else declined.add(one.file);
    return one.change !== undefined || one.isUsable;
  };
  const areDone = await forEachClient(tried, put, onError);
  const unusable = tried.filter(({ change, isUsable }) => change === undefined && !isUsable);
  if (unusable.some(({ isKeyRefused }) => isKeyRefused)) log(RENEWED);
  // What is wrong was said before, where nothing was written since. An entry that could not be written is none to be checked.
  const there = tried.filter(({ file }) => !failed.has(file));
  const held = there.flatMap((one) => (declined.has(one.file) ? asItIs(one, surroundings) : [one]));
  const isChecked = options.skipCheck !== true && (changes.length > 0 || unusable.length === 0);
  const isFine = !isChecked || (await checkAll(held, surroundings));
  return areOpen && arePlanned && areDone && isFine ? EXIT.done : EXIT.failed;
}

const NOTHING_TO_DO = 'has it already; nothing to do.';
const UNUSABLE = 'is as it was, and what it has does not work.';
const RENEWED = `Nothing was changed where the key was refused. Set ${SETTINGS.apiKey.variable} to the new key in the environment of this command, or run it at a terminal without it to be asked for the key.`;

/** The files of the clients that keep the key themselves and have the old one, as the person says. */
async function renewed(
  planned: readonly PlannedClient[],
  { config }: Surroundings,
  prompt: Prompt | undefined,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  if (prompt === undefined || config.options.yes === true) return files;
  for (const { client, file } of planned.filter(isKeeper))
    if (await prompt.confirm(`${client.title} keeps the key itself. Was it renewed, so that it has to ask for it again?`)) files.add(file);
  return files;
}

const isKeeper = ({ client, change, found }: PlannedClient): boolean =>
  client.secrets.kind === 'prompt' && change === undefined && !found.config.settings.demo;

/** How a renewed key gets to a client that keeps it, where nobody was asked. */
const KEEPS_KEY = (title: string): string => ` ${title} keeps the key itself: if it was renewed, run install at a terminal, without --yes.`;

/** A change with what is to be known of its account, once the account was tried. */
async function withAccount({ before, found }: PlannedClient, change: ConfigChange): Promise<ConfigChange> {
  const told = before && (await accountChange(before, found));
  return told === undefined ? change : { ...change, preview: `${change.preview}\n\n! ${told}` };
}

/** Whether the person wants it all the same, although the account can’t be used. */
export async function isWanted({ config, print, log }: Surroundings, prompt: Prompt | undefined): Promise<boolean> {
  if (prompt !== undefined && config.options.yes !== true) {
    if (await prompt.confirm('Write it all the same?')) return true;
    print('Nothing was written.\n');
    return false;
  }
  log('Nothing was written, since this does not work. Correct it, or add --skip-check to write it untried.');
  return false;
}

interface HeldEntry extends Pick<PlannedClient, 'client' | 'found'> {
  /** It was to get other settings, and the person declined. */
  readonly isAsItWas?: true;
}

/** A client whose change the person declined, with the entry that it has; none where it has none. */
function asItIs({ client, document: { entry } }: PlannedClient, { config, machine }: Surroundings): HeldEntry[] {
  return entry === undefined || remoteIn(entry) !== undefined
    ? []
    : [{ client, found: entryConfig(client, entry, { given: config.given, machine }), isAsItWas: true }];
}

/** What `doctor --client` says of each; those with the same settings are told once. Returns whether nothing is wrong with those that were written. */
async function checkAll(entries: readonly HeldEntry[], surroundings: Surroundings): Promise<boolean> {
  let isFine = true;
  const configs = entries.map(({ client, found, isAsItWas }) => ({ ...found, title: client.title, isAsItWas }));
  for (const { title, config, elsewhere, isAsItWas } of distinct(configs)) {
    if (neededOf(elsewhere).length > 0) continue;
    const { findings } = await examine(config, surroundings, sentence`in the entry of ${title}`);
    const what = isAsItWas ? `The entry of ${title}, as it was:\n\n` : '';
    surroundings.print(`${what}${findingLines(findings).join('\n')}\n\n${summaryOf(findings)}\n`);
    isFine &&= isAsItWas === true || findings.every(({ level }) => level !== 'wrong');
  }
  return isFine;
}
