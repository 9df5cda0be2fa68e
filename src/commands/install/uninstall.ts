import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import { createAsker } from './ask.ts';
import { carryOut, type Opened, openAll, trying } from './change.ts';
import { chooseClients } from './choose.ts';
import { SERVER } from './entry.ts';
import { difference, masked, snippet } from './preview.ts';
import { INPUT_IDS } from './told.ts';

/**
 * Takes this server out of the configuration of AI clients: shows each change, asks, copies what was there, writes. Ends
 * with 0 when none has it any more, 1 when one was declined or could not be written, 2 when nothing could be asked.
 */
export async function uninstall(surroundings: Surroundings): Promise<ExitCode> {
  const { config, terminal, log, print } = surroundings;
  const { options } = config;
  let done = true;
  const problem = ({ message, hint }: { readonly message: string; readonly hint: string }): void => {
    done = false;
    log(`${message} ${hint}`);
  };
  const opened = await openAll(chooseClients(surroundings), (_one, error) => problem(error));
  const asker = terminal === undefined ? undefined : createAsker(terminal);
  const changes = opened.flatMap((one) => {
    const text = one.document.without(one.client.secrets.kind === 'prompt' ? INPUT_IDS : []);
    return text === one.config.text ? [] : [{ one, change: changeOf(one, text) }];
  });
  if (changes.length === 0) print(`"${SERVER}" is in no configuration of ${opened.map(({ client }) => client.title).join(', ')}.\n`);
  const showOnly = options.print === true || (asker === undefined && options.yes === undefined);
  for (const { one, change } of changes) {
    if (showOnly) {
      print(`${one.client.title}: ${one.config.path}\n\n${change.shown}\n\n`);
      continue;
    }
    const take = async (): Promise<void> => {
      if (await carryOut(one, change, surroundings, asker)) print('\n');
      else done = false;
    };
    await trying(take, problem);
  }
  if (options.print === true || changes.length === 0 || !showOnly) return done ? EXIT.done : EXIT.failed;
  log('Nothing was written, since nobody can be asked here. Run it at a terminal, or with --yes.');
  return EXIT.usage;
}

function changeOf({ client, document }: Opened, text: string) {
  const { entry } = document;
  return {
    text,
    secret: false,
    shown: entry === undefined ? `- ${INPUT_IDS.join(', ')}` : difference(snippet(client, masked(entry, undefined)), ''),
    question: `Take "${SERVER}" out of the configuration of ${client.title}?`,
  };
}
