import type { ChangeStatus, ChangeView } from '../../contract.ts';
import { usePageContext } from '../data/page-context.tsx';
import { Callout, Sentences, Timestamp } from '../parts/basics.tsx';
import { Paused } from '../parts/paused.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { isOver, isPartLeft, outcomeOf, statusRow, type Tone } from '../parts/statuses.ts';
import { Typeset } from '../parts/typeset.tsx';
import { changeAddress, listAddress } from '../router.ts';
import { nextOf } from './next.ts';
import { whyOf } from './reasons.ts';
import { isUndoInBar, undoWords } from './undo-words.ts';

const UNBEGUN: readonly ChangeStatus[] = ['waiting', 'declined', 'withdrawn', 'expired', 'needless'];
const isBegun = (status: ChangeStatus): boolean => !UNBEGUN.includes(status);

function toneOf(change: ChangeView): Tone {
  if (!isOver(change.status)) return 'plain';
  const { tone } = statusRow(change);
  return tone === 'good' && isPartLeft(change) ? 'caution' : tone;
}

/** What became of it, first of all once it is decided. */
export function Outcome({ change }: { readonly change: ChangeView }) {
  const { mayAct } = usePageContext();
  const { status, progress, paused, agreed = [], notes, undoneBy, partlyUndoneBy, press } = change;
  const sentence = outcomeOf(change);
  const next = nextOf(change, mayAct);
  const left = isOver(status) && isBegun(status) ? change.notices.filter(({ isLeftAlone }) => isLeftAlone === true) : [];
  const why = whyOf(change);
  // One that can’t go on is not told to be going on besides.
  const isPaused = status === 'running' && paused !== undefined && change.isStopping !== true;
  // Where its button is, that says so.
  const isUndoTold = change.changesAccount && isOver(status) && isBegun(status) && undoneBy === undefined && !isUndoInBar(change, mayAct);
  return (
    <>
      {press !== undefined && (
        <Callout tone="plain" isUrgent>
          <Sentences of={[press]} />
        </Callout>
      )}
      {isPaused && (
        <Paused of={paused} progress={progress}>
          <Sentences of={notes} />
          <Agreed of={agreed} />
        </Paused>
      )}
      {!isPaused && (sentence !== '' || notes.length > 0) && (
        <Callout tone={toneOf(change)} title={sentence}>
          <Sentences of={[...left.map(({ text }) => text), ...why, ...(isUndoTold ? [undoWords(change)] : [])]} />
          <Sentences of={notes.filter((note) => !why.some((reason) => reason.includes(note)))} />
          {next.length > 0 && (
            <p>
              <strong>What now:</strong> <Typeset text={next.join(' ')} hasLinks />
            </p>
          )}
          <Agreed of={agreed} />
          {partlyUndoneBy !== undefined && (
            <p>
              <a href={changeAddress(partlyUndoneBy)}>Show its undo</a>
            </p>
          )}
          {undoneBy !== undefined && (
            <p>
              <a href={changeAddress(undoneBy)}>Show its undo</a>
            </p>
          )}
        </Callout>
      )}
      {status === 'running' && <ProgressBar progress={progress} isHeld={change.isStopping === true || isPaused} />}
    </>
  );
}

/** That nobody was asked, which weighs most; who asked for it and who agreed, and when. */
export function Agreed({ of }: { readonly of: NonNullable<ChangeView['agreed']> }) {
  const { session } = usePageContext();
  const ofSome = of.filter(({ isUnasked }) => isUnasked !== true);
  return (
    <>
      {of
        .filter(({ isUnasked }) => isUnasked === true)
        .map(({ words, isCovered }) => (
          <p key={words}>
            <bdi>{words}</bdi>
            {isCovered === true && session?.hasStandingApprovals === true && (
              <>
                {' '}
                <a href={listAddress('approvals')}>See or revoke it</a>.
              </>
            )}
          </p>
        ))}
      {ofSome.length > 0 && (
        <p class="quiet">
          {ofSome.map(({ words, at }) => (
            <span key={words}>
              <bdi>{words}</bdi>
              {at !== undefined && (
                <>
                  {' on '}
                  <Timestamp at={at} />.
                </>
              )}{' '}
            </span>
          ))}
        </p>
      )}
    </>
  );
}
