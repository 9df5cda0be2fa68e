import { FONT_FAMILY, widthOf } from './font.ts';
import { type heatScale, INK } from './palette.ts';
import { PLOT_WIDTH } from './plot.ts';
import { shortenAll, type TextStyle, wrap, wrapParts } from './text.ts';

const PADDING = 24;
/** The card's, in the units that everything is laid out in; the picture has half as many pixels again. */
const PAGE_WIDTH = PLOT_WIDTH + 2 * PADDING;

const TITLE = { size: 19, bold: true };
const SUBTITLE = { size: 12.5 };
const LEGEND = { size: 12 };
const NOTE = { size: 11 };
const MAX_LEGEND_NAME = 220;

export interface LegendItem {
  readonly label: string;
  readonly color: string;
}

export interface Page {
  readonly title: string;
  readonly subtitle: readonly string[];
  readonly legend: readonly LegendItem[];
  /** Of a heatmap, with the words for both ends. */
  readonly ramp?: { readonly scale: ReturnType<typeof heatScale>; readonly from: string; readonly to: string; readonly empty?: string };
  /** What stands over the axis at the side. */
  readonly heading: string;
  readonly plot?: { readonly svg: string; readonly height: number };
  /** Written where the plot would be. */
  readonly message?: string;
  readonly notes: readonly string[];
}

/** The whole card as SVG: what Vega drew, and round it what a person reads first. */
export function pageSvg(page: Page): string {
  const parts: string[] = [];
  let y = PADDING;
  const lines = (texts: readonly string[], style: TextStyle, color: string, leading: number): void => {
    for (const text of texts) {
      y += style.size * leading;
      parts.push(textAt(PADDING, y - style.size * (leading - 1), text, style, color));
    }
  };
  lines(wrap(page.title, PLOT_WIDTH, TITLE, 2), TITLE, INK.title, 1.25);
  y += 3;
  lines(wrapParts(page.subtitle, PLOT_WIDTH, SUBTITLE, 3), SUBTITLE, INK.muted, 1.4);
  y += 14;
  if (page.legend.length > 0) {
    const legend = legendAt(page.legend, y);
    parts.push(legend.svg);
    y += legend.height;
  }
  if (page.ramp !== undefined) {
    parts.push(rampAt(page.ramp, y));
    y += 26;
  }
  if (page.plot !== undefined) {
    lines(page.heading === '' ? [] : [page.heading], NOTE, INK.muted, 1.4);
    y += 8;
    parts.push(`<g transform="translate(${PADDING},${y})">${page.plot.svg}</g>`);
    y += page.plot.height;
  }
  if (page.message !== undefined) {
    parts.push(textAt(PAGE_WIDTH / 2, y + 110, page.message, { size: 16 }, INK.muted, 'middle'));
    y += 200;
  }
  y += page.notes.length > 0 ? 8 : 0;
  for (const note of page.notes) lines(wrap(note, PLOT_WIDTH, NOTE, 3), NOTE, INK.muted, 1.4);
  const height = Math.ceil((y + PADDING) / 2) * 2;
  const card = `<rect x="0.5" y="0.5" width="${PAGE_WIDTH - 1}" height="${height - 1}" rx="10" fill="${INK.card}" stroke="${INK.border}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE_WIDTH}" height="${height}" viewBox="0 0 ${PAGE_WIDTH} ${height}" font-family="${FONT_FAMILY}">${card}${parts.join('')}</svg>`;
}

function textAt(x: number, y: number, text: string, { size, bold = false }: TextStyle, color: string, anchor = 'start'): string {
  const weight = bold ? ' font-weight="bold"' : '';
  const round = (value: number): number => Math.round(value * 100) / 100;
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${weight} fill="${color}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** One after the other, as many lines as it takes. */
function legendAt(items: readonly LegendItem[], top: number): { readonly svg: string; readonly height: number } {
  const parts: string[] = [];
  let x = PADDING;
  let y = top;
  for (const { label, color } of items) {
    const width = 18 + widthOf(label, LEGEND.size);
    if (x > PADDING && x + width > PADDING + PLOT_WIDTH) {
      x = PADDING;
      y += 20;
    }
    parts.push(
      `<rect x="${x}" y="${y}" width="12" height="12" rx="2.5" fill="${color}"/>`,
      textAt(x + 18, y + 10.5, label, LEGEND, INK.text),
    );
    x = Math.round(x + width + 20);
  }
  return { svg: parts.join(''), height: y - top + 24 };
}

export const legendNames = (labels: readonly string[]): string[] => shortenAll(labels, MAX_LEGEND_NAME, LEGEND);

const RAMP_WIDTH = 180;

function rampAt({ scale, from, to, empty }: NonNullable<Page['ramp']>, y: number): string {
  const start = PADDING + Math.ceil(widthOf(from, LEGEND.size)) + 8;
  const end = start + RAMP_WIDTH;
  const stops = scale.colors.map((color, index) => `<stop offset="${index / (scale.colors.length - 1)}" stop-color="${color}"/>`);
  const ramp = `<linearGradient id="ramp">${stops.join('')}</linearGradient><rect x="${start}" y="${y}" width="${RAMP_WIDTH}" height="12" rx="2.5" fill="url(#ramp)"/>`;
  const words = textAt(PADDING, y + 10.5, from, LEGEND, INK.text) + textAt(end + 8, y + 10.5, to, LEGEND, INK.text);
  if (empty === undefined) return ramp + words;
  const after = end + 8 + Math.ceil(widthOf(to, LEGEND.size)) + 24;
  const swatch = `<rect x="${after}" y="${y}" width="12" height="12" rx="2.5" fill="${INK.empty}" stroke="${INK.border}"/>`;
  return ramp + words + swatch + textAt(after + 18, y + 10.5, empty, LEGEND, INK.text);
}
