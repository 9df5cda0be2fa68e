import { definedFields } from '../../platform/defined-fields.ts';
import type { UnbegunChange } from '../journal/audit-record.ts';
import { planDigest } from './plan-conflicts.ts';
import type { Proposal } from './proposal.ts';
import { isOnPage } from './routes/index.ts';
import { sizeOf } from './size.ts';

/** One that waited and was never begun. */
export interface Unbegun {
  readonly changeId: string;
  readonly endedAt: string;
  readonly change: () => UnbegunChange;
}

/**
 * What is recorded for auditors of one whose wait is over and that was never begun, without a person’s words. Undefined for others, and for what
 * nobody but its assistant knows of: a preview or a form that lapsed.
 */
export function unbegunOf(proposal: Proposal): Unbegun | undefined {
  const { changeId, plan, asked, status, decided, decidedAt, expiresAt, isAnswered, by } = proposal;
  if (status === 'waiting' || status === 'started') return undefined;
  if (!isOnPage(proposal) && (status !== 'declined' || decided === undefined)) return undefined;
  const endedAt = decidedAt ?? new Date(expiresAt).toISOString();
  return {
    ...{ changeId, endedAt },
    change: () => ({
      ...{ kind: plan.kind, summary: plan.preview.summary, asked, status, endedAt },
      ...definedFields({ decided: decided && withoutWords(decided), answered: isAnswered ? definedFields({ by }) : undefined }),
      ...{ shown: planDigest(plan), total: sizeOf(plan) },
    }),
  };
}

const withoutWords = ({ note: _, ...decided }: NonNullable<Proposal['decided']>) => decided;
