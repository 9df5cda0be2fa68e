import { FONT_FAMILY } from './font.ts';
import { INK } from './palette.ts';
import { type TextStyle, wrap } from './text.ts';

const PADDINGS = { wide: 24, narrow: 16 } as const;
/** Twice what the most rows and names need: the renderer would need gigabytes for a page that grew without limit. */
const MAX_PAGE_HEIGHT = 3_000;

const TITLE = { size: 19, bold: true };
const SUBTITLE = { size: 12.5 };
const NOTE = { size: 11 };

interface Page {
  readonly title: string;
  readonly subtitle: readonly string[];
  readonly plot: { readonly svg: string; readonly height: number };
  readonly plotWidth: number;
  readonly size: keyof typeof PADDINGS;
  readonly notes: readonly string[];
}

export function pageSvg(page: Page): string {
  const { plotWidth } = page;
  const padding = PADDINGS[page.size];
  const pageWidth = plotWidth + 2 * padding;
  const parts: string[] = [];
  let y = padding;
  const lines = (texts: readonly string[], style: TextStyle, color: string, leading: number): void => {
    for (const text of texts) {
      y += style.size * leading;
      parts.push(textAt(padding, y - style.size * (leading - 1), text, style, color));
    }
  };
  lines(wrap(page.title, plotWidth, TITLE, page.size === 'wide' ? 2 : 4), TITLE, INK.title, 1.25);
  y += 3;
  lines(wrap(page.subtitle.join(' · '), plotWidth, SUBTITLE, page.size === 'wide' ? 3 : 6), SUBTITLE, INK.muted, 1.4);
  y += 14;
  parts.push(`<g transform="translate(${padding},${y})">${page.plot.svg}</g>`);
  y += page.plot.height + (page.notes.length > 0 ? 8 : 0);
  for (const note of page.notes) lines(wrap(note, plotWidth, NOTE, page.size === 'wide' ? 3 : 6), NOTE, INK.muted, 1.4);
  const height = Math.ceil((y + padding) / 2) * 2;
  // Also where the height is no number.
  if (!(height <= MAX_PAGE_HEIGHT)) throw new Error('its values would make a page that is too tall');
  const card = `<rect x="0.5" y="0.5" width="${pageWidth - 1}" height="${height - 1}" rx="10" fill="${INK.card}" stroke="${INK.border}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pageWidth}" height="${height}" viewBox="0 0 ${pageWidth} ${height}" font-family="${FONT_FAMILY}">${card}${parts.join('')}</svg>`;
}

function textAt(x: number, y: number, text: string, { size, bold = false }: TextStyle, color: string): string {
  const weight = bold ? ' font-weight="bold"' : '';
  const round = (value: number): number => Math.round(value * 100) / 100;
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${weight} fill="${color}">${escapeXml(text)}</text>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
