import type { StandingReport } from '../../changes/standing/rule-words.ts';
import type { Standing } from '../../changes/standing/standing.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import { ownCommand, toReaders } from '../../text/own-command.ts';
import { sentence } from '../../text/sentence.ts';
import type { StandingView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';

/** So long is waited for the names of channels. */
const NAMES_MS = 5_000;

/** What was allowed in advance, and what ends it. */
export function createApprovals({ standing, account }: Pick<PageDeps, 'standing' | 'account'>) {
  function withFile(): Standing {
    if (standing === undefined)
      throw new PageProblem(404, sentence`No file of standing approvals is set for this server. Nothing was changed.`);
    return standing;
  }

  const view = async (): Promise<StandingView> => {
    const report = await withFile().report();
    return { path: withFile().path, ...report, ...(await namesFor(report)) };
  };

  /** A service that can’t be asked leaves the ids. */
  async function namesFor({ approvals }: StandingReport): Promise<Pick<StandingView, 'names'>> {
    const ids = new Set(approvals.flatMap(({ rules }) => rules.flatMap(({ unnamed = [] }) => unnamed)));
    if (ids.size === 0) return {};
    const all = await withTimeLimit(NAMES_MS, new AbortController().signal, (signal) => account.allChannels({ signal })).catch(() => []);
    return { names: Object.fromEntries(all.flatMap(({ id, name }) => (ids.has(id) && name !== undefined ? [[id, name]] : []))) };
  }

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
