import { VideoHostingError } from '../../errors.ts';
import type { ChartInput } from './contract.ts';
import type { Picture } from './draw.ts';

/**
 * The chart as a PNG, 1,200 pixels wide, and what it shows. What draws it is loaded by the first call; where the machine lacks a part of
 * it (the native renderer, the fonts), that is `chart_unavailable`, and the numbers are there all the same.
 */
export async function renderChart(input: ChartInput): Promise<Picture> {
  const { drawChart } = await import('./draw.ts').catch((cause: unknown) => {
    throw new VideoHostingError(
      'chart_unavailable',
      'Charts can’t be drawn on this machine: a part of the installation could not be loaded.',
      { cause },
    );
  });
  return drawChart(input);
}
