import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { hintTexts, isNotice, toldOut } from '../notices/notices.ts';
import { type PlanLine, planLines } from './plan-lines.ts';
import { lineText, type Preview, statedIn, summaryText } from './preview.ts';
import { statedNumbers, statedText } from './stated-text.ts';

const MAX_WARNINGS = 40;
const MAX_LINES = 60;
const MAX_WARNING_CHARACTERS = 8_000;
/** Some 1,500 keys: what leaves a list and what arrives in it is shown in full. */
const MAX_LINE_CHARACTERS = 24_000;

/** A preview in an answer, cut to its size; with `isWhole`, as the change's resource has it. */
export function previewAnswer(preview: Preview, changeId?: string, isWhole = false): Values {
  const { notices, onFailure, undo } = preview;
  const planned = planLines(preview);
  const { warnings = [], notes } = toldOut(preview);
  const lines = sharedOnce(planned).map(wholeLine);
  const shown = isWhole
    ? { warnings, lines }
    : { warnings: truncate(warnings, MAX_WARNINGS, MAX_WARNING_CHARACTERS), lines: truncate(lines, MAX_LINES, MAX_LINE_CHARACTERS) };
  const leftOut = { warnings: warnings.length - shown.warnings.length, lines: lines.length - shown.lines.length };
  const cautions = [...shown.warnings, ...hintTexts(notices)];
  // What is stated is shown of each channel, if only in numbers.
  const stated = statedIn(planned);
  const first = stated.length > 0 && leftOut.lines > 0 ? [statedNumbers(stated)] : [];
  return definedFields({
    summary: summaryText(preview),
    warnings: cautions.length === 0 ? undefined : cautions,
    notes,
    lines: [...first, ...shown.lines],
    onFailure: onFailure || undefined,
    // A warning says it already.
    undo: notices.some(isNotice('no_undo')) ? { possible: undo.possible } : undo,
    more: moreText(leftOut, changeId),
    standing: preview.standing,
  });
}

/** How much is left out, and where it is. */
function moreText({ warnings, lines }: { readonly warnings: number; readonly lines: number }, changeId: string | undefined) {
  const parts = [
    ...(warnings > 0 ? [`${warnings} more warning${warnings === 1 ? '' : 's'}`] : []),
    ...(lines > 0 ? [`${lines} more line${lines === 1 ? '' : 's'}`] : []),
  ];
  const where = changeId === undefined ? '' : ` in video-hosting://changes/${changeId}`;
  return parts.length === 0 ? undefined : `… and ${parts.join(' and ')}${where}`;
}

/** With one line for all records to which the same happens. */
function sharedOnce(lines: readonly PlanLine[]): PlanLine[] {
  const groups = new Map<string, PlanLine[]>();
  for (const [index, line] of lines.entries()) {
    const isAlone = line.label === undefined || line.stated !== undefined;
    const key = isAlone ? `${index}` : JSON.stringify(line.changes);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : others.length === 0 ? first : { ...first, label: [first, ...others].map(({ label }) => label).join(', ') },
  );
}

/** A line with what is stated of its record. */
const wholeLine = ({ label, changes, stated }: PlanLine): string =>
  lineText({ label, changes: stated === undefined ? changes : [statedText(stated), ...changes] });

function truncate(lines: readonly string[], max: number, maxCharacters: number): string[] {
  let characters = 0;
  const end = lines.findIndex((line, index) => {
    characters += line.length;
    return index >= max || characters > maxCharacters;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}
