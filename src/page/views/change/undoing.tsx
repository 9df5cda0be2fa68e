import type { ChangeView } from '../../contract.ts';
import { usePageContext } from '../data/page-context.tsx';
import { Sentences } from '../parts/basics.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { isUndoInBar, undoWords } from './undo-words.ts';

/** How it is undone, on what that rests, and what happens with the rest when one fails. Whether it can be stands where the buttons are. */
export function Undoing({ change }: { readonly change: ChangeView }) {
  const { undo, onFailure, status, changesAccount, problem, needsOther, notices } = change;
  const { mayAct } = usePageContext();
  const isUnfit = problem !== undefined && needsOther === undefined;
  const isNever = changesAccount && undo.possible === 'no';
  const isInBar = isUndoInBar(change, mayAct);
  // What can't be undone says so itself.
  const how = isNever ? '' : undo.how;
  const words = changesAccount && !isInBar ? undoWords(change) : '';
  // What can't be applied has nothing to undo.
  if ((status !== 'waiting' && status !== 'running') || isUnfit || `${how}${words}${onFailure}` === '') return null;
  // On what an undo rests is told once.
  const rests = undo.rests === undefined || isNever ? notices.filter(({ isOfUndo }) => isOfUndo === true) : [];
  return (
    <section class={`panel ${isNever && !isInBar ? 'tone-caution' : ''}`} aria-label="Undo and failures">
      {`${words}${how}` !== '' && (
        <p>
          {words !== '' && (
            <strong>
              <Typeset text={words} />{' '}
            </strong>
          )}
          <Typeset text={how} />
        </p>
      )}
      <Sentences of={rests.map(({ text }) => text)} />
      {onFailure !== '' && (
        <p class="quiet">
          {/^If /.test(onFailure) ? '' : 'If one fails: '}
          <Typeset text={onFailure} />
        </p>
      )}
    </section>
  );
}
