import type { Coverage } from '../analytics/contract.ts';
import { resolveSpan, spanText } from '../analytics/resolve/dates.ts';
import { openWorkspace } from '../app/workspace.ts';
import { missingSettings, SETTINGS, type Settings } from '../config/settings.ts';
import { createProgress } from './progress.ts';
import { EXIT, type ExitCode, notSet, type Surroundings } from './surroundings.ts';

/** Reads view logs ahead of questions. Days that were read completely are kept, however the command ends. */
export async function sync({ config, version, log, print, status, signal }: Surroundings): Promise<ExitCode> {
  const { from = '', to } = config.options;
  const span = resolveSpan({ from, to }, Date.now());
  checkSet(config.settings);
  const workspace = await openWorkspace({ config, version, log });
  const progress = createProgress(status);
  try {
    const analytics = await workspace.analytics();
    const until = Number.POSITIVE_INFINITY;
    const coverage = await analytics.sync.ensure(span, { signal, until, progress: progress.show });
    progress.end();
    print(`${spanText(span)}\n${coverageText(coverage)}\n`);
    return coverage.complete ? EXIT.done : EXIT.failed;
  } finally {
    progress.end();
    await workspace.close();
  }
}

function checkSet(settings: Settings): void {
  const { variable } = SETTINGS.statsUrl;
  const missing = [...missingSettings(settings), ...(settings.demo || settings.statsUrl !== undefined ? [] : [variable])];
  if (missing.length > 0) throw notSet(missing);
}

function coverageText({ records, complete, missing, rejected, asOf }: Coverage): string {
  const kept = `${records.toLocaleString('en')} views are kept${asOf === null ? '' : `, as of ${asOf}`}.`;
  const aside = rejected.reasons.map(({ reason, count }) => `  ${count.toLocaleString('en')}: ${reason}`);
  return [
    kept,
    ...(rejected.count === 0 ? [] : [`${rejected.count.toLocaleString('en')} malformed records were set aside:`, ...aside]),
    complete ? 'Nothing is missing.' : `Not whole. ${missing ?? 'No reason is known.'} Run the same command again for the rest.`,
  ].join('\n');
}
