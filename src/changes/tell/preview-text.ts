import { isNotice, toldOut } from '../notices/notices.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { summaryText } from '../plan/preview.ts';
import { idLines } from './bulk-lines.ts';
import { planLines } from './plan-lines.ts';
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
