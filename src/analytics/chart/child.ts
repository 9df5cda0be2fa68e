/** The renderer's process, the only one that loads Vega and the native renderer. It ends when its channel to the server closes. */
import type { FromWorker, ToWorker } from '../workers/worker.ts';
import type { ChartInput } from './contract.ts';
import type { Rendering } from './rendering.ts';

const drawing = import('./draw.ts');
drawing.catch(() => {});

process.on('message', (message: ToWorker<ChartInput, null>) => {
  if ('task' in message) void render(message.task).then((outcome) => send({ id: message.id, outcome }));
});
// Ctrl+C and a closed terminal signal the whole process group; only the server ends this process.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function render(input: ChartInput): Promise<Rendering> {
  const loaded = await drawing.catch((error: unknown) => messageOf(error));
  if (typeof loaded === 'string') return { failure: { kind: 'unavailable', message: loaded } };
  try {
    const { png, drawn } = await loaded.renderChart(input);
    return { png: png.toString('base64'), drawn };
  } catch (error) {
    return { failure: { kind: 'failed', message: messageOf(error) } };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function send(message: FromWorker<Rendering>): void {
  if (process.connected) process.send?.(message);
}
