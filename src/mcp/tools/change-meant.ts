import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import type { Newest } from '../../changes/kinds/earlier/newest.ts';
import { isSameParty } from '../../changes/plan/asked-and-decided.ts';
import { titleOf } from '../../changes/tell/title.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { refusal } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import { callerOf, type ToolContext } from '../define-tool.ts';

/** `chg-… (Rename 2 channels, of 2026-09-15 09:30 UTC)` */
const namedText = ({ intent }: ChangeRecord): Sentence =>
  sentence`${word(intent.changeId)} (${titleOf(intent.summary, intent.items)}, of ${timeText(Date.parse(intent.at))})`;

const mustBeGiven = (problem: Sentence) => invalidArguments([{ field: sentence`changeId`, problem }]);

/**
 * The newest change that a tool can work on, for a call that names none. A person is shown which one it is before anything is sent for it, so
 * where nobody may be asked it has to be named. One that is running is stopped before they are asked: that sends nothing.
 */
export async function newestMeant(
  newest: Newest,
  can: 'undone' | 'carried on',
  context: Pick<ToolContext, 'call' | 'journal' | 'settings'>,
): Promise<string> {
  const { confirm, standingApprovals } = context.settings;
  // Of several people, what somebody else asked for is never meant.
  const record = await newest(context.journal, callerOf(context));
  if (record === undefined)
    throw refusal(
      'not_found',
      sentence`Nothing that can be ${can} is among the last changes of this server.`,
      'See list_changes for all of them.',
    );
  const { changeId } = record.intent;
  const isRunning = record.status === 'running' ? ', which is running' : '';
  if (confirm === 'never' || standingApprovals !== undefined)
    throw mustBeGiven(
      sentence`has to be given, since nobody may be asked here. The newest that can be ${can} is ${namedText(record)}${isRunning}.`,
    );
  return changeId;
}

/** The change that is running, for a call that names none: of several people and agents, one that the caller asked for, or had carried on. */
export async function runningMeant(context: Pick<ToolContext, 'call' | 'journal' | 'settings'>): Promise<string> {
  const caller = callerOf(context);
  const all = await context.journal.list(MAX_LOOKED_THROUGH, { status: 'running' });
  const running = all.filter(({ agreed }) => isSameParty(agreed.at(-1)?.asked?.by, caller)).slice(0, MAX_NAMED);
  const [only, ...others] = running;
  if (only === undefined && all.length > 0)
    throw mustBeGiven(
      sentence`has to be given, since what runs was asked for by somebody else: ${joined(all.slice(0, MAX_NAMED).map(namedText), '; ')}.`,
    );
  if (only === undefined) throw refusal('not_found', sentence`Nothing is running.`, 'list_changes tells what waits, and what has ended.');
  if (others.length === 0) return only.intent.changeId;
  throw mustBeGiven(sentence`has to be given, since several are running: ${joined(running.map(namedText), '; ')}.`);
}

const MAX_NAMED = 10;
/** What runs of others must not hide what the caller’s is. */
const MAX_LOOKED_THROUGH = 200;
