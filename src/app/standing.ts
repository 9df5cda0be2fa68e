import { join, resolve } from 'node:path';
import type { Journal } from '../changes/journal/journal.ts';
import type { Settings } from '../config/settings.ts';

export { reportText } from '../changes/standing/rule-words.ts';

type StandingSettings = Pick<Settings, 'standingApprovals' | 'agent' | 'dataDir' | 'filesDirs' | 'notify'>;

/** The folders that this server writes to, where no file of approvals may lie. */
const ownFolders = ({ dataDir, filesDirs }: Pick<Settings, 'dataDir' | 'filesDirs'>): readonly string[] => [dataDir, ...filesDirs];

/** What a person allowed in advance; undefined where no file of it is set. */
export async function openStanding(settings: StandingSettings, journal: Journal, log: (message: string) => void) {
  const { standingApprovals, agent, dataDir } = settings;
  if (standingApprovals === undefined) return undefined;
  const [{ createStanding }, { createNotify }] = await Promise.all([
    import('../changes/standing/standing.ts'),
    import('../changes/standing/notify.ts'),
  ]);
  return createStanding({
    ...{ path: standingApprovals, agent, journal, outside: ownFolders(settings) },
    revoked: join(dataDir, 'revoked-approvals.jsonl'),
    notify: createNotify(settings.notify, log),
  });
}

/** What a file would allow, whether or not this server uses it. */
export async function checkStandingFile(path: string, settings: Pick<Settings, 'dataDir' | 'filesDirs'>) {
  const [{ readStandingFile }, { ruleText }, { listsOf }] = await Promise.all([
    import('../changes/standing/read-file.ts'),
    import('../changes/standing/rule-words.ts'),
    import('../changes/standing/uses.ts'),
  ]);
  const outside = ownFolders(settings);
  const found = await readStandingFile(resolve(path), outside, new Date());
  if (!found.ok) return { problems: found.problems, lines: [] };
  const { approvals, timeZone } = found.file;
  const lists = await listsOf(approvals, { outside, signal: new AbortController().signal });
  const rules = approvals.flatMap((approval) => approval.allow.map((rule) => ruleText(approval, rule, timeZone)));
  return { problems: lists.problems, lines: [...rules, ...lists.lines] };
}
