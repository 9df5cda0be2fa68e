import type { ChangeStatus, ChangeView } from '../../contract.ts';
import { useIsLast, usePageContext } from '../data/page-context.tsx';
import { Callout, ForSetup, Sentences, Timestamp } from '../parts/basics.tsx';
import { Paused } from '../parts/paused.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { isOver, isPartLeft, isUnasked, outcomeOf, statusRow, type Tone } from '../parts/statuses.ts';
import { Typeset } from '../parts/typeset.tsx';
import { changeAddress, listAddress } from '../router.ts';
import { nextOf } from './next.ts';
import { whyOf } from './reasons.ts';
import { isUndoInBar, undoWords } from './undo-words.ts';

const UNBEGUN: readonly ChangeStatus[] = ['waiting', 'declined', 'withdrawn', 'expired', 'needless'];
const isBegun = (status: ChangeStatus): boolean => !UNBEGUN.includes(status);

function toneOf(change: ChangeView, isLast: boolean): Tone {
  if (!isOver(change.status)) return isLast || isUnasked(change) ? 'caution' : 'plain';
  const { tone } = statusRow(change);
  const isOtherNow = isPartLeft(change) || change.records.some(({ since }) => since === 'changed');
  return tone === 'good' && isOtherNow ? 'caution' : tone;
}

/** What became of it, first of all once it is decided. */
export function Outcome({ change }: { readonly change: ChangeView }) {
  const { mayAct, session } = usePageContext();
  const isLast = useIsLast();
  const { status, progress, paused, agreed = [], notes, undoneBy, partlyUndoneBy, press } = change;
  const sentence = outcomeOf(change, isLast);
  const next = nextOf(change, mayAct, session?.isReadOnly);
  const left = isOver(status) && isBegun(status) ? change.notices.filter(({ isLeftAlone }) => isLeftAlone === true) : [];
  const why = whyOf(change);
  // One that can’t go on is not told to be going on besides.
  const isPaused = status === 'running' && paused !== undefined && change.isStopping !== true && !isLast;
  // Where its button is, that says so; and what failed as a whole changed nothing.
  const isUndoTold =
    change.changesAccount &&
    isOver(status) &&
    isBegun(status) &&
    undoneBy === undefined &&
    !isUndoInBar(change, mayAct) &&
    (status !== 'failed' || (change.counts?.unknown ?? 0) > 0);
  return (
    <>
      {isPaused && (
        <Paused of={paused} progress={progress}>
          <Sentences of={notes} />
          <Unasked of={agreed} />
        </Paused>
      )}
      {!isPaused && (sentence !== '' || notes.length > 0 || press !== undefined) && (
        <Callout tone={toneOf(change, isLast)} title={sentence}>
          {press !== undefined && (
            <div role="alert">
              <Sentences of={[press]} />
            </div>
          )}
          <Sentences of={[...left.map(({ text }) => text), ...why, ...(isUndoTold ? [undoWords(change)] : [])]} />
          <Sentences of={notes.filter((note) => !why.some((reason) => reason.includes(note)))} />
          {next.length > 0 && (
            <p>
              <strong>What now:</strong> <Typeset text={next.join(' ')} hasLinks />
            </p>
          )}
          <Unasked of={agreed} />
          <ForSetup text={change.setup} />
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
      {status === 'running' && <ProgressBar progress={progress} isHeld={change.isStopping === true || isPaused || isLast} />}
      <Agreed of={agreed} />
    </>
  );
}

/** That nobody was asked, which weighs most. */
export function Unasked({ of }: { readonly of: NonNullable<ChangeView['agreed']> }) {
  const { session } = usePageContext();
  return (
    <>
      {of
        .filter((one) => one.isUnasked === true)
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
    </>
  );
}

/** Who asked for it and who agreed, and when: behind what became of it. */
export function Agreed({ of }: { readonly of: NonNullable<ChangeView['agreed']> }) {
  const ofSome = of.filter((one) => one.isUnasked !== true);
  if (ofSome.length === 0) return null;
  return (
    <p class="quiet small">
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
  );
}
