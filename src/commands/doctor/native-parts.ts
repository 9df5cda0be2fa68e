/** Tries the native modules, each in a process of its own: one built for another platform may crash its process. */
import type { ChartInput } from '../../analytics/chart/contract.ts';
import { createRenderer } from '../../analytics/chart/renderer.ts';
import { createEngine } from '../../analytics/engine/engine.ts';
import { makeTemporary } from '../../app/make-temporary.ts';
import { type Finding, fine, note, wrong } from '../../app/setup/finding.ts';
import { ERRORS } from '../../errors/codes.ts';
import { VideoHostingError } from '../../errors.ts';
import { removeIfPossible } from '../../platform/files.ts';
import { inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';

const TIMEOUT_MS = 30_000;

/** Runs a query on the engine. */
export async function checkEngine(signal: AbortSignal): Promise<Finding> {
  const about = 'Analytics engine';
  const logged: string[] = [];
  let tempFolder: string;
  try {
    tempFolder = makeTemporary('video-hosting-mcp-doctor-');
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return note(about, sentence`not tried: ${error.message}`, error.hint);
  }
  const engine = createEngine({ tempFolder, log: (line) => logged.push(line) });
  try {
    const sql = 'SELECT library_version FROM pragma_version()';
    const { rows } = await engine.query({ parts: [], sql, params: [], maxRows: 1, timeoutMs: TIMEOUT_MS, signal });
    return fine(about, sentence`DuckDB ${word(String(rows[0]?.[0]))} runs here.`);
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return wrong(about, firstLine([error.message, ...logged].join(' ')), sentence`${ERRORS.analytics_unavailable.hint}`);
  } finally {
    await engine.close();
    await removeIfPossible(tempFolder);
  }
}

/** The smallest chart. */
const CHART: ChartInput = {
  kind: 'bar',
  title: 'Test',
  subtitle: [],
  columns: [{ name: 'views', type: 'integer' }],
  rows: [[1]],
  dimensions: [],
  metrics: ['views'],
};

/** Draws a small chart. */
export async function checkRenderer(signal: AbortSignal): Promise<Finding> {
  const about = 'Charts';
  const logged: string[] = [];
  const renderer = createRenderer({ log: (line) => logged.push(line) });
  try {
    await renderer.render(CHART, signal);
    return fine(about, sentence`are drawn here.`);
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return wrong(
      about,
      sentence`can’t be drawn here: ${firstLine(logged.at(-1) ?? error.message)}`,
      sentence`${ERRORS.chart_unavailable.hint}`,
    );
  } finally {
    await renderer.close();
  }
}

const MAX_CHARS = 300;

const firstLine = (text: string): Sentence => inQuotes(text.split('\n')[0] ?? '', MAX_CHARS);
