import type { ChangeView } from '../../contract.ts';
import { usePageContext, useRoles } from '../data/page-context.tsx';
import { Sentences } from '../parts/basics.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { isStatedOnly } from './stated.tsx';

/** What can’t be undone says so itself. */
const UNDO = { yes: 'This can be undone', partly: 'Part of this can be undone', no: undefined } as const;

/** Whether it can be undone, on what that rests, and what happens with the rest when one fails. */
export function Undoing({ change }: { readonly change: ChangeView }) {
  const { undo, onFailure, status, mayDecide, changesAccount, problem, needsOther, notices } = change;
  const { mayAct } = usePageContext();
  const { mayPropose } = useRoles();
  const isUnfit = problem !== undefined && needsOther === undefined;
  const possible = changesAccount ? UNDO[undo.possible] : undefined;
  // It stands where the buttons are.
  const isInBar =
    changesAccount && undo.possible === 'no' && status === 'waiting' && mayAct && mayDecide !== false && problem === undefined;
  const how = isInBar ? '' : undo.how;
  // What can't be applied has nothing to undo.
  if ((status !== 'waiting' && status !== 'running') || isUnfit || (how === '' && onFailure === '')) return null;
  return (
    <section class={`panel ${changesAccount && undo.possible === 'no' && !isInBar ? 'tone-caution' : ''}`} aria-label="Undo and failures">
      {how !== '' && (
        <p>
          {possible !== undefined && (
            <strong>
              {possible}
              {mayAct && mayPropose && ', here or by your assistant'}
              {undo.possible === 'yes' && isStatedOnly(change) && ', but for what was not stated'}
              {undo.rests !== undefined && !notices.some(({ isOfUndo }) => isOfUndo) && (
                <>
                  , <Typeset text={undo.rests} />
                </>
              )}
              .{' '}
            </strong>
          )}
          <Typeset text={how} />
        </p>
      )}
      <Sentences of={notices.filter(({ isOfUndo }) => isOfUndo === true).map(({ text }) => text)} />
      {onFailure !== '' && (
        <p class="quiet">
          {/^If /.test(onFailure) ? '' : 'If one fails: '}
          <Typeset text={onFailure} />
        </p>
      )}
    </section>
  );
}
