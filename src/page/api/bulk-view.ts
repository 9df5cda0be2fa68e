import { bulkCounts, doubtfulRequests } from '../../changes/journal/bulk-state.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import type { Journal } from '../../changes/journal/journal.ts';
import { copyIn, type Facts, moveIn } from '../../changes/plan/facts.ts';
import { videosText } from '../../changes/plan/list-text.ts';
import type { ShownPlan } from '../../changes/plan/plan.ts';
import { firstIdsWith } from '../../changes/tell/bulk-result.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { inFull } from '../../text/counted.ts';
import type { BulkView } from '../contract.ts';

const MAX_IDS = 20_000;
const MAX_REASONS = 1_000;

export function plannedBulk(plan: Extract<ShownPlan, { ids: readonly string[] }>): BulkView {
  return {
    total: plan.total,
    facts: plan.resumes === undefined ? bulkFacts(plan.facts) : restFacts(plan.facts, plan.total),
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
    facts: bulkFacts(intent.facts, status !== 'running'),
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

/** Of a move: from where and to where; where that are several projects, each with its number of videos. `hasThere`: with what was there already. */
function bulkFacts(facts: Facts, hasThere = false): string[] {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const there = thereAlready(facts);
  const ways = [
    ['From', fromProjects.filter(({ id }) => id !== there?.id)],
    ['To', targetProjects],
  ] as const;
  const named = ways.flatMap(([way, projects]) => projects.filter(({ count }) => count > 0).map((project) => ({ way, ...project })));
  const lines = named.map(({ way, label, count }) => `${way} ${label}${named.length > ways.length ? `: ${videosText(count)}` : ''}`);
  return [...lines, ...(there === undefined || !hasThere ? [] : [there.text])];
}

/** Of the rest of a move: how much of it goes now, and what became of the others. */
function restFacts(facts: Facts, count: number): string[] {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const [target, ...others] = targetProjects;
  if (target === undefined) return [];
  const there = thereAlready(facts);
  const from = fromProjects.filter(({ id, count: of }) => of > 0 && id !== there?.id).map(({ label }) => label);
  const whole = targetProjects.reduce((sum, project) => sum + project.count, 0);
  const way = [
    ...(from.length === 0 ? [] : [`from ${from.join(', ')}`]),
    others.length === 0 ? `to ${target.label}` : 'to where each of them belongs',
  ].join(' ');
  const before = whole - count;
  return [
    `${videosText(count)} of ${inFull(whole)} ${count === 1 ? 'is' : 'are'} moved now, ${way}.`,
    ...(before > 0
      ? [`The other ${inFull(before)} ${before === 1 ? 'was' : 'were'} sent before, or ${before === 1 ? 'is' : 'are'} left alone.`]
      : []),
    ...(there === undefined ? [] : [there.text]),
  ];
}

/** Videos that were said to be in the only target before, or were moved there: an undo has no other project for them. */
function thereAlready(facts: Facts): { readonly id: string; readonly text: string } | undefined {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const [target] = targetProjects;
  const there = targetProjects.length === 1 ? fromProjects.find(({ id, count }) => id === target?.id && count > 0) : undefined;
  if (there === undefined) return undefined;
  const [were, those] = there.count === 1 ? ['was', 'it'] : ['were', 'those'];
  return {
    id: there.id,
    text: `${videosText(there.count)} of the whole change ${were} in ${there.label} before already, as far as is known: there this moves nothing, and an undo leaves ${those} there.`,
  };
}
