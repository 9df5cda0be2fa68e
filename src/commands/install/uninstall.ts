import { existsSync, readFileSync } from 'node:fs';
import { findRemovalCommand } from '../../platform/find-own-command.ts';
import { ownCommand } from '../../text/own-command.ts';
import { joined, pathInQuotes, type Sentence, sentence } from '../../text/sentence.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { applyChange, type ConfigChange, createApprove, forEachClient, type OpenedClient, openConfig, openText } from './change-config.ts';
import { type ChosenClient, chooseClients } from './choose-clients.ts';
import type { AiClient } from './clients.ts';
import { copiesOf } from './config-file.ts';
import { removeCopies } from './copies.ts';
import { inputIdsOf } from './credential-source.ts';
import { SERVER } from './document.ts';
import { entryConfig } from './entry-config.ts';
import { NOBODY } from './install.ts';
import { difference, masked, snippet } from './preview.ts';
import { createPrompt } from './prompt.ts';
import { remoteIn } from './remote-entry.ts';

/**
 * Takes this server out of the configuration of AI clients: shows each change, asks, makes a backup, writes; then names the copies that
 * still hold a credential. Ends with 0 when each client is as the person decided, 1 when one could not be written, 2 when nobody could
 * be asked.
 */
export async function uninstall(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print, signal } = surroundings;
  const { options } = config;
  const canAsk = terminal !== undefined || options.yes === true;
  const prompt = terminal && createPrompt(terminal, signal);
  const chosen = chooseClients(surroundings);
  const opened: OpenedClient[] = [];
  const onError = (_one: ChosenClient, { message, hint }: { message: string; hint: string }): void => log(`${message} ${hint}`);
  const areOpen = await forEachClient(chosen, async (one) => opened.push(await openConfig(one)) > 0, onError);
  const removals = opened.flatMap((one) => {
    const change = removal(one);
    return change === undefined ? [] : [{ ...one, change }];
  });
  if (removals.length === 0) print(`"${SERVER}" is in no configuration of ${opened.map(({ client }) => client.title).join(', ')}.\n`);
  if (removals.length > 0 && (options.print === true || !canAsk)) {
    for (const { client, config: file, change } of removals) print(`${client.title}: ${file.path}\n\n${change.preview}\n\n`);
    if (options.print === true) return areOpen ? EXIT.done : EXIT.failed;
    log(NOBODY);
    return EXIT.usage;
  }
  const approve = createApprove(surroundings, prompt);
  const take = async (one: (typeof removals)[number]): Promise<boolean> => {
    if (await applyChange(one, one.change, surroundings, (question) => approve(question, one === removals.at(-1)))) print('\n');
    return true;
  };
  const areDone = await forEachClient(removals, take, onError);
  if (options.print !== true) await removeCopies(chosen, surroundings, prompt);
  if (removals.length > 0 && options.print !== true) print(`${whatStays(removals, surroundings)}\n`);
  return areOpen && areDone ? EXIT.done : EXIT.failed;
}

/** What is of this program and no configuration of a client. */
function whatStays(removals: readonly OpenedClient[], { config, machine }: Surroundings): Sentence {
  const programs = removals.filter(({ document }) => remoteIn(document.entry) === undefined);
  const folders = programs.map(({ client, document: { entry } }) =>
    entry === undefined ? config.settings.dataDir : entryConfig(client, entry, { given: config.given, machine }).config.settings.dataDir,
  );
  const kept = [...new Set(folders)].filter((folder) => existsSync(folder)).map(pathInQuotes);
  const data =
    kept.length === 0
      ? sentence``
      : sentence`, and what it keeps of accounts, in ${joined(kept, ', ')} (\`${ownCommand('forget --all')}\` would need the settings that were taken out; to be rid of all of it, history and undo too, remove the folder)`;
  const command = findRemovalCommand(import.meta.dirname, process);
  const removed = command === undefined ? sentence`` : sentence` To remove it: \`${command}\`.`;
  return sentence`This program itself stays${data}.${removed}`;
}

/** Whether nobody would miss the file: nothing is in it, comments neither. */
const isEmpty = (text: string): boolean => /^\ufeff?(?:\{\})?$/.test(text.replaceAll(/\s/g, ''));

/** Whether the file was there before install wrote to it: a copy of it then has no entry of ours. */
const wasThereBefore = (client: AiClient, file: string): boolean =>
  copiesOf(file).some((copy) => {
    try {
      return openText(client, readFileSync(copy, 'utf8')).entry === undefined;
    } catch {
      return true;
    }
  });

function removal({ client, config, document, file }: OpenedClient): ConfigChange | undefined {
  const { entry } = document;
  const inputs = client.secrets.kind === 'prompt' ? inputIdsOf(entry ?? {}) : [];
  const text = document.without(inputs);
  if (text === config.text) return undefined;
  const isOurs = isEmpty(text) && config.path === config.target && !wasThereBefore(client, file);
  const preview = entry === undefined ? `- ${inputs.join(', ')}` : difference(snippet(client, masked(entry)), '');
  return {
    ...{ text, secret: false, isRemoved: isOurs },
    preview: isOurs ? `${preview}\n\nNothing else is in the file, which install made: it is removed.` : preview,
    question: `Take "${SERVER}" out of the configuration of ${client.title}?`,
  };
}
