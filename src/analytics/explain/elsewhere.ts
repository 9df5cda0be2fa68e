import { definedFields } from '../../platform/defined-fields.ts';
import type { Scalar } from '../contract.ts';
import { addsUp, isMeanOfParts } from '../metrics.ts';
import { narrowTo, type Questions, readValue } from './parts.ts';
import { type Candidate, withoutPart } from './stand-out.ts';

/** What the filters of a question leave out, in both spans. */
export interface Elsewhere {
  readonly whole: Candidate;
  /** There, the value that explains the difference here. */
  readonly top: Candidate | undefined;
  readonly isOfWeekdays: boolean;
}

/** Undefined where the question has no filters, for counts that don't add up, and where nothing is left out. */
export async function elsewhereOf(whole: Candidate, top: Candidate | undefined, questions: Questions): Promise<Elsewhere | undefined> {
  const { metric, answerOfAll, isOfWeekdays } = questions;
  if (answerOfAll === undefined || !(addsUp(metric) || isMeanOfParts(metric))) return undefined;
  const there = async (part: Candidate, of: ReturnType<typeof narrowTo>): Promise<Candidate | undefined> => {
    const { totals } = await answerOfAll({ groupBy: [], ...definedFields({ of }) });
    const { before, now, ...all } = readValue(part.dimension, metric, (name: string): Scalar => totals[name] ?? null);
    const known = { ...all, before: before ?? 0, now: now ?? 0, difference: 0 };
    const rest = withoutPart(metric, known, part);
    return rest === undefined || rest.base.before + rest.base.now === 0 ? undefined : rest;
  };
  const rest = await there(whole, undefined);
  if (rest === undefined) return undefined;
  const of = top && narrowTo(top);
  return { whole: rest, top: top && of && (await there(top, of)), isOfWeekdays };
}
