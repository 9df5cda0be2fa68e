import { cleanText } from '../../service/sanitize-text.ts';
import type { Loss, Preview } from '../plan.ts';
import { cutQuoted, cutToColumns, wrapToColumns } from './text-columns.ts';

/** What a form shows at once in every client: longer ones lose their top or their bottom, and can still be accepted. */
const MAX_FORM_LINES = 16;
/** 110 characters, less the margin that clients draw. */
const MAX_COLUMNS = 104;
const MAX_LOSSES = 3;
/** Of a name or a title: it fits into a row. */
const MAX_QUOTED = 98;
/** Of a name beside what it loses. */
const MAX_LABEL = 40;
/** A plan with more lines is told in numbers. */
const MAX_DETAILS = 5;
/** Warnings that are shown even where the plan's lines are long. */
const MAX_CAUTIONS = 3;
/** Of one line or warning. */
const MAX_ROWS = 3;
const MAX_TITLE = 60;
/** More than the rows of a form could hold. */
const MAX_TEXT = 600;

/** The text of a form: what happens in numbers, the greatest losses by name, what can't be undone, and last what is lost. */
export function formText(preview: Preview, changeId: string): string {
  const { summary, lines, losses = [], totals = '', undo } = preview;
  const isListed = lines.length <= MAX_DETAILS;
  const head = [...rows(summary, 2), ...(isListed ? [] : rows(totals, 2)), ...lossLines(losses, !isListed)];
  const undoing = rows(`${undo.possible === 'no' ? '!' : 'Undo:'} ${undo.how}`, 3);
  const last = lossTotal(losses);
  // One row may be needed to say where the rest is.
  const room = MAX_FORM_LINES - [...head, ...undoing, ...last].length - 1;
  const cautions = [...new Set(preview.notices ?? preview.warnings)].filter((text) => text !== undo.how);
  const details = isListed ? detailLines(lines, room - Math.min(MAX_CAUTIONS, cautions.length)) : [];
  const warned = shortened(cautions, room - details.length);
  const body = [...head, ...details, ...warned.rows, ...undoing];
  const isWhole = isListed && warned.areAll && !body.some((row) => row.endsWith('…'));
  return [...body, ...(isWhole ? [] : rows(`The whole plan: video-hosting://changes/${changeId}`, 1)), ...last].join('\n');
}

/** A plan's lines in a row each, or more where there is room. */
function detailLines(lines: readonly string[], room: number): string[] {
  const each = Math.floor(room / lines.length);
  return lines.flatMap((line) => rows(`- ${line}`, Math.min(MAX_ROWS, Math.max(1, each))));
}

/** What is done, as the title of the field that says so. */
export const formTitle = ({ summary }: Preview): string => cutToColumns(clean(summary).replace(/\.$/, ''), MAX_TITLE);

const clean = (text: string): string => cutQuoted(cleanText(text, MAX_TEXT), MAX_QUOTED);

const rows = (text: string, max: number): string[] => (text === '' ? [] : wrapToColumns(clean(text), MAX_COLUMNS, max));

/** The warnings that there is room for, and how many there are besides. */
function shortened(texts: readonly string[], room: number): { readonly rows: readonly string[]; readonly areAll: boolean } {
  const each = Math.max(1, Math.floor(room / Math.max(1, texts.length)));
  const wrapped = texts.map((text) => rows(`! ${text}`, Math.min(MAX_ROWS, each)));
  if (wrapped.flat().length <= room) return { rows: wrapped.flat(), areAll: true };
  const shown = wrapped.slice(0, Math.max(0, room - 1)).map(([first = '']) => first);
  return {
    rows: [...shown, `! And ${amount(texts.length - shown.length, shown.length > 0 ? 'more warning' : 'warning')}.`],
    areAll: false,
  };
}

function lossLines(losses: readonly Loss[], areNamed: boolean): string[] {
  return losses.slice(0, MAX_LOSSES).flatMap(({ label, what, count, held, which }) => {
    const name = cutQuoted(label, MAX_LABEL);
    if (count === null) return rows(`! ${name} may lose whatever it holds now, since that is not known`, 1);
    const names = areNamed && which !== '' ? `: ${which}` : '';
    return rows(`! ${name} loses ${number(count)} of ${amount(held, what)}${names}`, 1);
  });
}

/** `Loses 12 videos in 2 channels`. */
function lossTotal(losses: readonly Loss[]): string[] {
  const known = losses.filter(({ count }) => count !== null);
  const sum = (wanted: Loss['what']) => known.reduce((total, { what, count }) => total + (what === wanted ? (count ?? 0) : 0), 0);
  const parts = (['video', 'project'] as const).flatMap((what) => (sum(what) > 0 ? [amount(sum(what), what)] : []));
  const channels = (some: readonly Loss[]) => amount(new Set(some.map(({ label }) => label)).size, 'channel');
  const unknown = losses.filter(({ count }) => count === null);
  const all = `whatever ${channels(unknown)} may hold now (not known)`;
  if (parts.length === 0) return unknown.length === 0 ? [] : rows(`Loses ${all}`, 1);
  return rows(`Loses ${parts.join(' and ')} in ${channels(known)}${unknown.length === 0 ? '' : `, and ${all}`}`, 1);
}

const number = (count: number): string => count.toLocaleString('en-US');
const amount = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`;
