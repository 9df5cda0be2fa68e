import { fieldsIn } from '../../../platform/is-object.ts';
import { canBeKept } from '../../kinds/planners.ts';
import type { Question } from '../decision.ts';
import type { DiskRoute } from './index.ts';
import type { RouteDeps } from './route-deps.ts';

/** What is asked, as it waits on disk; undefined of what can’t wait there, since it gives data out while a person is asked. */
export async function keepOnDisk(
  route: DiskRoute,
  {
    changeId,
    asked,
    requestDigest,
    tool,
    args,
    plan,
    action = requestDigest,
    files,
  }: Pick<Question, 'changeId' | 'asked' | 'requestDigest' | 'tool' | 'args' | 'plan' | 'action' | 'files'>,
  { kept, decided }: Pick<RouteDeps, 'kept' | 'decided'>,
  signal: AbortSignal,
) {
  if (!canBeKept(tool)) return undefined;
  const { standing: why, lacks } = plan.preview;
  const declinedAt = await decided.declinedAt(() => action);
  return kept.keep(
    { changeId, route, requestDigest, action, tool, args: fieldsIn(args), files, plan, asked, why, lacks, declinedAt },
    signal,
  );
}
