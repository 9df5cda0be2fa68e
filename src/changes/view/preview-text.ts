import { sentence, word } from '../../text/sentence.ts';
import { isNotice, toldOut } from '../notices/notices.ts';
import type { ShownPlan } from '../plan.ts';
import { planLines } from './plan-lines.ts';
import { summaryText } from './preview.ts';
import { wholeLine } from './preview-answer.ts';

/** Videos of a bulk change that a terminal lists. */
const MAX_IDS = 200;

/** The whole preview in lines, for a terminal: what is lost first. */
export function previewText(plan: ShownPlan): readonly string[] {
  const { preview } = plan;
  const { notices, onFailure, undo } = preview;
  const { warnings = [], notes = [] } = toldOut(preview);
  return [
    summaryText(preview),
    ...warnings.map((text) => `! ${text}`),
    ...planLines(preview).map((line) => `- ${wholeLine(line)}`),
    ...idLines(plan),
    ...notes,
    ...(onFailure === '' ? [] : [onFailure]),
    // A warning says it already.
    ...(notices.some(isNotice('no_undo')) ? [] : [undo.how]),
  ];
}

function idLines(plan: ShownPlan): string[] {
  if (!('ids' in plan) || plan.ids.length === 0) return [];
  const shown = plan.ids.slice(0, MAX_IDS).map((id) => word(id));
  const left = plan.total - shown.length;
  return [`- ${shown.join(' ')}${left > 0 ? sentence` … and ${left} more` : ''}`];
}

/** How many records or videos a plan is about: what a person types to agree. */
export const sizeOf = (plan: ShownPlan): number => ('ids' in plan ? plan.total : plan.items.length);
