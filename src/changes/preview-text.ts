import type { Preview } from './plan.ts';

/** Lines shown of a plan; the rest is in its resource. */
const MOST_LINES = 60;
const MOST_CHARACTERS = 8_000;

/** The plan as a person reads it before they agree: what is lost first. */
export function previewText(preview: Preview, changeId: string): string {
  const shown = shorten(preview.lines, MOST_LINES, MOST_CHARACTERS);
  const left = preview.lines.length - shown.length;
  return [
    preview.summary,
    ...preview.warnings.map((warning) => `! ${warning}`),
    ...shown.map((line) => `- ${line}`),
    ...(left > 0 ? [`… and ${left} more, in video-hosting://changes/${changeId}`] : []),
    preview.onFailure,
    `Undo: ${preview.undo.how}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function shorten(lines: readonly string[], mostLines: number, mostCharacters: number): string[] {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(0, mostLines)) {
    characters += line.length;
    if (characters > mostCharacters) break;
    shown.push(line);
  }
  return shown;
}
