import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ChangeView } from '../../contract.ts';
import { useActions, useSource } from '../data/page-context.tsx';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useIsBefore } from '../data/use-is-before.ts';
import { useSending } from '../data/use-sending.ts';
import { Bar } from '../parts/bar.tsx';
import { isAllSent } from '../parts/statuses.ts';
import { Moment, Typeset } from '../parts/typeset.tsx';
import { number } from '../parts/words.ts';
import { changeAddress, goTo } from '../router.ts';
import { isGivenOut, undoWords } from './undo-words.ts';

interface Props<Answer> {
  /** What the buttons are about: a press that was meant for another one does nothing. */
  readonly about: string;
  readonly label: string;
  readonly explanation: ComponentChildren;
  readonly actions: readonly { readonly words: string; readonly act: () => Promise<Answer>; readonly isDisabled?: boolean }[];
  readonly onAnswer: (answer: Answer) => void;
  /** Nothing can be pressed for now. */
  readonly isDisabled?: boolean;
  /** Leaves all as it is; has the focus at first. */
  readonly cancel?: { readonly words: string; readonly act: () => void };
}

interface BarProps {
  readonly change: ChangeView;
  readonly replace: (change: ChangeView) => void;
}

export function ActionBar<Answer>({ about, label, explanation, actions, onAnswer, isDisabled = false, cancel }: Props<Answer>) {
  // Another view must not come under the pointer on its way to the button.
  useBusy(true);
  const { unarmed, whenArmed } = useArmed(about);
  const { isSending, error, send } = useSending(onAnswer);
  const [pressed, setPressed] = useState('');
  const press = (words: string, act: () => Promise<Answer>): void => {
    setPressed(words);
    send(act);
  };
  const lead = <p class="bar-explanation quiet">{explanation}</p>;
  return (
    <Bar label={label} error={error} lead={lead} {...(cancel && { onEscape: cancel.act })}>
      {cancel !== undefined && (
        <button type="button" ref={focusOn} disabled={isSending} onClick={cancel.act}>
          {cancel.words}
        </button>
      )}
      {actions.map(({ words, act, isDisabled: isOff = false }) => (
        <button
          key={words}
          type="button"
          disabled={isSending || isDisabled || isOff}
          {...unarmed}
          onClick={whenArmed(() => press(words, act))}
        >
          {isSending && words === pressed ? 'Sending …' : words}
        </button>
      ))}
    </Bar>
  );
}

/** In short, where the buttons are; that it can’t be with its reason. */
export function CanBeUndone({ change }: Pick<BarProps, 'change'>) {
  if (!change.changesAccount && !isGivenOut(change)) return null;
  const isWhole = change.undo.possible === 'yes';
  return (
    <strong class={isWhole ? '' : 'tone-caution final'}>
      {!isWhole && <span aria-hidden="true">! </span>}
      <Typeset text={undoWords(change)} hasIds={false} />
    </strong>
  );
}

export const focusOn = (element: Element | null): void => (element instanceof HTMLElement ? element.focus() : undefined);

/** What a stop does now. */
function stopText({ canUndo, undo, paused, progress }: ChangeView): string {
  const undone = canUndo
    ? `, unless you undo ${undo.possible === 'yes' ? 'it' : 'what can be undone of it'}: you are shown that first.`
    : '.';
  if (paused === undefined && progress !== undefined && isAllSent(progress))
    return `All that was left is sent: Stop keeps back only what would have to be sent again. What is done stays done${undone}`;
  if (paused === undefined) return `Stops once what was sent already is answered. What is done until then stays done${undone}`;
  // What waits for another try is given up.
  const { sent = 0 } = progress?.ofMany ?? {};
  const doubt = sent === 0 ? '' : ` Of the ${number(sent)} to be tried again it may stay unknown whether they were done.`;
  return `Stops now: nothing more is sent.${doubt} What is done stays done${undone}`;
}

/** What is stopped to be undone leads to the plan of its undo, which waits. */
export function RunningBar({ change, replace }: BarProps) {
  const { changeId, canUndo, isStopping = false } = change;
  const { stop, undo } = useActions();
  const source = useSource();
  /** One that was asked to stop, and does not end soon, is shown as that. */
  const looksAgain = async (error: unknown): Promise<never> => {
    await source.change(changeId).then(replace, () => undefined);
    throw error;
  };
  const actions = [
    { words: 'Stop', act: () => stop(changeId) },
    ...(canUndo ? [{ words: 'Stop and undo …', act: () => undo(changeId).catch(looksAgain) }] : []),
  ];
  return (
    <ActionBar
      about={changeId}
      label="Stop"
      actions={actions}
      isDisabled={isStopping}
      explanation={isStopping ? 'Stop was pressed. Once it has ended, you see here what can be done with it.' : stopText(change)}
      onAnswer={(answer) => (answer.changeId === changeId ? replace(answer) : goTo(changeAddress(answer.changeId)))}
    />
  );
}

/** Each button leads to a plan that waits: nothing is sent by it alone. */
export function OverBar({ change }: Pick<BarProps, 'change'>) {
  const { undo, resume } = useActions();
  const { changeId, canResume, canRetry, canUndo, resumeFrom } = change;
  const isEarly = useIsBefore(canResume ? resumeFrom : undefined);
  const actions = [
    ...(canResume ? [{ words: 'Carry on …', act: () => resume(changeId, false), isDisabled: isEarly }] : []),
    ...(canRetry ? [{ words: 'Try again …', act: () => resume(changeId, true), isDisabled: isEarly }] : []),
    ...(canUndo ? [{ words: 'Undo …', act: () => undo(changeId) }] : []),
  ];
  return (
    <ActionBar
      about={changeId}
      label="What can be done with it"
      actions={actions}
      explanation={
        <>
          {canUndo && <CanBeUndone change={change} />}{' '}
          {isEarly && resumeFrom !== undefined && (
            <strong>
              Can be carried on from <Moment at={resumeFrom} />.
            </strong>
          )}{' '}
          You are shown what would be sent before anything is.
        </>
      }
      onAnswer={({ changeId: next }) => goTo(changeAddress(next))}
    />
  );
}
