import { entriesIn, longPiece } from '../../platform/long-work.ts';
import { sortTexts } from '../../platform/sort-texts.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { copyIn, moveIn } from '../plan/facts.ts';
import { digestOfIds, originNumber } from '../plan/id-files.ts';
import type { BulkPlan, ChangePlan } from '../plan/plan.ts';

/** Of what a change would do, however it was asked for: in whatever order its records were named, and from wherever they were read. */
export async function actionDigest(tool: string, plan: ChangePlan): Promise<string> {
  const { kind } = plan;
  const { templates: _templates, files: _files, ...facts } = plan.facts;
  await longPiece('items' in plan ? entriesIn(plan.items) : 0);
  if ('items' in plan) return digestOf(tool, kind, facts, plan.basis, plan.items.toSorted(byId));
  const unordered = {
    digest: await idsAsSet(plan),
    rows: undefined,
    positionUnit: undefined,
    fileRead: undefined,
    fromProjects: undefined,
  };
  const [move, copy] = [moveIn(facts), copyIn(facts)];
  const parts = { ...(move && { move: { ...move, ...unordered } }), ...(copy && { copy: { ...copy, ...unordered } }) };
  // Its basis is of what was moved or copied before, and is compared when a person looks.
  return digestOf(tool, kind, { ...facts, ...parts });
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);

/** Digests of the ids that are sent and, of a move, of the projects that they come from: both in the order of the ids. */
async function idsAsSet({ ids, open, rows, facts }: BulkPlan): Promise<readonly string[]> {
  const sorted = await sortTexts(open ?? ids);
  await longPiece(sorted.length);
  const move = moveIn(facts);
  // What is carried on comes from where its change says.
  if (open !== undefined || move === undefined) return [digestOfIds(sorted)];
  const indexes = new Map(rows && ids.map((id, index) => [id, index]));
  const originOf = (id: string) => move.fromProjects[originNumber(move, rows, indexes.get(id) ?? 0) - 1]?.id ?? '';
  return [digestOfIds(sorted), digestOfIds(sorted.map(originOf))];
}
