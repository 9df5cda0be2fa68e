import { VideoHostingError } from '../../errors.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Asker } from './ask.ts';
import type { Chosen } from './choose.ts';
import type { ConfigDocument } from './document.ts';
import { type ConfigFile, readConfig, writeConfig } from './file.ts';
import { openJson } from './json-document.ts';
import { openToml } from './toml-document.ts';

/** A client with its configuration as it is now. */
export interface Opened extends Chosen {
  readonly config: ConfigFile;
  readonly document: ConfigDocument;
}

/** Reads what can be read, and passes the check; `onProblem` is told of the rest. */
export async function openAll(
  chosen: readonly Chosen[],
  onProblem: (one: Chosen, error: VideoHostingError) => void,
  check: (one: Chosen) => void = () => {},
): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const one of chosen)
    await trying(
      async () => {
        check(one);
        const config = await readConfig(one.file);
        opened.push({ ...one, config, document: documentOf(config, one) });
      },
      (error) => onProblem(one, error),
    );
  return opened;
}

/** The document of a configuration; what is wrong with it is told with its path. */
function documentOf({ path, text }: ConfigFile, { client }: Chosen): ConfigDocument {
  const { entry, ...document } = withPath(path, () => (client.format === 'json' ? openJson(text, client.key) : openToml(text, client.key)));
  return {
    entry,
    with: (wanted, inputs) => withPath(path, () => document.with(wanted, inputs)),
    without: (inputIds) => withPath(path, () => document.without(inputIds)),
  };
}

function withPath<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof VideoHostingError) throw new VideoHostingError(error.code, `${path}: ${error.message}`);
    // The parsers go as deep as the text does.
    if (error instanceof RangeError) throw new VideoHostingError('client_config', `${path}: it is nested too deeply to be read.`);
    throw error;
  }
}

/** Whether it went well. What fails for one client does not stop the others. */
export async function trying(act: () => Promise<void>, onProblem: (error: VideoHostingError) => void): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof VideoHostingError) || error.code !== 'client_config') throw error;
    onProblem(error);
    return false;
  }
}

export interface Change {
  readonly text: string;
  /** The file will hold a credential that was not there before. */
  readonly secret: boolean;
  /** What the person sees before they are asked. */
  readonly shown: string;
  readonly question: string;
}

/** Shows a change, asks unless that is waived, and writes it. Answers whether it was written. */
export async function carryOut(one: Opened, change: Change, { print, config }: Surroundings, asker: Asker | undefined): Promise<boolean> {
  const { path, target } = one.config;
  print(`${one.client.title}: ${path}${target === path ? '' : ` (a link to ${target})`}\n\n${change.shown}\n\n`);
  if (config.options.yes === undefined && (asker === undefined || !(await asker.confirm(change.question)))) {
    print('Left as it was.\n\n');
    return false;
  }
  const backup = await writeConfig(one.config, change.text, change.secret);
  print(
    `Written.${backup === undefined ? '' : ` What was there before is in ${backup} (delete it when all is well; it may hold credentials).`}\n`,
  );
  return true;
}
