import { once } from 'node:events';
import type { Workspace } from '../app/workspace.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { ownCommand } from '../text/own-command.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';
import { withWorkspace } from './with-workspace.ts';

/** How often it is looked at whether a browser has loaded the page. */
const LOOK_MS = 1_000;

function browserHint({ demo }: Settings): string {
  const set = `Set ${SETTINGS.browser.variable} or BROWSER to a program that opens your browser.`;
  // Of the made-up account they have nothing.
  return demo ? set : `${set} Without one, \`${ownCommand('waiting')}\` and \`${ownCommand('approvals')}\` do much of it at a terminal.`;
}

/** `page`: the approval page without an assistant, until it is ended. */
export const page = (surroundings: Surroundings): Promise<ExitCode> =>
  withWorkspace(surroundings, (workspace) => untilEnded(workspace, surroundings).finally(() => surroundings.terminal?.input.pause()));

async function untilEnded({ page: shown, pageDeps, settings }: Workspace, { log, terminal, signal }: Surroundings): Promise<ExitCode> {
  const again = terminal === undefined ? 'start this command again' : 'press Enter';
  let isToldMissed = false;

  async function open(): Promise<boolean> {
    isToldMissed = false;
    const unavailable = shown.unavailable();
    if (unavailable === undefined && (await shown.open())) return true;
    const why = unavailable ?? 'The program that opens your browser could not be started, or failed.';
    log(`The approval page was not opened. ${why} ${browserHint(settings)}`);
    return false;
  }
  function look(): void {
    if (isToldMissed || !shown.isMissed()) return;
    isToldMissed = true;
    log(`No browser has loaded the approval page. To try once more, ${again}. ${browserHint(settings)}`);
  }

  if (!(await open())) return EXIT.failed;
  log(`${pageDeps.accountName}: its approval page opens in your browser. If you close it, ${again} to have it back; Ctrl+C ends it.`);
  if (pageDeps.readOnly) log(`${SETTINGS.readOnly.variable} is set, so nothing can be applied there.`);
  terminal?.input.on('data', () => void open().catch((error: unknown) => log(String(error))));
  // It keeps the process, which the page’s server does not.
  const looking = setInterval(look, LOOK_MS);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(looking);
  log('The approval page has ended. What was not applied was not sent. What was still being carried out stopped, and can be carried on.');
  return EXIT.done;
}
