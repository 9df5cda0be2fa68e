/**
 * Eight colours after Okabe and Ito, moved until each two, and the grey, stay apart in the three kinds of colour blindness
 * (at least 6 hundredths in OKLab) and on white; without the yellow, which nobody can read there.
 */
export const SERIES_COLORS = ['#0072B2', '#E69F00', '#009E73', '#A679A1', '#56B4E9', '#A03F00', '#2B2B6B', '#7A7A00'] as const;
export const OTHERS_COLOR = '#A3ABB6';

/** Below zero, where no other colour means anything. */
export const LOSS_COLOR = '#D1711A';

export const INK = {
  title: '#111827',
  text: '#374151',
  muted: '#5B6472',
  line: '#9CA3AF',
  grid: '#E8EBEF',
  card: '#FFFFFF',
  border: '#D5DAE1',
  empty: '#F3F4F6',
} as const;

/** From little to much, in one hue: also right in grey. */
const RAMP = ['#E6F0FA', '#BBD7EE', '#82B6DD', '#4690C6', '#1B67A5', '#0B4079', '#082650'];
/** From far below zero to far above it. */
const BOTH_WAYS = ['#8F3A00', '#D1711A', '#F3BE85', '#F6F6F4', '#9CC4E4', '#3A84BF', '#0B4079'];

export const seriesColor = (index: number, isOthers = false): string =>
  isOthers ? OTHERS_COLOR : (SERIES_COLORS[index % SERIES_COLORS.length] ?? OTHERS_COLOR);

/** Half way to white: what was before. */
export const lighter = (color: string): string => mix(color, INK.card, 0.58);

/** Colours for a heatmap of these bounds; both ways where there are values below zero. */
export function heatScale(low: number, high: number): { readonly colors: readonly string[]; readonly from: number; readonly to: number } {
  const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
  return low < 0 ? { colors: BOTH_WAYS, from: -most, to: most } : { colors: RAMP, from: 0, to: most };
}

/** The colour of a value on a scale, as `#rrggbb`. */
export function heatColor(value: number, { colors, from, to }: ReturnType<typeof heatScale>): string {
  const at = Math.min(1, Math.max(0, (value - from) / (to - from))) * (colors.length - 1);
  const index = Math.min(colors.length - 2, Math.floor(at));
  return mix(colors[index] ?? INK.empty, colors[index + 1] ?? INK.empty, at - index);
}

/** Dark or light, whichever has more contrast on it. */
export function inkOn(color: string): string {
  const [dark, light, ground] = [luminanceOf(INK.title), luminanceOf(INK.card), luminanceOf(color)];
  return ground * ground > dark * light ? INK.title : INK.card;
}

/** What WCAG computes contrast from: relative luminance, plus 0.05 for the light in the room. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) + 0.05;
}

function mix(from: string, to: string, share: number): string {
  const target = channelsOf(to);
  const channels = channelsOf(from).map((channel, index) => Math.round(channel + ((target[index] ?? 0) - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
