import { VideoHostingError } from '../errors.ts';
import type { App } from './app-contract.ts';
import { callTool } from './call-tool.ts';
import { complete } from './complete.ts';
import { prompts } from './prompts/index.ts';
import { readResource } from './resources/index.ts';
import { type AppContext, openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

/** Everything behind the protocol shell. Nothing is opened before a call needs it. */
export function createApp(options: WorkspaceOptions): App {
  let workspace: Promise<Workspace> | undefined;
  const open = (): Promise<Workspace> => {
    refuseWrongSettings(options);
    // A failed opening is tried again by the next call.
    workspace ??= openWorkspace(options).catch((error: unknown) => {
      workspace = undefined;
      throw error;
    });
    return workspace;
  };
  const context: AppContext = { ...options, open };
  return {
    callTool: (name, args, call) => callTool(context, name, args, call),
    readResource: (uri, call) => readResource(context, uri, call),
    getPrompt: async (name, args) => {
      refuseWrongSettings(options);
      const prompt = prompts.find((candidate) => candidate.name === name);
      return prompt && { text: prompt.text(args) };
    },
    complete: (of, argument, typed, call) => complete(context, of, argument, typed, call),
    async close() {
      await workspace?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
}

/** A setting that is wrong is not worked around: nothing is done until it is right. */
function refuseWrongSettings({ config }: Pick<WorkspaceOptions, 'config'>): void {
  if (config.problems.length === 0) return;
  const fields = config.problems.map((problem) => ({ field: 'setting', problem }));
  throw new VideoHostingError('settings_invalid', `This server’s settings are wrong, so it does nothing: ${config.problems.join(' ')}`, {
    facts: { fields: fields.length > 1 ? fields : [], outcome: 'nothing-sent' },
  });
}
