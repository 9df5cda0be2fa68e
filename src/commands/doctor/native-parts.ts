/** Tries the native modules, each in a process of its own: one built for another platform may crash its process. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../analytics/engine/engine.ts';
import { ERRORS, VideoHostingError } from '../../errors.ts';
import { type Finding, fine, wrong } from '../../mcp/setup/finding.ts';
import { removeIfPossible } from '../../platform/files.ts';

const TIMEOUT_MS = 30_000;

/** Runs a query on the engine. */
export async function checkEngine(signal: AbortSignal): Promise<Finding> {
  const about = 'Analytics engine';
  const tempFolder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-doctor-'));
  const logged: string[] = [];
  const engine = createEngine({ tempFolder, log: (line) => logged.push(line) });
  try {
    const sql = 'SELECT library_version FROM pragma_version()';
    const { rows } = await engine.query({ parts: [], sql, params: [], maxRows: 1, timeoutMs: TIMEOUT_MS, signal });
    return fine(about, `DuckDB ${String(rows[0]?.[0])} runs here.`);
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return wrong(about, firstLine([error.message, ...logged].join(' ')), ERRORS.analytics_unavailable.hint);
  } finally {
    await engine.close();
    await removeIfPossible(tempFolder);
  }
}

/** The smallest chart. */
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
/** Draws it and prints the file format. */
const DRAW = `require(${JSON.stringify(CHART_FILE)}).drawChart(${JSON.stringify(CHART)})
  .then(({ png }) => require('node:fs').writeSync(1, png.toString('latin1', 1, 4)));`;

/** Draws a small chart. */
export async function checkRenderer(signal: AbortSignal): Promise<Finding> {
  const about = 'Charts';
  const { stdout, problem } = await runNode(['-e', DRAW], signal);
  if (stdout === 'PNG') return fine(about, 'are drawn here.');
  return wrong(about, `can’t be drawn here: ${firstLine(problem)}`, ERRORS.chart_unavailable.hint);
}

function runNode(args: readonly string[], signal: AbortSignal): Promise<{ stdout: string; problem: string }> {
  // No other variable of this environment is passed on. In Electron the child process needs this one to run as Node.
  const options = { env: { ELECTRON_RUN_AS_NODE: '1' }, timeout: TIMEOUT_MS, windowsHide: true, signal };
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      // Node's report begins with the place in the code; the first line that names an error is its message.
      const named = /^\w*Error\b.*$/m.exec(stderr)?.[0];
      resolve({ stdout, problem: named ?? (error?.signal ? `its process ended with ${error.signal}.` : String(error?.message)) });
    });
  });
}

const MAX_CHARS = 300;

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, MAX_CHARS);
