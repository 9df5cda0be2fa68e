import type { ChangeView } from '../../contract.ts';
import { usePageContext, useRoles } from '../data/page-context.tsx';
import { Sentences } from '../parts/basics.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { isStatedOnly } from './stated.tsx';

/** What can’t be undone says so itself. */
const UNDO = { yes: 'This can be undone', partly: 'Part of this can be undone', no: undefined } as const;

/** Whether it can be undone, on what that rests, and what happens with the rest when one fails. */
export function Undoing({ change }: { readonly change: ChangeView }) {
  const { undo, onFailure, status, changesAccount, problem, needsOther, notices } = change;
  const { mayAct } = usePageContext();
  const { mayPropose } = useRoles();
  const isUnfit = problem !== undefined && needsOther === undefined;
  const possible = changesAccount ? UNDO[undo.possible] : undefined;
  // What can't be applied has nothing to undo.
  if ((status !== 'waiting' && status !== 'running') || isUnfit || undo.how === '') return null;
  return (
    <section class={`panel ${changesAccount && undo.possible === 'no' ? 'tone-caution' : ''}`} aria-label="Undo and failures">
      <p>
        {possible !== undefined && (
          <strong>
            {possible}
            {mayAct && mayPropose && ', here or by your assistant'}
            {undo.possible === 'yes' && isStatedOnly(change) && ', except for what the assistant left out'}.{' '}
          </strong>
        )}
        <Typeset text={undo.how} />
      </p>
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
