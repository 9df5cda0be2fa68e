import { stat } from 'node:fs/promises';
import { VideoHostingError } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { dayIn } from './days.ts';
import type { StandingFileRead } from './read-file.ts';
import { numberOf, type Receipt } from './receipt.ts';
import { revocations } from './revocations.ts';
import { digestOf, idsIn } from './uses.ts';

interface Look {
  readonly path: string;
  /** The folders that this server writes to. */
  readonly outside: readonly string[];
  readonly revoked: string;
  readonly read: () => Promise<StandingFileRead>;
  readonly now: () => Date;
}

/** Looks at the files again only where they are not as they were. */
export function createLook({ path, outside, revoked, read, now }: Look) {
  let known: { readonly state: string; readonly found: StandingFileRead; readonly gone: ReadonlySet<string> } | undefined;
  const lists = new WeakMap<Receipt, Lists>();
  const stateOf = async (files: readonly string[]) => {
    const infos = await Promise.all(files.map((file) => stat(file, { bigint: true }).catch(() => undefined)));
    return infos
      .map((info) => (info === undefined ? '-' : [info.ino, info.size, info.mtimeNs, info.ctimeNs, info.mode].join(' ')))
      .join('; ');
  };

  /** Why ids are in no list any more. Lists that are as they were when all ids of the change were found in them are not kept. */
  async function listProblem(paths: readonly string[], receipt: Receipt, { all, next }: Sending): Promise<Sentence | undefined> {
    const state = await stateOf(paths);
    const earlier = lists.get(receipt);
    const isFirst = earlier === undefined;
    const current = earlier?.state === state ? earlier : { state, problem: problemIn(paths, outside, isFirst ? all : undefined) };
    lists.set(receipt, current);
    return (await current.problem)(isFirst ? all : next);
  }

  return async (receipt: Receipt, sending: Sending = { all: [], next: [] }): Promise<void> => {
    const { agent, rules } = receipt;
    const state = await stateOf([path, revoked]);
    if (known?.state !== state) known = { state, found: await read(), gone: await revocations(revoked) };
    const { found, gone } = known;
    const stop = (why: Sentence): never => {
      const at = word(now().toISOString().slice(11, 16));
      throw new VideoHostingError('not_approved', `Stopped at ${at} UTC: ${why}`, {
        hint: 'What was done stays; undo_change can take it back where that is possible. Tell the user, who decides on the rest.',
      });
    };
    if (!found.ok) return stop(sentence`the file of standing approvals can’t be used any more. ${joined(found.problems)}`);
    const paths = new Set<string>();
    for (const use of rules) {
      const approval = found.file.approvals.find(({ id, for: named }) => id === use.approval && named === agent);
      const rule = approval?.allow.find((one) => digestOf(one) === use.rule);
      if (gone.has(use.approval)) return stop(sentence`${word(use.approval)} was revoked.`);
      if (approval === undefined || rule === undefined) return stop(sentence`${word(use.approval)} allows it no more.`);
      if (dayIn(found.file.timeZone, now()) >= approval.until)
        return stop(sentence`${word(use.approval)} ended on ${word(approval.until)}.`);
      if (
        use.number > (rule.perChange ?? use.number) ||
        use.today.used > rule.perDay ||
        (use.total?.used ?? use.today.used) > (rule.total ?? Number.POSITIVE_INFINITY)
      )
        return stop(sentence`the limits of ${word(use.approval)} are lower now than what was begun.`);
      paths.add(rule.kind === 'move_videos' ? (rule.onlyIdsIn ?? '') : '');
    }
    // What is in no list fell under the rule without one.
    const why = paths.has('') ? undefined : await listProblem([...paths], receipt, sending);
    if (why !== undefined) return stop(why);
  };
}

/** The ids of a change, and those that are sent next. */
export interface Sending {
  readonly all: readonly string[];
  readonly next: readonly string[];
}

interface Lists {
  readonly state: string;
  readonly problem: Promise<(ids: readonly string[]) => Sentence | undefined>;
}

/** Finds why ids can’t be sent by lists as they are now. With `all`, tells it of these, and keeps no list. */
async function problemIn(paths: readonly string[], outside: readonly string[], all: readonly string[] | undefined) {
  const sets: ReadonlySet<string>[] = [];
  for (const path of paths) {
    const listed = await idsIn(path, { outside, signal: new AbortController().signal });
    if ('why' in listed) return () => listed.why;
    sets.push(listed);
  }
  const problemOf = (ids: readonly string[]): Sentence | undefined => {
    const missing = ids.filter((id) => !sets.some((listed) => listed.has(id))).length;
    return missing === 0 ? undefined : sentence`${numberOf(missing)} of the next videos are in no list that a rule names any more.`;
  };
  if (all === undefined) return problemOf;
  const problem = problemOf(all);
  return () => problem;
}
