import * as z from 'zod';
import type { Outcome } from '../../changes/journal/bulk-state.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { type Journal, noSuchChange } from '../../changes/journal/journal.ts';
import { findChange, proposalStatus } from '../../changes/life/find-change.ts';
import { isSameParty, personIn, stoppedNow } from '../../changes/plan/asked-and-decided.ts';
import { earlierText } from '../../changes/plan/preview.ts';
import type { StoppedBy } from '../../changes/plan/stopped-by.ts';
import type { Proposal } from '../../changes/proposals/proposal.ts';
import { waitsOf } from '../../changes/proposals/routes/index.ts';
import { countsOut } from '../../changes/tell/bulk-result.ts';
import { laterResult } from '../../changes/tell/result.ts';
import { refusal } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { sentenceOut } from '../answer/answer-schema.ts';
import { bulkOutput, type ChangeAnswer, changeOutput } from '../call/change-reply.ts';
import { callerOf, changeIdArgument, defineTool, type ToolContext } from '../define-tool.ts';
import { runningMeant } from './change-meant.ts';
import { readEnded } from './get-change.ts';

const BY_ITSELF = sentence`It came to its own end before it could be stopped.`;

/** Time for a change to see the stop request, which another process polls for, and to end its requests in flight. */
const MAX_WAIT_MS = 10_000;

export const stopChange = defineTool({
  name: 'stop_change',
  title: 'Stop a change',
  description:
    'Ends a running change (by default the user’s only one) after the requests in flight; withdraws one that waits, or a preview.',
  effect: 'control',
  input: { changeId: changeIdArgument.optional() },
  output: {
    changeId: z.string(),
    status: z.string(),
    message: sentenceOut(),
    ...bulkOutput,
    notDoneFileHolds: changeOutput.notDoneFileHolds,
    undo: changeOutput.undo,
    moved: z.number().optional(),
    copied: z.number().optional(),
    done: z.number().optional(),
  },
  run: async ({ changeId: given }, context) => {
    const { journal, proposals } = context;
    const changeId = given ?? (await runningMeant(context));
    const found = await findChange(changeId, { journal, proposals });
    if (found === undefined) throw noSuchChange(changeId, {}, await context.otherAccounts());
    if (found.record === undefined) {
      const { proposal } = found;
      if (proposal.status !== 'waiting') return { changeId, status: proposalStatus(proposal), message: UNSENT };
      const theirs = proposal.isOwn ? ownOf(proposal) : waitsOf(proposal.route).isTheirs;
      if (theirs !== undefined) throw refusal('not_approved', theirs.message, theirs.hint);
      // Only who asked for it may: a person, or an agent.
      if (!isSameParty(proposal.asked.by, callerOf(context)))
        throw refusal('not_approved', context.call.person === undefined ? ANOTHERS : SOMEBODY_ELSES, ANOTHERS_HINT);
      await proposals.withdraw(changeId);
      const whom = proposal.isAskedHere ? 'the user' : 'a person';
      return { changeId, status: 'withdrawn', message: sentence`It waited for ${whom} and was withdrawn. Nothing was sent.` };
    }
    const before = found.record;
    const id = before.intent.changeId;
    if (before.status !== 'running')
      return stopped(before, journal, sentence`It had ended already (${before.status}), so nothing had to be stopped.`);
    const after = (await endRunning(id, context, { ...context, how: 'assistant' })) ?? before;
    return stopped(after, journal, ENDED[after.status]);
  },
});

/** Ends a change that is carried out now, in this process or another; it may still run when its share of the call’s time is up. */
export async function endRunning(
  changeId: string,
  context: Pick<ToolContext, 'call' | 'journal' | 'jobs' | 'settings' | 'intervals' | 'ending'>,
  { signal, progress, how, share = 0.8 }: Pick<ToolContext, 'signal' | 'progress'> & { readonly how: StoppedBy; readonly share?: number },
): Promise<ChangeRecord | undefined> {
  const { journal, jobs, settings, intervals, ending } = context;
  const until = Date.now() + Math.min(MAX_WAIT_MS, settings.callBudgetMs * share);
  const job = jobs.get(changeId);
  const by = stoppedNow(how, callerOf(context));
  job?.stop(by);
  if (job === undefined) await journal.requestStop(changeId, by);
  await job?.watch({ until, signal, progress });
  return readEnded(changeId, journal, { until, signal, ending, everyMs: intervals.changeMs });
}

const ANOTHERS = sentence`Another agent asked for this change, so this one can’t withdraw it.`;
const SOMEBODY_ELSES = sentence`Somebody else asked for this change, so this person can’t withdraw it.`;
const ANOTHERS_HINT = 'It waits for a person, who can decline it.';

/** Of what a person asked for on the page. */
function ownOf({ asked }: Proposal) {
  const name = personIn(asked.by);
  const who = name === undefined ? sentence`The user` : word(name);
  return {
    message: sentence`${who} asked for this change on the approval page, so only they can cancel it.`,
    hint: sentence`It waits for ${name === undefined ? 'them' : who} there; ask them.`,
  };
}

const UNSENT = sentence`It waits no more, and nothing was sent for it so far; see get_change.`;

/** What this call came to, by what became of a change that was running. */
const ENDED: Readonly<Record<ChangeRecord['status'], Sentence>> = {
  running: sentence`It was asked to stop and ends after the requests in flight; see get_change.`,
  stopped: sentence`This call ended it, after the requests in flight.`,
  interrupted: sentence`The server that carried it out ended in the middle.`,
  applied: BY_ITSELF,
  partly_applied: BY_ITSELF,
  failed: BY_ITSELF,
};

/** How far a change is, in numbers, and what can be done now. */
async function stopped(record: ChangeRecord, journal: Journal, message: Sentence) {
  const { intent, status, items, bulk } = record;
  const { next, undo, notDoneFile, notDoneFileHolds }: Pick<ChangeAnswer, 'next' | 'undo' | 'notDoneFile' | 'notDoneFileHolds'> =
    await laterResult(record, journal);
  const isOffered = status !== 'running' && undo !== undefined && undo.possible !== 'no';
  // Who stops a change wants less of it rather than more.
  const steps = [...(isOffered ? [sentence`undo_change takes back what was done.`] : []), ...(next === undefined ? [] : [next])];
  const common = { changeId: intent.changeId, status, message: sentence`${message} What that was: ${earlierText(intent)}.` };
  const after = { notDoneFile, notDoneFileHolds, next: steps.length === 0 ? undefined : joined(steps), undo };
  if (bulk !== undefined) return { ...common, ...countsOut(record, bulk), ...after };
  const count = (wanted: Outcome) => items.filter(({ outcome }) => outcome === wanted).length;
  const counts = { failedCount: count('failed'), unknownCount: count('unknown'), notSentCount: count('not_done') };
  return { ...common, done: count('done'), total: items.length, ...counts, ...after };
}
