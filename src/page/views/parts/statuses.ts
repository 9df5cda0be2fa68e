import type { ChangeStatus, ChangeView } from '../../contract.ts';

export type Tone = 'good' | 'caution' | 'loss' | 'plain' | 'act';

interface StatusRow {
  readonly words: string;
  readonly tone: Tone;
  readonly sign: string;
  /** What became of the change, in a sentence; empty for one that waits. */
  readonly outcome: string;
}

/** Of a change that is over, `plain` means that nothing was sent. */
const STATUSES: Readonly<Record<ChangeStatus, StatusRow>> = {
  waiting: { words: 'Waits for you', tone: 'act', sign: '●', outcome: '' },
  running: { words: 'Running', tone: 'act', sign: '▸', outcome: 'This is being applied.' },
  applied: { words: 'Done', tone: 'good', sign: '✓', outcome: 'Everything was applied.' },
  partly_applied: { words: 'Partly done', tone: 'caution', sign: '◐', outcome: 'Part of it was applied, and the rest was not.' },
  stopped: {
    words: 'Stopped',
    tone: 'caution',
    sign: '■',
    outcome: 'It was stopped. What was done until then stays done.',
  },
  interrupted: {
    words: 'Interrupted',
    tone: 'caution',
    sign: '!',
    outcome: 'It was interrupted before its end.',
  },
  failed: { words: 'Failed', tone: 'loss', sign: '✕', outcome: 'It failed.' },
  declined: { words: 'Declined', tone: 'plain', sign: '–', outcome: 'It was declined, and the assistant is told so.' },
  withdrawn: { words: 'Withdrawn', tone: 'plain', sign: '–', outcome: 'It was withdrawn. If you still want it, ask your assistant again.' },
  expired: { words: 'Expired', tone: 'plain', sign: '–', outcome: 'It has expired. If you still want it, ask your assistant again.' },
  answered: { words: 'Answered elsewhere', tone: 'plain', sign: '–', outcome: 'It was answered in another way.' },
  needless: { words: 'Nothing to do', tone: 'plain', sign: '–', outcome: 'Nothing was left to be done.' },
};

const UNDONE: StatusRow = { words: 'Undone', tone: 'plain', sign: '↶', outcome: 'It was applied, and undone later.' };

export const statusOf = ({ status, undoneBy }: Pick<ChangeView, 'status' | 'undoneBy'>): StatusRow =>
  undoneBy === undefined ? STATUSES[status] : UNDONE;

export const isOver = (status: ChangeStatus): boolean => status !== 'waiting' && status !== 'running';

/** What stands above the records of a change. */
export function headingOf(status: ChangeStatus): string {
  if (!isOver(status)) return 'What changes';
  return STATUSES[status].tone === 'plain' ? 'What was proposed' : 'What changed';
}

/** What became of a change, in a sentence. */
export function outcomeOf(change: ChangeView): string {
  const isLocal = change.status === 'applied' && change.undoneBy === undefined && !change.changesAccount;
  if (isLocal) return 'It is done. Nothing in the account was changed.';
  const { outcome } = statusOf(change);
  const isEnded = change.status === 'stopped' || change.status === 'interrupted';
  return isEnded && change.canResume ? `${outcome} The rest can be carried on, on the approval page or by your assistant.` : outcome;
}
