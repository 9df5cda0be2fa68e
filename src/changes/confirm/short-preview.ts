import { statedNumbers } from '../channels/stated-lists.ts';
import type { Preview } from '../plan.ts';

const MAX_WARNINGS = 40;
const MAX_LINES = 60;
const MAX_WARNING_CHARACTERS = 8_000;
/** Some 1,500 keys: what leaves a list and what arrives in it is shown in full. */
const MAX_LINE_CHARACTERS = 24_000;

interface ShortPreview {
  readonly warnings: readonly string[];
  readonly lines: readonly string[];
  /** How much is left out, and where it is; empty if nothing is. */
  readonly more: string;
}

/** A preview cut to the size of an answer; the change's resource has the whole. */
export function shortPreview({ warnings, lines, stated = [] }: Preview, changeId?: string): ShortPreview {
  const shown = {
    warnings: truncate(warnings, MAX_WARNINGS, MAX_WARNING_CHARACTERS),
    lines: truncate(lines, MAX_LINES, MAX_LINE_CHARACTERS),
  };
  const leftOut = (count: number, what: string): string[] => (count > 0 ? [`${count} more ${what}${count === 1 ? '' : 's'}`] : []);
  const more = [...leftOut(warnings.length - shown.warnings.length, 'warning'), ...leftOut(lines.length - shown.lines.length, 'line')].join(
    ' and ',
  );
  const where = changeId === undefined ? '' : ` in video-hosting://changes/${changeId}`;
  // What is stated is shown of each channel, if only in numbers.
  const first = stated.length > 0 && shown.lines.length < lines.length ? [statedNumbers(stated)] : [];
  return { warnings: shown.warnings, lines: [...first, ...shown.lines], more: more === '' ? '' : `… and ${more}${where}` };
}

function truncate(lines: readonly string[], max: number, maxCharacters: number): string[] {
  let characters = 0;
  const end = lines.findIndex((line, index) => {
    characters += line.length;
    return index >= max || characters > maxCharacters;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}
