import type { Standing } from '../../changes/standing/standing.ts';
import { ownCommand, toReaders } from '../../text/own-command.ts';
import { sentence } from '../../text/sentence.ts';
import type { StandingView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';

/** What was allowed in advance, and what ends it. */
export function createApprovals({ standing }: Pick<PageDeps, 'standing'>) {
  function withFile(): Standing {
    if (standing === undefined)
      throw new PageProblem(404, sentence`No file of standing approvals is set for this server. Nothing was changed.`);
    return standing;
  }

  const view = async (): Promise<StandingView> => ({ path: withFile().path, ...(await withFile().report()) });

  return {
    view,
    /** Revokes one that the file has. */
    async revoke(id: string): Promise<StandingView> {
      const { problems, approvals } = await view();
      if (problems.length > 0) throw new PageProblem(409, notKnown());
      if (!approvals.some((approval) => approval.id === id)) throw new PageProblem(404, notThere());
      await withFile().revoke([id]);
      return view();
    },
    async stopAll(): Promise<StandingView> {
      const { problems, approvals } = await view();
      if (problems.length > 0) throw new PageProblem(409, notKnown());
      await withFile().revoke(approvals.map(({ id }) => id));
      return view();
    },
  };
}

const notThere = () =>
  sentence`The file has no such approval now, so none was revoked. Load this page anew to see those that it has. What the file doesn’t have covers nothing.`;

const notKnown = () =>
  sentence`The file can’t be used, so nothing is covered now, and which approvals it has is not known. None was revoked. ${toReaders(() => sentence`Correct the file first, or revoke them by their ids at a terminal: ${ownCommand('approvals revoke ID')}`, sentence`Whoever runs this server can correct the file, or revoke them by their ids there.`)}`;
