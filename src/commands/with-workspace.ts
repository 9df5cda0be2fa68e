import { openWorkspace, type Workspace } from '../app/workspace.ts';
import { missingSettings } from '../config/settings.ts';
import { notSet, type Surroundings } from './surroundings.ts';

/** Runs `act` with the account of the settings, and closes it. Throws `settings_missing`; `missing` are those that it needs and that are not set. */
export async function withWorkspace<T>(
  { config, version, log }: Surroundings,
  act: (workspace: Workspace) => Promise<T>,
  missing: readonly string[] = missingSettings(config.settings),
): Promise<T> {
  if (missing.length > 0) throw notSet(missing);
  const workspace = await openWorkspace({ config, version, log });
  try {
    const notice = await workspace.takeNotice();
    if (notice !== undefined) log(notice);
    return await act(workspace);
  } finally {
    await workspace.close();
  }
}
