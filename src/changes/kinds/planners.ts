import { noteFiles } from '../../files/noted-files.ts';
import type { Values } from '../../platform/is-object.ts';
import type { ChangePlanner, ShownPlan } from '../plan/plan.ts';
import type { ContentsDeps } from '../plan/plan-deps.ts';
import { isKind } from '../plan/traits/index.ts';
import { planResumption } from './earlier/resume-change.ts';
import { planUndo } from './earlier/undo.ts';
import { type Kinds, kindOf } from './index.ts';
import type { PlannedKind } from './kind.ts';

/** The tools that work on an earlier change, whose kind then plans. */
const OF_EARLIER = { resume_change: planResumption, undo_change: planUndo };

type PlannedName = { [Name in keyof Kinds]: Kinds[Name] extends { readonly plan: unknown } ? Name : never }[keyof Kinds];

/** A tool whose change can wait for a person, so that another process can plan it again. What gives out personal data never waits on disk. */
export type PlannedTool = PlannedName | keyof typeof OF_EARLIER;

/** What the planner of a tool takes. */
export type PlannerArgs<T extends PlannedTool> = T extends PlannedName
  ? Parameters<Kinds[T]['plan']>[0]
  : T extends keyof typeof OF_EARLIER
    ? Parameters<(typeof OF_EARLIER)[T]>[0]
    : never;

type Plan = PlannedKind<Values>['plan'];

const isOfEarlier = (tool: string): tool is keyof typeof OF_EARLIER => Object.hasOwn(OF_EARLIER, tool);
const planIn = (tool: string): unknown => {
  const kind = isKind(tool) ? kindOf(tool) : {};
  return isOfEarlier(tool) ? OF_EARLIER[tool] : 'plan' in kind ? kind.plan : undefined;
};

export const canBeKept = (tool: string): tool is PlannedTool => planIn(tool) !== undefined;

/** The planner of a call whose arguments its tool has parsed. Its plan notes the files that it read. */
export function planOf<T extends PlannedTool>(tool: T, args: PlannerArgs<T> | Values, deps: ContentsDeps): ChangePlanner {
  const planner = planIn(tool) as Plan; // each takes what its own tool has parsed
  return async (read) => {
    const { files, noted } = noteFiles(deps.filesDirs);
    const plan = await planner(args as Values, { ...deps, filesDirs: files })(read);
    return noted().length === 0 ? plan : { ...plan, files: noted() };
  };
}

/** The arguments by which what waited is planned again: with ids for the names that its first plan found, where its kind knows them. */
export function argumentsById(tool: string, args: Values, plan: ShownPlan): Values {
  const kind: Partial<PlannedKind<Values>> = isKind(tool) ? (kindOf(tool) as Partial<PlannedKind<Values>>) : {}; // each takes what its own tool has parsed
  return kind.byId?.(args, plan) ?? args;
}

/** The same, by the name that was kept; undefined where the call can’t wait. */
export const plannerOf = (tool: string, args: Values, deps: ContentsDeps): ChangePlanner | undefined =>
  canBeKept(tool) ? planOf(tool, args, deps) : undefined;
