import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { isNotice, toldOut } from '../notices/notices.ts';
import type { ShownPlan } from '../plan.ts';
import { pagedIdLines } from './id-lines.ts';
import { planLines } from './plan-lines.ts';
import { summaryText } from './preview.ts';
import { wholeLine } from './preview-answer.ts';

/** How many ids of many are listed in rows, and the command that prints all of them; `each`: all, a line each. */
export type IdsShown = 'each' | { readonly most: number; readonly command: Sentence };

/** The whole preview in lines, for a terminal: what is lost first. */
export function previewText(plan: ShownPlan, ids: IdsShown): readonly string[] {
  const { preview } = plan;
  const { notices, onFailure, undo, lines, linesWithIds, linesWithoutIds } = preview;
  const { warnings = [], notes = [] } = toldOut(preview);
  return [
    summaryText(preview),
    ...warnings.map((text) => `! ${text}`),
    ...planLines({ ...preview, lines: linesWithIds ?? linesWithoutIds ?? lines }).map((line) => `- ${wholeLine(line)}`),
    ...idLines(plan, ids),
    ...notes,
    ...(onFailure === '' ? [] : [onFailure]),
    // A warning says it already.
    ...(notices.some(isNotice('no_undo')) ? [] : [undo.how]),
  ];
}

/** The ids of a change of many videos; the preview of one of few names them. */
function idLines(plan: ShownPlan, ids: IdsShown): string[] {
  if (ids === 'each') return pagedIdLines(plan).map((line) => `- ${line}`);
  if (!('ids' in plan) || plan.preview.linesWithIds !== undefined || plan.ids.length === 0) return [];
  const shown = plan.ids.slice(0, ids.most).map((id) => word(id));
  const left = plan.total - shown.length;
  const all = plan.ids.length < plan.total ? sentence`the first ${plan.ids.length}` : sentence`all`;
  return [
    `- ${shown.join(' ')}`,
    ...(left > 0 ? [sentence`- … and ${left} more: ${ids.command} > FILE writes ${all} of them, a line each.`] : []),
  ];
}

/** How many records or videos a plan is about: what a person types to agree. */
export const sizeOf = (plan: ShownPlan): number => ('ids' in plan ? plan.total : plan.items.length);
