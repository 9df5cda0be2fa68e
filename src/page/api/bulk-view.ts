import { bulkCounts, doubtfulRequests } from '../../changes/journal/bulk-state.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import type { Journal } from '../../changes/journal/journal.ts';
import { copyIn, type Facts, moveIn } from '../../changes/plan/facts.ts';
import { videosText } from '../../changes/plan/list-text.ts';
import type { ShownPlan } from '../../changes/plan/plan.ts';
import { firstIdsWith } from '../../changes/tell/bulk-result.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { BulkView } from '../contract.ts';

const MAX_IDS = 20_000;
const MAX_REASONS = 1_000;

export function plannedBulk(plan: Extract<ShownPlan, { ids: readonly string[] }>): BulkView {
  return {
    total: plan.total,
    facts: bulkFacts(plan.facts, plan.resumes === undefined),
    done: 0,
    failedCount: 0,
    unknownCount: 0,
    failed: [],
    unknown: [],
    notSent: plan.total,
    ids: plan.ids,
    ...sourceIn(plan.facts),
  };
}

export async function recordedBulk({ intent, bulk, status }: ChangeRecord, journal: Journal): Promise<BulkView | undefined> {
  if (bulk === undefined) return undefined;
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  const { done, failed, unknown, left } = bulkCounts(bulk);
  const reasons = (wanted: 'failed' | 'unknown') =>
    firstIdsWith(wanted, ids, bulk, MAX_REASONS).map(({ index, id, reason }) => ({
      ...{ id, reason },
      ...definedFields({ request: bulk.requestAt(index) }),
    }));
  const requests = doubtfulRequests(bulk);
  return {
    total: bulk.total,
    facts: bulkFacts(intent.facts),
    ...{ done, failedCount: failed, unknownCount: unknown, failed: reasons('failed'), unknown: reasons('unknown'), notSent: left },
    ids: ids.slice(0, MAX_IDS),
    ...(requests.length > 0 && { unknownRequests: requests }),
    ...(status !== 'running' && ids.length > 0 && failed + unknown > 0 && { hasOutcomesFile: true as const }),
    ...sourceIn(intent.facts),
  };
}

/** Of a copy. */
function sourceIn(facts: Facts): Pick<BulkView, 'source'> {
  const { source = '' } = copyIn(facts) ?? {};
  return source === '' ? {} : { source };
}

/** Of a move: from where and to where; where that are several projects, each with its number of videos of the whole change. */
function bulkFacts(facts: Facts, isWhole = true): string[] {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const ways = [
    ['From', fromProjects],
    ['To', targetProjects],
  ] as const;
  const named = ways.flatMap(([way, projects]) => projects.filter(({ count }) => count > 0).map((project) => ({ way, ...project })));
  const of = isWhole ? '' : ' of the whole change';
  return named.map(({ way, label, count }) => `${way} ${label}${named.length > ways.length ? `: ${videosText(count)}${of}` : ''}`);
}
