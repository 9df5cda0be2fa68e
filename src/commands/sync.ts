import type { Coverage } from '../analytics/contract.ts';
import { resolveSpan, spanText } from '../analytics/resolve/dates.ts';
import type { Workspace } from '../app/workspace.ts';
import { missingSettings, SETTINGS } from '../config/settings.ts';
import { counted } from '../text/counted.ts';
import { createProgress } from './progress.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';
import { withWorkspace } from './with-workspace.ts';

/** Reads view logs ahead of questions. Days that were read completely are kept, however the command ends. */
export async function sync(surroundings: Surroundings): Promise<ExitCode> {
  const { config, print, status, signal } = surroundings;
  const { settings, options } = config;
  const span = resolveSpan({ from: options.from ?? '', to: options.to }, Date.now());
  const isSet = settings.demo || settings.statsUrl !== undefined;
  const missing = [...missingSettings(settings), ...(isSet ? [] : [SETTINGS.statsUrl.variable])];
  const progress = createProgress(status);
  const read = async (workspace: Workspace): Promise<ExitCode> => {
    const analytics = await workspace.analytics();
    const until = Number.POSITIVE_INFINITY;
    const coverage = await analytics.sync.ensure(span, { signal, until, progress: progress.show });
    progress.end();
    print(`${spanText(span)}\n${coverageText(coverage)}\n`);
    return coverage.complete ? EXIT.done : EXIT.failed;
  };
  return withWorkspace(surroundings, (workspace) => read(workspace).finally(progress.end), missing);
}

function coverageText({ records, complete, missing, rejected, asOf, ahead = 0 }: Coverage): string {
  const kept = `${counted(records, 'view')} ${records === 1 ? 'is' : 'are'} kept${asOf === null ? '' : `, as of ${asOf}`}.`;
  const aside = rejected.reasons.map(({ reason, count }) => `  ${count.toLocaleString('en')}: ${reason}`);
  return [
    kept,
    ...(rejected.count === 0
      ? []
      : [`${counted(rejected.count, 'malformed record')} ${rejected.count === 1 ? 'was' : 'were'} set aside:`, ...aside]),
    ...(ahead === 0 ? [] : [`Set aside, as dated in the future: ${counted(ahead, 'record')}.`]),
    complete ? 'Nothing is missing.' : `Not whole. ${missing ?? 'No reason is known.'} Run the same command again for the rest.`,
  ].join('\n');
}
