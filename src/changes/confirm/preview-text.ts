import type { Preview } from '../plan.ts';

/** What is shown of a plan; the rest is in its resource. */
const MAX_WARNINGS = 40;
const MAX_LINES = 60;
const MAX_CHARACTERS = 8_000;

interface ShortPreview {
  readonly warnings: readonly string[];
  readonly lines: readonly string[];
  /** What is left out, and where it is; empty where nothing is. */
  readonly more: string;
}

/** A plan's warnings and lines, as many as an answer bears: what is lost first. */
export function shortPreview({ warnings, lines }: Preview, changeId?: string): ShortPreview {
  const shownWarnings = shorten(warnings, MAX_WARNINGS);
  const shownLines = shorten(lines, MAX_LINES);
  const left = [...leftOut(warnings.length - shownWarnings.length, 'warning'), ...leftOut(lines.length - shownLines.length, 'line')].join(
    ' and ',
  );
  const where = changeId === undefined ? '' : ` in video-hosting://changes/${changeId}`;
  return { warnings: shownWarnings, lines: shownLines, more: left === '' ? '' : `… and ${left}${where}` };
}

/** The plan as a person reads it before they agree. */
export function previewText(preview: Preview, changeId: string): string {
  const { warnings, lines, more } = shortPreview(preview, changeId);
  return [
    preview.summary,
    ...warnings.map((warning) => `! ${warning}`),
    ...lines.map((line) => `- ${line}`),
    more,
    preview.onFailure,
    // Said as a warning, it need not be said again.
    `Undo: ${warnings.includes(preview.undo.how) ? 'none.' : preview.undo.how}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const leftOut = (count: number, what: string): string[] => (count > 0 ? [`${count} more ${what}${count === 1 ? '' : 's'}`] : []);

function shorten(lines: readonly string[], most: number): string[] {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(0, most)) {
    characters += line.length;
    if (characters > MAX_CHARACTERS) break;
    shown.push(line);
  }
  return shown;
}
