import type { ChangeStatus, ChangeView } from '../../contract.ts';

type Tone = 'good' | 'caution' | 'loss' | 'plain';

const OUTCOME_SENTENCES: Readonly<Record<ChangeStatus, readonly [Tone, string]>> = {
  waiting: ['plain', ''],
  running: ['plain', 'This is being applied.'],
  applied: ['good', 'Everything was applied.'],
  partly_applied: ['caution', 'Part of it was applied, and the rest was not.'],
  stopped: ['caution', 'It was stopped. What was done until then stays done; ask your assistant to carry on with the rest.'],
  interrupted: ['caution', 'It was interrupted before its end. Ask your assistant to carry on with the rest.'],
  failed: ['loss', 'It failed.'],
  declined: ['plain', 'It was declined, and the assistant is told so.'],
  withdrawn: ['plain', 'It was withdrawn. If you still want it, ask your assistant again.'],
  expired: ['plain', 'It has expired. If you still want it, ask your assistant again.'],
  answered: ['plain', 'It was answered in another way.'],
  needless: ['plain', 'Nothing was left to be done.'],
};

export const isOver = (status: ChangeStatus): boolean => status !== 'waiting' && status !== 'running';

/** What stands above the records of a change. */
export function headingOf(status: ChangeStatus): string {
  if (status === 'waiting' || status === 'running') return 'What changes';
  return ['declined', 'withdrawn', 'expired', 'answered', 'needless'].includes(status) ? 'What was proposed' : 'What changed';
}

/** What became of a change, in a sentence; none for one that waits. */
export function outcomeOf({ status, changesAccount, undoneBy }: ChangeView): readonly [Tone, string] {
  if (undoneBy !== undefined) return ['plain', 'It was applied, and undone later.'];
  return status === 'applied' && !changesAccount ? ['good', 'It is done. Nothing in the account was changed.'] : OUTCOME_SENTENCES[status];
}
