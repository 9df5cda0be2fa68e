import { setMaxListeners } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type AppContext, openWorkspace, type Workspace, type WorkspaceOptions } from '../app/workspace.ts';
import type { Settings } from '../config/settings.ts';
import { VideoHostingError } from '../errors.ts';
import { asWorkOfNow } from '../platform/whose-work.ts';
import { joined, sentence } from '../text/sentence.ts';
import { withoutPaths } from './answer/hide-paths.ts';
import type { App } from './app-contract.ts';
import { assertNoCredential, callTool } from './call/call-tool.ts';
import { complete } from './complete.ts';
import { prompts } from './prompts/index.ts';
import { readResource } from './resources/index.ts';

/** The app behind the protocol server. It opens the account with the first call that needs it. */
export function createApp(given: Omit<WorkspaceOptions, 'ending'>): App {
  const ending = new AbortController();
  // Each wait listens while it lasts.
  setMaxListeners(0, ending.signal);
  const options: WorkspaceOptions = { ...given, ending: ending.signal };
  const openHere = asWorkOfNow(() => openWorkspace(options));
  let workspace: Promise<Workspace> | undefined;
  let calls = 0;
  /** What the account turned out not to be kept in. */
  const left = new Set<Workspace>();
  const closeLeft = async (): Promise<void> => {
    const all = [...left];
    left.clear();
    await Promise.all(all.map((opened) => opened.close()));
  };
  /** What was left is closed once no call works with it. */
  const during = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    try {
      return await call();
    } finally {
      calls -= 1;
      if (calls === 0) await closeLeft();
    }
  };
  const open = async (): Promise<Workspace> => {
    refuseWrongSettings(options);
    // The next call tries again after a failure.
    workspace ??= openHere().catch((error: unknown) => {
      workspace = undefined;
      throw error;
    });
    const current = workspace;
    const opened = await current;
    if (!(await opened.hasMoved())) {
      opened.assertKept();
      return opened;
    }
    if (workspace === current) {
      workspace = undefined;
      left.add(opened);
    }
    return open();
  };
  const opened = async (): Promise<Workspace | undefined> => workspace?.catch(() => undefined);
  const context: AppContext = { ...options, open, opened };
  const app: App = {
    async ready() {
      const account = await open();
      await account.assertWritable();
      await account.assertKeeps();
      await account.assertRecorded();
    },
    sharedPage: asWorkOfNow(async () => (await open()).sharedPage()),
    callTool: (name, args, call) => during(() => callTool(context, name, args, call)),
    async readResource(uri, call) {
      assertNoCredential({ uri }, options.config);
      return during(() => readResource(context, uri, call));
    },
    async getPrompt(name, args) {
      refuseWrongSettings(options);
      assertNoCredential(args, options.config);
      return prompts.find((prompt) => prompt.name === name)?.text(args) ?? '';
    },
    async complete(of, argument, typed, call) {
      assertNoCredential({ [argument]: typed }, options.config);
      // What can’t be read has nothing to choose from.
      return during(() => complete(context, of, argument, typed, call)).catch(() => []);
    },
    end: () => ending.abort(),
    async close() {
      ending.abort();
      await closeLeft();
      await workspace?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
  return options.config.settings.sharedAt === undefined ? app : withoutPaths(app, () => ownPaths(context));
}

/** The paths of this machine that its settings name, and those that errors of the system may. */
async function ownPaths({ config, opened }: AppContext): Promise<string[]> {
  const of = ({ dataDir, videoCatalogue, standingApprovals, notify, people }: Settings) =>
    [dataDir, videoCatalogue, standingApprovals, notify, people].flatMap((path) => path ?? []);
  const workspace = await opened();
  const ofMachine = [homedir(), tmpdir(), process.cwd(), dirname(process.execPath), import.meta.dirname];
  return [...of(config.settings), ...(workspace === undefined ? [] : of(workspace.settings)), ...ofMachine];
}

/** With a wrong setting, every call is refused. */
function refuseWrongSettings({ config }: Pick<WorkspaceOptions, 'config'>): void {
  if (config.problems.length === 0) return;
  const fields = config.problems.map((problem) => ({ field: sentence`setting`, problem }));
  throw new VideoHostingError(
    'settings_invalid',
    sentence`This server’s settings are wrong, so it does nothing: ${joined(config.problems)}`,
    {
      facts: { fields: fields.length > 1 ? fields : [], outcome: 'nothing-sent' },
    },
  );
}
