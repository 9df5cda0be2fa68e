import type { ChangeStatus } from '../../contract.ts';

type Tone = 'good' | 'caution' | 'loss' | 'plain';

/** What a status means for the account, in a sentence; none for a change that waits. */
export const OUTCOME_SENTENCES: Readonly<Record<ChangeStatus, readonly [Tone, string]>> = {
  waiting: ['plain', ''],
  running: ['plain', 'This is being applied.'],
  applied: ['good', 'Everything was applied.'],
  partly_applied: ['caution', 'Part of it was applied, and the rest was not.'],
  stopped: ['caution', 'It was stopped. What was done until then stays done; ask your assistant to carry on with the rest.'],
  interrupted: ['caution', 'It was interrupted before its end. Ask your assistant to carry on with the rest.'],
  failed: ['loss', 'It failed.'],
  declined: ['plain', 'It was declined. Nothing was changed, and the assistant is told so.'],
  withdrawn: [
    'plain',
    'The assistant withdrew this, or your client gave up waiting. Nothing was changed. If you still want it, ask again.',
  ],
  expired: ['plain', 'Nobody answered in time. Nothing was changed. If you still want it, ask your assistant again.'],
};

export const isOver = (status: ChangeStatus): boolean => status !== 'waiting' && status !== 'running';
