import { CHANGES_OFF } from '../../../changes/proposals/waited-labels.ts';
import type { ChangeStatus, ChangeView } from '../../contract.ts';

// What a person can do about a change that is over, after what became of it.

type Row = (change: ChangeView, mayAct: boolean) => readonly string[];

const asTold: Row = ({ steps = [] }) => steps;

const NEXT: Readonly<Record<ChangeStatus, Row>> = {
  // What can be done with these is beside their buttons.
  waiting: () => [],
  running: () => [],
  applied: asTold,
  partly_applied: ofRest,
  stopped: ofRest,
  interrupted: ofRest,
  failed: ofRest,
  declined: asTold,
  withdrawn: asTold,
  expired: asTold,
  needless: asTold,
};

/** In sentences; none where nothing is to be said of it. */
export function nextOf(change: ChangeView, mayAct: boolean, isReadOnly = false): readonly string[] {
  const told = NEXT[change.status](change, mayAct);
  if (told.length === 0 || !isReadOnly || !change.changesAccount) return told;
  return [...(isInDoubt(change) ? ['See in the dashboard whether it was done.'] : []), CHANGES_OFF];
}

function ofRest(change: ChangeView, mayAct: boolean): readonly string[] {
  const { steps = [], undoneBy, partlyUndoneBy, canResume, canRetry, resumeFrom } = change;
  if (undoneBy !== undefined || partlyUndoneBy !== undefined) return steps;
  const told = [
    ...steps,
    ...(canResume ? [mayAct ? `“Carry on” ${carriesOn(change)}.` : `Your assistant can carry it on${fromWhen(resumeFrom)}.`] : []),
    // The steps say when that helps.
    ...(canRetry && steps.length === 0 ? [mayAct ? '“Try again” sends what failed once more.' : 'Your assistant can try it again.'] : []),
  ];
  if (told.length > 0) return told;
  return isInDoubt(change)
    ? ['See in the dashboard whether it was done, before you ask for it again: it could be there twice.']
    : ['If it is still wanted, ask your assistant for it again.'];
}

/** Where the button is, that says it. */
const fromWhen = (at: string | undefined): string => (at === undefined ? '' : ` from ${at.slice(0, 10)} ${at.slice(11, 16)} UTC on`);

/** What of it is sent then. A copy that is in doubt never is, lest it comes twice; a channel that is in doubt is looked at before. */
function carriesOn(change: ChangeView): string {
  const { bulk } = change;
  if (!isInDoubt(change)) return change.counts?.done === 0 ? 'sends all of it' : 'sends the rest';
  if (bulk === undefined && change.records.length === 1)
    return 'looks first whether it was done, or changed by somebody else, and shows you what would be sent again';
  if (bulk === undefined) return 'looks first whether what is not known was done, then sends the rest';
  if (bulk.source !== undefined) return 'sends the rest, not what is in doubt';
  return `sends ${bulk.notSent > 0 ? 'the rest, and again' : 'again'} what is not known, which does no harm`;
}

const isInDoubt = ({ bulk, records }: ChangeView): boolean =>
  (bulk?.unknownCount ?? 0) > 0 || records.some(({ outcome }) => outcome === 'unknown');
