import { VideoHostingError } from '../../errors.ts';
import type { ChartInput } from './contract.ts';
import type { Picture } from './draw.ts';

/**
 * The chart as a PNG, 1,200 pixels wide, and what it shows. The first call loads the renderer. Throws `chart_unavailable` if the
 * native renderer or the fonts are missing.
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
