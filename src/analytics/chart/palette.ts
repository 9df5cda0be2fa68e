/**
 * Eight colours after Okabe and Ito without the yellow, which is unreadable on white. Any two of them, and the grey, are at
 * least 0.06 apart in OKLab in the three kinds of colour blindness.
 */
export const SERIES_COLORS = ['#0072B2', '#E69F00', '#009E73', '#A679A1', '#56B4E9', '#A03F00', '#2B2B6B', '#7A7A00'] as const;
export const OTHERS_COLOR = '#A3ABB6';

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

/** One hue from few to many, readable in grey too. */
export const HEAT_COLORS = ['#E6F0FA', '#BBD7EE', '#82B6DD', '#4690C6', '#1B67A5', '#0B4079', '#082650'];
/** The same for negative values, and zero between the two hues. */
export const NEGATIVE_COLORS = ['#FBE8D6', '#F3C79E', '#E59C62', '#C7702E', '#994B13', '#6B2F08', '#431B04'];
export const MIDDLE_COLOR = '#FFFFFF';
/** Relative luminance above which dark text has more contrast than white text. */
export const DARK_TEXT_FROM = 0.2;

export const seriesColor = (index: number, isOthers = false): string =>
  isOthers ? OTHERS_COLOR : (SERIES_COLORS[index % SERIES_COLORS.length] ?? OTHERS_COLOR);

/** A colour mixed with 58 % of white, for the comparison period. */
export const lighter = (color: string): string =>
  `#${[1, 3, 5].map((index) => Math.round(0.42 * Number.parseInt(color.slice(index, index + 2), 16) + 0.58 * 255).toString(16)).join('')}`;
