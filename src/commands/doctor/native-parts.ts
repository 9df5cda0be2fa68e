/** Tries the parts that are made for one platform, each in a process of its own: one that doesn't fit may take its process down. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../analytics/engine/engine.ts';
import { ERRORS, VideoHostingError } from '../../errors.ts';
import { type Finding, fine, wrong } from '../../mcp/setup/finding.ts';
import { removeIfPossible } from '../../platform/files.ts';

const PATIENCE_MS = 30_000;

/** Has the engine answer a query, as it will be for every question. */
export async function checkEngine(signal: AbortSignal): Promise<Finding> {
  const about = 'Analytics engine';
  const tempFolder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-doctor-'));
  const said: string[] = [];
  const engine = createEngine({ tempFolder, log: (line) => said.push(line) });
  try {
    const sql = 'SELECT library_version FROM pragma_version()';
    const { rows } = await engine.query({ parts: [], sql, params: [], maxRows: 1, timeoutMs: PATIENCE_MS, signal });
    return fine(about, `DuckDB ${String(rows[0]?.[0])} runs here.`);
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return wrong(about, firstLine([error.message, ...said].join(' ')), ERRORS.analytics_unavailable.hint);
  } finally {
    await engine.close();
    await removeIfPossible(tempFolder);
  }
}

/** What is drawn: the least there is. */
const CHART = {
  kind: 'bar',
  title: 'Test',
  subtitle: [],
  columns: [{ name: 'views', type: 'BIGINT' }],
  rows: [[1]],
  dimensions: [],
  metric: 'views',
};
const CHART_FILE = join(import.meta.dirname, 'chart.cjs');
/** Draws it, and says what kind of file came of it. */
const DRAW = `require(${JSON.stringify(CHART_FILE)}).drawChart(${JSON.stringify(CHART)})
  .then((png) => require('node:fs').writeSync(1, png.toString('latin1', 1, 4)));`;

/** Has a small chart drawn. */
export async function checkRenderer(signal: AbortSignal): Promise<Finding> {
  const about = 'Charts';
  const { stdout, problem } = await runNode(['-e', DRAW], signal);
  if (stdout === 'PNG') return fine(about, 'are drawn here.');
  return wrong(about, `can’t be drawn here: ${firstLine(problem)}`, ERRORS.chart_unavailable.hint);
}

function runNode(args: readonly string[], signal: AbortSignal): Promise<{ stdout: string; problem: string }> {
  // Nothing of this process's environment. Where it runs on Electron's Node, so must the other.
  const options = { env: { ELECTRON_RUN_AS_NODE: '1' }, timeout: PATIENCE_MS, windowsHide: true, signal };
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      // Node's own report begins with the place; the error itself is the first line that names one.
      const named = /^\w*Error\b.*$/m.exec(stderr)?.[0];
      resolve({ stdout, problem: named ?? (error?.signal ? `its process ended with ${error.signal}.` : String(error?.message)) });
    });
  });
}

const MAX_CHARS = 300;

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, MAX_CHARS);
