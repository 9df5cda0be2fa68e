import type { Account } from '../account/account.ts';
import { shownName } from '../account/references.ts';
import { renamedText } from '../changes/plan/receipt.ts';
import { revocations } from '../changes/standing/revocations.ts';
import { inState, ruleText, withState } from '../changes/standing/rule-words.ts';
import { namedIn, type StandingApproval } from '../changes/standing/rules.ts';
import { listsOf, renamedIn } from '../changes/standing/uses.ts';
import { VideoHostingError } from '../errors.ts';
import { joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { type FolderSettings, ownFolders, revokedIn } from './folders.ts';
import { readApprovals } from './standing.ts';

type Records = Pick<Account, 'allChannels' | 'allProjects'>;
/** The names of the account's records by id. */
type Names = ReadonlyMap<string, string>;

/**
 * What a file would allow, or what makes all of it invalid: each rule in a sentence, with what the account says of its ids, which are
 * looked up where there is one; then the lists.
 */
export async function checkStandingFile(path: string, settings: FolderSettings, account: Records | undefined, signal: AbortSignal) {
  const found = await readApprovals(path, settings);
  if (!found.ok) return { problems: found.problems, lines: [], isIdMissing: false, notLookedUp: [] };
  const { approvals, timeZone } = found.file;
  const revoked = await revocations(revokedIn(settings.dataDir));
  const { names, notLookedUp } = await lookUp(approvals, account, signal);
  const checked = approvals.flatMap((one) => {
    const approval = withState(one, timeZone, new Date(), revoked);
    return approval.allow.map((rule) => {
      const { record, refs } = namedIn(rule);
      const known = record === 'video' ? undefined : names[record];
      const missing = known === undefined ? [] : refs.flatMap(({ id }) => (known.has(id) ? [] : [id]));
      const gone = missing.map((id) => {
        const called = [...(known ?? [])].flatMap(([other, name]) => (name === id ? [word(other)] : []));
        const hint = called.length === 0 ? sentence`.` : sentence`; the id of what is called so: ${joined(called, ', ')}.`;
        return sentence`The account has no ${record} ${word(id)}: it never counts${hint}`;
      });
      const renamed = known === undefined ? [] : renamedIn(rule, known).map(renamedText);
      return {
        text: joined([inState(approval.state, ruleText(approval, rule, timeZone)), ...gone, ...renamed]),
        isIdMissing: gone.length > 0,
      };
    });
  });
  const lists = await listsOf(approvals, { outside: ownFolders(settings), signal });
  return {
    ...{ problems: lists.problems, lines: [...checked.map(({ text }) => text), ...lists.lines], notLookedUp },
    isIdMissing: checked.some(({ isIdMissing }) => isIdMissing),
  };
}

/** Lists the records of each kind that rules name; undefined where they can’t be listed. */
async function lookUp(approvals: readonly StandingApproval[], account: Records | undefined, signal: AbortSignal) {
  const named = approvals.flatMap(({ allow }) => allow.map(namedIn));
  const notLookedUp: Sentence[] = [];
  async function namesOf(kind: 'project' | 'channel'): Promise<Names | undefined> {
    if (account === undefined || !named.some(({ record }) => record === kind)) return undefined;
    try {
      const records = await (kind === 'project' ? account.allProjects({ signal }) : account.allChannels({ signal }));
      return new Map(records.map((record) => [record.id, shownName(record)]));
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
      notLookedUp.push(sentence`The ids of ${kind}s could not be looked up. ${error.message} ${error.adviceAtTerminal ?? sentence``}`);
      return undefined;
    }
  }
  const names = { project: await namesOf('project'), channel: await namesOf('channel') };
  const videos = new Set(named.flatMap(({ record, refs }) => (record === 'video' ? refs.map(({ id }) => word(id)) : [])));
  if (account === undefined)
    notLookedUp.push(sentence`Ids were not looked up in the account: a rule for an id that the account doesn’t have never counts.`);
  else if (videos.size > 0) notLookedUp.push(sentence`Videos can’t be looked up: ${joined([...videos], ', ')}.`);
  return { names, notLookedUp };
}
