import { VideoHostingError } from '../../errors.ts';
import { codeOf } from '../../platform/files.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ChosenClient } from './choose-clients.ts';
import type { AiClient } from './clients.ts';
import { type Backup, type ConfigFile, readConfig, removeConfig, writeConfig } from './config-file.ts';
import type { ConfigDocument } from './document.ts';
import { openJson } from './json-document.ts';
import type { Prompt } from './prompt.ts';
import { openToml } from './toml-document.ts';

/** A client with its current configuration. */
export interface OpenedClient extends ChosenClient {
  readonly config: ConfigFile;
  readonly document: ConfigDocument;
}

export async function openConfig(chosen: ChosenClient): Promise<OpenedClient> {
  const config = await readConfig(chosen.file);
  return { ...chosen, config, document: openText(chosen.client, config.text) };
}

export const openText = ({ format, key }: AiClient, text: string): ConfigDocument => (format === 'json' ? openJson : openToml)(text, key);

/**
 * Runs `act` for one client after the other. An error with the configuration of one is reported with its path and does not stop
 * the others. Returns whether all returned true.
 */
export async function forEachClient<T extends ChosenClient>(
  clients: readonly T[],
  act: (one: T) => Promise<boolean>,
  onError: (one: T, error: VideoHostingError) => void,
): Promise<boolean> {
  let done = true;
  for (const one of clients) {
    const isDone = await act(one).catch((error: unknown) => {
      onError(one, configError(one.file, error));
      return false;
    });
    done &&= isDone;
  }
  return done;
}

/** The error of a configuration with its path. Throws what is no error of a configuration. */
export function configError(path: string, cause: unknown): VideoHostingError {
  const refused = (problem: Sentence, hint?: Sentence) =>
    new VideoHostingError('client_config', sentence`${word(path, 1_000)}: ${problem}`, { cause, hint });
  if (cause instanceof VideoHostingError && cause.code === 'client_config') return refused(cause.message, cause.hint);
  // The parsers recurse as deep as the text is nested.
  if (cause instanceof RangeError) return refused(sentence`it is nested too deeply to be read.`);
  if (cause instanceof Error && 'syscall' in cause)
    return refused(sentence`it can’t be read or written (${codeOf(cause) === undefined ? 'no code' : word(codeOf(cause) ?? '')}).`);
  throw cause;
}

export interface ConfigChange {
  readonly text: string;
  /** The file will hold a credential that was not there before. */
  readonly secret: boolean;
  /** The file itself is removed. */
  readonly isRemoved?: boolean;
  readonly preview: string;
  readonly question: string;
}

/** Asks a person about changes, one after the other; `all` of one is yes to those that follow. Where --yes is given, nobody is asked. */
export type Approve = (question: string, isLast: boolean) => Promise<boolean>;

export function createApprove({ config: { options } }: Surroundings, prompt: Prompt | undefined): Approve {
  let isAll = options.yes === true;
  return async (question, isLast) => {
    if (isAll || prompt === undefined) return isAll;
    if (isLast) return prompt.confirmLast(question);
    const answer = await prompt.confirmEach(question);
    isAll = answer === 'all';
    return answer !== 'no';
  };
}

function backupText({ path, isNew, removed }: Backup): string {
  const kept = isNew ? `The previous file was copied to ${path}` : `An earlier copy has the previous file: ${path}`;
  const fewer = removed.length === 0 ? '' : ` Older copies, removed: ${removed.length}.`;
  return ` ${kept} (delete it when all is well; it may hold credentials).${fewer}`;
}

/** Shows a change, asks, and writes it. Returns whether it was written. */
export async function applyChange(
  { client, config }: OpenedClient,
  change: ConfigChange,
  { print }: Surroundings,
  approve: (question: string) => Promise<boolean>,
): Promise<boolean> {
  const { path, target } = config;
  print(`${client.title}: ${path}${target === path ? '' : ` (a link to ${target})`}\n\n${change.preview}\n\n`);
  if (!(await approve(change.question))) {
    print('Not changed.\n\n');
    return false;
  }
  if (change.isRemoved === true) {
    await removeConfig(config);
    print('Removed.\n');
    return true;
  }
  const backup = await writeConfig(config, change.text, change.secret);
  print(`Written.${backup === undefined ? '' : backupText(backup)}\n`);
  return true;
}
