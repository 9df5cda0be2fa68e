import type { ChangeView } from '../../contract.ts';
import { useSource } from '../data/surroundings.tsx';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';
import { Bar } from '../parts/bar.tsx';
import { changeAddress, goTo } from '../router.ts';

interface Props {
  readonly changeId: string;
  readonly label: string;
  readonly explanation: string;
  readonly action: string;
  readonly act: (changeId: string) => Promise<ChangeView>;
  readonly onAnswer: (change: ChangeView) => void;
}

function ActionBar({ changeId, label, explanation, action, act, onAnswer }: Props) {
  // Another view must not come under the pointer on its way to the button.
  useBusy(true);
  const { unarmed, whenArmed } = useArmed(changeId);
  const { isSending, error, send } = useSending(onAnswer);
  return (
    <Bar label={label} error={error} lead={<p class="bar-explanation quiet">{explanation}</p>}>
      <button type="button" disabled={isSending} {...unarmed} onClick={whenArmed(() => send(() => act(changeId)))}>
        {isSending ? 'Sending …' : action}
      </button>
    </Bar>
  );
}

export function RunningBar({ change: { changeId }, replace }: { readonly change: ChangeView; readonly replace: Props['onAnswer'] }) {
  return (
    <ActionBar
      changeId={changeId}
      label="Stop"
      action="Stop"
      explanation="Stops after the requests in flight. What is done until then stays done."
      act={useSource().stop}
      onAnswer={replace}
    />
  );
}

/** Undo leads to a change of its own, which waits: nothing is undone by this button alone. */
export function OverBar({ change: { changeId } }: { readonly change: ChangeView }) {
  return (
    <ActionBar
      changeId={changeId}
      label="Undo"
      action="Undo …"
      explanation="You are shown what would be set back before anything is sent."
      act={useSource().undo}
      onAnswer={(undo) => goTo(changeAddress(undo.changeId))}
    />
  );
}
