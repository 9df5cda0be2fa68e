import { VideoHostingError } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { dayIn } from './days.ts';
import { stateOf } from './file-state.ts';
import { createIdMarks } from './id-marks.ts';
import type { StandingFileRead } from './read-file.ts';
import { numberOf, type Receipt } from './receipt.ts';
import { type Revoked, revocations } from './revocations.ts';
import { eachIdIn, ruleDigest, type Uses } from './uses.ts';

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
  let known: { readonly state: string; readonly found: StandingFileRead; readonly gone: Revoked } | undefined;
  const looks = new WeakMap<Receipt, Lists>();
  const statesOf = (files: readonly string[]) => files.map(stateOf).join('; ');

  /** Why ids are in no list any more. A list that is as it was when they were found in it is not read again. */
  async function listProblem(paths: readonly string[], receipt: Receipt, { all, next }: Sending): Promise<Sentence | undefined> {
    const state = statesOf(paths);
    const earlier = looks.get(receipt);
    const current = earlier?.state === state ? earlier : { state, problem: problemIn(paths, outside, all) };
    looks.set(receipt, current);
    return (await current.problem)(next);
  }

  async function assertStillCovered(receipt: Receipt, sending: Sending = { all: [], next: [] }): Promise<void> {
    const { agent, rules } = receipt;
    const state = statesOf([path, revoked]);
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
      const rule = approval?.allow.find((one) => ruleDigest(one) === use.rule);
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
      if (rule.kind === 'move_videos') paths.add(rule.onlyIdsIn ?? '');
    }
    // What is in no list fell under the rule without one.
    const why = paths.size === 0 || paths.has('') ? undefined : await listProblem([...paths], receipt, sending);
    if (why !== undefined) return stop(why);
  }

  return {
    assertStillCovered,
    /** Keeps how the lists were in which all ids of a change were found. */
    foundIn(receipt: Receipt, lists: Uses['lists']): void {
      looks.set(receipt, { state: [...lists.values()].join('; '), problem: Promise.resolve(() => undefined) });
    },
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

/** Finds why ids can’t be sent by lists as they are now, of which it keeps what of `all` is in them. */
async function problemIn(paths: readonly string[], outside: readonly string[], all: readonly string[]) {
  const { mark, isMarked } = createIdMarks(all);
  for (const path of paths) {
    const list = await eachIdIn(path, { outside, signal: new AbortController().signal }, mark);
    if ('why' in list) return () => list.why;
  }
  return (ids: readonly string[]): Sentence | undefined => {
    const missing = ids.filter((id) => !isMarked(id)).length;
    return missing === 0 ? undefined : sentence`${numberOf(missing)} of the next videos are in no list that a rule names any more.`;
  };
}
