import { VideoHostingError } from '../../errors.ts';
import type { ChartInput } from './contract.ts';

/**
 * The chart as a PNG, 1,200 pixels wide. The first call loads the renderer. Throws `chart_unavailable` if the native renderer
 * or the fonts are missing.
 */
export async function renderChart(input: ChartInput): Promise<Buffer> {
  const { drawChart } = await import('./draw.ts').catch((cause: unknown) => {
    throw new VideoHostingError(
      'chart_unavailable',
      'Charts can’t be drawn on this machine: a part of the installation could not be loaded.',
      { cause },
    );
  });
  return drawChart(input);
}
