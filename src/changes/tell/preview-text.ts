import { isLeftAlone } from '../journal/change-status.ts';
import { isNotice, toldOut } from '../notices/notices.ts';
import type { ShownPlan } from '../plan.ts';
import { idLines } from './bulk-lines.ts';
import { planLines } from './plan-lines.ts';
import { summaryText } from './preview.ts';
import { wholeLine } from './preview-answer.ts';

/** The whole preview in lines, for a terminal: what is lost first, and each id in a line of its own. */
export function previewText(plan: ShownPlan): readonly string[] {
  const { preview } = plan;
  const { notices, onFailure, undo } = preview;
  const { warnings = [], notes = [] } = toldOut(preview);
  return [
    summaryText(preview),
    ...warnings.map((text) => `! ${text}`),
    ...planLines(plan, 'none').map((line) => `- ${wholeLine(line)}`),
    ...('ids' in plan ? idLines(plan) : []).map((line) => `- ${line}`),
    ...notes,
    ...(onFailure === '' ? [] : [onFailure]),
    // A warning says it already.
    ...(notices.some(isNotice('no_undo')) ? [] : [undo.how]),
  ];
}

/** How many records or videos are sent: what a person types to agree. What is left alone counts nowhere. */
export const sizeOf = (plan: ShownPlan): number =>
  'ids' in plan ? plan.total : plan.items.filter((item) => !isLeftAlone(plan.kind, item)).length;
