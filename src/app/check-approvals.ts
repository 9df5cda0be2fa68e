import type { Account } from '../account/account.ts';
import { RECORD_ERRORS, type ReadOptions } from '../account/record-finder.ts';
import { type Referable, shownName } from '../account/references.ts';
import { renamedText } from '../changes/standing/receipt.ts';
import { revocations } from '../changes/standing/revocations.ts';
import { fileRuleText } from '../changes/standing/rule-words.ts';
import type { Rule, StandingApproval } from '../changes/standing/rules.ts';
import { listsOf, renamedIn } from '../changes/standing/uses.ts';
import { type ErrorCode, VideoHostingError } from '../errors.ts';
import type { ServiceClient } from '../service/client.ts';
import { joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { type FolderSettings, ownFolders, revokedIn } from './folders.ts';
import { readApprovals } from './standing.ts';

/** A file of approvals, whether or not a server uses it. */
interface CheckedFile {
  /** What makes all of it invalid. */
  readonly problems: readonly Sentence[];
  /** Each rule in a sentence, with what the account says of its ids; then the lists. */
  readonly lines: readonly Sentence[];
  /** Whether an id was looked up that the account doesn't have. */
  readonly isIdMissing: boolean;
  /** What was not looked up, and why. */
  readonly notLookedUp: readonly Sentence[];
}

/** What the account says of the ids of rules. */
interface LookedUp {
  /** Their names by kind and id; undefined for one that the account doesn’t have. */
  readonly names: Readonly<Record<Kind, ReadonlyMap<string, string | undefined>>>;
  readonly unknown: readonly Sentence[];
}

const NAMED_RECORDS = ['project', 'channel'] as const;
type Kind = (typeof NAMED_RECORDS)[number];

/** What reads records of an account. */
interface Records {
  readonly client: Pick<ServiceClient, 'channels' | 'projects'>;
  readonly account: Pick<Account, 'allChannels' | 'allProjects'>;
}

/** What a file would allow. Its ids are looked up where there are `records` of an account. */
export async function checkStandingFile(
  path: string,
  settings: FolderSettings,
  records: Records | undefined,
  signal: AbortSignal,
): Promise<CheckedFile> {
  const found = await readApprovals(path, settings);
  if (!found.ok) return { problems: found.problems, lines: [], isIdMissing: false, notLookedUp: [] };
  const { approvals, timeZone } = found.file;
  const revoked = await revocations(revokedIn(settings.dataDir));
  const lists = await listsOf(approvals, { outside: ownFolders(settings), signal });
  const looked = records === undefined ? undefined : await lookUp(approvals, records, signal);
  const rules = approvals.flatMap((approval) =>
    approval.allow.map((rule) => {
      const text = fileRuleText(approval, rule, timeZone, new Date(), revoked);
      return looked === undefined ? text : joined([text, ...foundText(rule, looked)]);
    }),
  );
  return {
    ...{ problems: lists.problems, lines: [...rules, ...lists.lines] },
    isIdMissing: NAMED_RECORDS.some((kind) => [...(looked?.names[kind].values() ?? [])].includes(undefined)),
    notLookedUp: looked?.unknown ?? [
      sentence`Ids were not looked up in the account: a rule for an id that the account doesn’t have never counts.`,
    ],
  };
}

/** The records of a rule that can be read by themselves. */
const idsOf: Readonly<Record<Kind, (rule: Rule) => readonly string[]>> = {
  project: (rule) => ('to' in rule ? rule.to.map(({ id }) => id) : []),
  channel: (rule) => ('channels' in rule ? rule.channels.map(({ id }) => id) : []),
};

/** What is otherwise in the account than a rule says. */
function foundText(rule: Rule, { names }: LookedUp): Sentence[] {
  const kind = 'to' in rule ? 'project' : 'channel';
  const gone = idsOf[kind](rule).filter((id) => names[kind].has(id) && names[kind].get(id) === undefined);
  return [
    ...gone.map((id) => sentence`The account has no ${kind} ${word(id)}: it never counts.`),
    ...renamedIn(rule, names[kind]).map(renamedText),
  ];
}

/** Looks the ids up one after the other: a file that a person wrote names few. */
async function lookUp(approvals: readonly StandingApproval[], { client, account }: Records, signal: AbortSignal): Promise<LookedUp> {
  const rules = approvals.flatMap(({ allow }) => allow);
  const names = { project: new Map<string, string | undefined>(), channel: new Map<string, string | undefined>() };
  const unknown: Sentence[] = [];
  const finders = {
    project: finderOf(client.projects, account.allProjects, signal),
    channel: finderOf(client.channels, account.allChannels, signal),
  };
  try {
    for (const kind of NAMED_RECORDS) {
      for (const id of new Set(rules.flatMap(idsOf[kind]))) {
        const record = await finders[kind](id).catch((error: unknown) => {
          if (!(error instanceof VideoHostingError) || !RECORD_ERRORS.has(error.code)) throw error;
          return sentence`Could not be looked up: ${word(id)}. ${error.message} ${error.advice ?? sentence``}`;
        });
        if (typeof record === 'string') unknown.push(record);
        else names[kind].set(id, record && shownName(record));
      }
    }
  } catch (error) {
    if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
    unknown.push(sentence`Not all ids could be looked up. ${error.message} ${error.advice ?? sentence``}`);
  }
  const videos = new Set(rules.flatMap((rule) => ('from' in rule ? rule.from.map(({ id }) => word(id)) : [])));
  if (videos.size > 0) unknown.push(sentence`Videos can’t be looked up: ${joined([...videos], ', ')}.`);
  return { names, unknown };
}

/** Errors of a text that is no id of a record, if the list hasn't it either. Others may be of a record that is there. */
const NONE_IF_NOT_LISTED: ReadonlySet<ErrorCode> = new Set([
  'service_not_found',
  'service_validation',
  'invalid_arguments',
  'unexpected_body',
]);

/** Finds a record by its id alone; undefined where it is certain that there is none. */
function finderOf(
  resource: { get(id: never, signal: AbortSignal): Promise<Referable> },
  readAll: (options: ReadOptions) => Promise<readonly Referable[]>,
  signal: AbortSignal,
) {
  let all: Promise<readonly Referable[]> | undefined;
  return async (id: string): Promise<Referable | undefined> => {
    try {
      // Only the service knows whether a text of the file is an id of this kind.
      const record = await resource.get(id as never, signal);
      return record.id === id ? record : undefined;
    } catch (error) {
      if (!(error instanceof VideoHostingError) || !RECORD_ERRORS.has(error.code)) throw error;
      // A wrong address answers 404 to everything, and a record may be in the list alone.
      all ??= readAll({ signal });
      const listed = (await all).find((record) => record.id === id);
      if (listed === undefined && !NONE_IF_NOT_LISTED.has(error.code)) throw error;
      return listed;
    }
  };
}
