import { VideoHostingError } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Receipt } from '../plan/receipt.ts';
import { dayIn, timeIn } from './days.ts';
import { stateNow, stateOf } from './file-state.ts';
import type { Notify } from './notify.ts';
import type { StandingFileRead } from './read-file.ts';
import { ruleDigest, type Uses } from './uses.ts';

const MINUTE_MS = 60_000;

interface Look {
  readonly path: string;
  readonly revoked: string;
  readonly read: () => Promise<readonly [StandingFileRead, ReadonlySet<string>]>;
  readonly notify: Notify;
  readonly now: () => Date;
}

/** Of a change that was begun: in which time zone it tells times, and how all was when it was last found to be covered. */
interface CoveredRun extends Pick<Uses, 'lists'> {
  readonly timeZone: string;
  readonly seen: string;
}

/** Looks again at what covers a change that runs; at the files only where they are not as they were, or perhaps the day. */
export function createStillCovered({ path, revoked, read, notify, now }: Look) {
  const begun = new WeakMap<Receipt, CoveredRun>();
  const stopped = new WeakSet<Receipt>();
  const seenNow = () => [Math.floor(now().getTime() / MINUTE_MS), stateNow(path), stateNow(revoked)].join('; ');

  async function assertCovered(receipt: Receipt): Promise<void> {
    const run = begun.get(receipt);
    if (run === undefined) throw new VideoHostingError('not_approved', 'It was not begun by this process.');
    const [seen, list] = [seenNow(), changedList(run)];
    if (run.seen === seen && list === undefined) return;
    const why = list === undefined ? whyNoMore(receipt, ...(await read()), now()) : sentence`the list ${word(list)} was changed.`;
    if (why !== undefined)
      throw new VideoHostingError('not_approved', sentence`Stopped at ${timeIn(run.timeZone, now())}: ${why}`, {
        hint: 'What was done stays; undo_change can take it back where that is possible. Tell the user, who decides on the rest.',
      });
    begun.set(receipt, { ...run, seen });
  }

  return {
    seenNow,
    /** To be told of each receipt before anything is sent. */
    begins: (receipt: Receipt, run: CoveredRun): unknown => begun.set(receipt, run),
    /** Throws once it is covered no more, or that can’t be told. */
    async assertStillCovered(changeId: string, receipt: Receipt): Promise<void> {
      try {
        await assertCovered(receipt);
      } catch (error) {
        // Several batches look at once.
        if (!stopped.has(receipt))
          notify({ kind: 'stopped', changeId, approvals: [...new Set(receipt.rules.map(({ approval }) => approval))] });
        stopped.add(receipt);
        throw error;
      }
    },
  };
}

/** A list in which ids were found, and that is not as it was then. */
export const changedList = ({ lists }: Pick<Uses, 'lists'>): string | undefined =>
  [...lists].find(([file, state]) => stateOf(file) !== state)?.[0];

function whyNoMore({ agent, rules }: Receipt, found: StandingFileRead, revoked: ReadonlySet<string>, now: Date): Sentence | undefined {
  if (!found.ok) return sentence`the file of standing approvals can’t be used any more. ${joined(found.problems)}`;
  const { approvals, timeZone } = found.file;
  for (const use of rules) {
    const named = word(use.approval);
    const approval = approvals.find(({ id, for: name }) => id === use.approval && name === agent);
    const rule = approval?.allow.find((one) => ruleDigest(one) === use.rule);
    if (revoked.has(use.approval)) return sentence`${named} was revoked.`;
    if (approval === undefined || rule === undefined) return sentence`${named} allows it no more.`;
    if (dayIn(timeZone, now) >= approval.until) return sentence`${named} ended on ${word(approval.until)}.`;
    const { perChange = Number.POSITIVE_INFINITY, perDay, total = Number.POSITIVE_INFINITY } = rule;
    if (use.number > perChange || use.today.used > perDay || (use.total ?? use.today).used > total)
      return sentence`the limits of ${named} are lower now than what was begun.`;
  }
  return undefined;
}
