import type { DeclinedChange } from '../journal/audit-record.ts';
import type { Decided } from '../plan/asked-and-decided.ts';
import { planDigest } from './plan-conflicts.ts';
import type { Proposal } from './proposal.ts';
import { sizeOf } from './size.ts';

/** What is recorded for auditors of one that a person declined: none of their words. */
export const declinedChange = ({ plan, asked }: Pick<Proposal, 'plan' | 'asked'>, decided: Decided): DeclinedChange => ({
  ...{ kind: plan.kind, summary: plan.preview.summary, asked, decided },
  ...{ shown: planDigest(plan), total: sizeOf(plan) },
});
