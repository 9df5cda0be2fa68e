import { refusal, VideoHostingError } from '../../errors.ts';
import { ownCommand, toReaders } from '../../text/own-command.ts';
import { sentence, word } from '../../text/sentence.ts';
import { proposalEnded } from './ended-text.ts';
import type { Proposal } from './proposal.ts';
import { waitsOf } from './routes/index.ts';

// Why nothing is added, or nothing decided.

export function assertWaits(changeId: string, change: Proposal | undefined): asserts change is Proposal {
  if (change === undefined) throw refusal('not_found', sentence`No change ${word(changeId)} waits here.`);
  if (change.status !== 'waiting')
    throw refusal(
      'not_approved',
      sentence`${word(changeId)} waits no more. ${change.status === 'started' ? sentence`It was approved.` : proposalEnded(change, 'person')}`,
      'get_change tells what came of it.',
    );
}

export const replaced = (changeId: string): VideoHostingError =>
  refusal(
    'not_approved',
    sentence`Another change waits as ${word(changeId)} now than the one that was shown.`,
    'Look at it again, and decide on what it is now.',
  );

export const decidedOn = (changeId: string): VideoHostingError =>
  refusal('not_approved', sentence`Somebody else decides on ${word(changeId)} at this moment.`, 'Look at it again in a moment.');

/** A process keeps the lock that it takes to decide again on one that was left; `cause` names it. */
export const held = (changeId: string, cause: unknown): VideoHostingError =>
  refusal(
    'running_elsewhere',
    sentence`Nothing was decided on ${word(changeId)}. ${cause instanceof VideoHostingError ? cause.reason : sentence``}`,
    'If that process hangs, end it; then decide again.',
  );

/** As many wait as may. */
export const full = (count: number, { route, asked }: Pick<Proposal, 'route' | 'asked'>): VideoHostingError =>
  waitsOf(route).isForLater
    ? refusal(
        'not_approved',
        sentence`${count} changes${asked.by === undefined ? '' : sentence` of ${word(asked.by.name)}`} wait for a person already, which is as many as may. This one was not kept.`,
        sentence`A person has to decide on those first${toReaders(() => sentence` (${ownCommand('waiting')})`, '')}; stop_change withdraws one that is not wanted any more.`,
      )
    : refusal(
        'not_approved',
        sentence`${count} changes${asked.by === undefined ? sentence` wait for the user` : sentence` of ${word(asked.by.name)} wait`} on the approval page, which is as many as it takes. This one was not added.`,
        'Let the user decide those first; list_changes with status waiting names them.',
      );
