import type { RuleReport } from '../../changes/standing/rule-words.ts';
import type { Standing } from '../../changes/standing/standing.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { StandingRule, StandingView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';

/** What was allowed in advance, and what ends it. */
export function createApprovals({ standing }: Pick<PageDeps, 'standing'>) {
  function withFile(): Standing {
    if (standing === undefined) throw new PageProblem(404, 'No file of standing approvals is set for this server. Nothing was changed.');
    return standing;
  }

  async function view(): Promise<StandingView> {
    const { problems, rules } = await withFile().report();
    const ids = [...new Set(rules.map(({ approval }) => approval))];
    return { path: withFile().path, problems, approvals: ids.flatMap((id) => approvalOf(rules.filter(({ approval }) => approval === id))) };
  }

  return {
    view,
    /** Revokes one, whether or not the file has it now: it wins over the file. */
    async revoke(id: string): Promise<StandingView> {
      await withFile().revoke([id]);
      return view();
    },
    async stopAll(): Promise<StandingView> {
      const { problems, approvals } = await view();
      if (problems.length > 0) throw new PageProblem(409, NOT_KNOWN);
      await withFile().revoke(approvals.map(({ id }) => id));
      return view();
    },
  };
}

const NOT_KNOWN =
  'The file can’t be used, so nothing is covered now, and which approvals it has is not known. None was revoked. Correct the file first, or revoke them by their ids at a terminal: video-hosting-mcp approvals revoke ID';

/** The rules of one approval. */
function approvalOf(rules: readonly RuleReport[]): StandingView['approvals'] {
  return rules.slice(0, 1).map(({ approval: id, agent, state, until, revokedAt }) => ({
    ...{ id, agent, state, until, ...definedFields({ revokedAt }) },
    rules: rules.map(ruleOf),
  }));
}

const ruleOf = ({ text, perDay, total, used: { last, ...used } }: RuleReport): StandingRule => ({
  text,
  today: { used: used.today, limit: perDay },
  inAll: { used: used.total, ...(total === undefined ? {} : { limit: total }) },
  ...(last === undefined ? {} : { lastUse: last }),
});
