import type { Values } from '../../platform/is-object.ts';
import { type ChannelInput, planNewChannels } from '../kinds/channels/create-channels.ts';
import { planStatement } from '../kinds/channels/plan-statement.ts';
import { planUpdate } from '../kinds/channels/plan-update.ts';
import { planNewProject } from '../kinds/projects/create-project.ts';
import { planCopy } from '../kinds/videos/plan-copy.ts';
import { planMove } from '../kinds/videos/plan-move.ts';
import type { ChangePlanner } from '../plan.ts';
import type { ContentsDeps } from '../plan-deps.ts';
import { planResumption } from '../resume-change.ts';
import { planUndo } from '../undo.ts';

/**
 * The planner of each tool whose change can wait for a person: what another process plans again. What gives out personal data has
 * none here, so that it never waits on disk.
 */
const PLANNERS = {
  state_contents: planStatement,
  create_channels: ({ channels }: { readonly channels: readonly ChannelInput[] }, deps: ContentsDeps) => planNewChannels(channels, deps),
  update_channels: planUpdate,
  create_project: planNewProject,
  move_videos: planMove,
  copy_cta: planCopy,
  resume_change: planResumption,
  undo_change: planUndo,
};

/** A tool whose change can wait. */
export type PlannedTool = keyof typeof PLANNERS;

/** What the planner of a tool takes. */
export type PlannerArgs<T extends PlannedTool> = Parameters<(typeof PLANNERS)[T]>[0];

export const canBeKept = (tool: string): tool is PlannedTool => Object.hasOwn(PLANNERS, tool);

/** The planner of a call whose arguments its tool has parsed. */
export const planOf = <T extends PlannedTool>(tool: T, args: PlannerArgs<T> | Values, deps: ContentsDeps): ChangePlanner =>
  (PLANNERS[tool] as (args: PlannerArgs<T> | Values, deps: ContentsDeps) => ChangePlanner)(args, deps); // each takes what its own tool has parsed

/** The same, by the name that was kept; undefined where the call can’t wait. */
export const plannerOf = (tool: string, args: Values, deps: ContentsDeps): ChangePlanner | undefined =>
  canBeKept(tool) ? planOf(tool, args, deps) : undefined;
