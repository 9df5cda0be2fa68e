import { cancelledError, VideoHostingError } from '../../errors.ts';
import { inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import { builtFile } from '../workers/built-file.ts';
import type { Died } from '../workers/worker.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { ChartInput } from './contract.ts';
import type { Picture, Rendering } from './rendering.ts';

/** Draws charts in child processes, which start when first needed: neither a crash nor a hang of theirs reaches the server. */
export interface Renderer {
  /**
   * The chart as a PNG, 1,200 pixels wide (a narrow one 1,026), and what it shows. Throws `chart_unavailable` if a part of the installation is missing,
   * and `chart_failed` if this chart can't be drawn.
   */
  render(input: ChartInput, signal?: AbortSignal): Promise<Picture>;
  close(): Promise<void>;
}

export interface RendererOptions {
  readonly log: (message: string) => void;
  /** The built `chart.cjs`; by default the one beside this bundle, or of the last build. */
  readonly file?: string;
  readonly timeoutMs?: number;
}

/** Many times what the largest chart takes on a slow machine. */
const TIMEOUT_MS = 20_000;
const IDLE_MS = 2 * 60_000;

export function createRenderer({ log, file, timeoutMs = TIMEOUT_MS }: RendererOptions): Renderer {
  let pool: Promise<WorkerPool<ChartInput, Rendering>> | undefined;
  let closed = false;
  const start = async () => {
    const { createWorkerPool } = await import('../workers/worker-pool.ts');
    return createWorkerPool<ChartInput, Rendering, null>({
      name: 'chart renderer',
      file: file ?? builtFile('chart.cjs'),
      config: null,
      idleMs: IDLE_MS,
      log,
      // A chart that hangs doesn't hold up the next one, and one that killed its process would kill the next process too.
      maxProcesses: 2,
      jobsPerProcess: 1,
      retries: 0,
    });
  };
  return {
    async render(input, signal) {
      if (closed || signal?.aborted) throw cancelledError({});
      pool ??= start();
      const outcome = await (await pool).run(input, { timeoutMs, signal, tooSlow });
      if (!('failure' in outcome)) return { png: Buffer.from(outcome.png, 'base64'), drawn: outcome.drawn };
      const { kind, message } = outcome.failure;
      log(`chart renderer: ${kind}: ${message}`);
      if (closed) throw cancelledError({});
      throw errorOf(outcome.failure);
    },
    async close() {
      closed = true;
      await (await pool)?.close();
    },
  };
}

function errorOf({ kind, message }: (Extract<Rendering, { failure: unknown }> | Died)['failure']): VideoHostingError {
  if (kind === 'died') return failed(sentence`the process that draws it ended (${word(message, 300)})`);
  if (kind === 'failed') return failed(inQuotes(message, 300));
  return new VideoHostingError('chart_unavailable', 'Charts can’t be drawn here: a part of the installation could not be loaded.', {
    cause: new Error(message),
  });
}

const tooSlow = (timeoutMs: number) => failed(sentence`it took longer than ${timeoutMs / 1_000} seconds, and was ended`);

const failed = (reason: Sentence): VideoHostingError =>
  new VideoHostingError('chart_failed', sentence`This chart could not be drawn: ${reason}. Nothing else is affected.`);
