import type { ChangeView } from '../../contract.ts';
import { usePageContext } from '../data/page-context.tsx';
import { Sentences } from '../parts/basics.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { isStatedOnly } from './stated-words.ts';
import { isGivenOut, isUndoInBar, undoWords } from './undo-words.ts';

/** On what an undo rests, and what happens with the rest when one fails. Whether it can be undone stands where the buttons are. */
export function Undoing({ change }: { readonly change: ChangeView }) {
  const { undo, onFailure, status, changesAccount, problem, needsOther, notices } = change;
  const { mayAct } = usePageContext();
  const isUnfit = problem !== undefined && needsOther === undefined;
  const isNever = changesAccount && undo.possible === 'no';
  const isInBar = isUndoInBar(change, mayAct);
  const answer = changesAccount || isGivenOut(change) ? undoWords(change) : '';
  const words = isInBar ? '' : answer;
  // Of what somebody stated, the answer tells what can’t be put back, and this why.
  const isMore = !changesAccount || status === 'running' || (undo.possible === 'partly' && isStatedOnly(change));
  const how = isMore && !isNever && undo.how !== answer ? undo.how : '';
  // What can't be applied has nothing to undo.
  if ((status !== 'waiting' && status !== 'running') || isUnfit || `${how}${words}${onFailure}` === '') return null;
  // On what an undo rests is told once.
  const rests = undo.words === undefined || isNever ? notices.filter(({ isOfUndo }) => isOfUndo === true) : [];
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
