import type { ChangeView } from '../../contract.ts';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';
import { useSource } from '../data/use-source.ts';
import { changeAddress, goTo } from '../router.ts';

interface BarProps {
  readonly changeId: string;
  readonly label: string;
  readonly explanation: string;
  readonly action: string;
  readonly isSending: boolean;
  readonly error: string | undefined;
  readonly onClick: () => void;
}

function Bar({ changeId, label, explanation, action, isSending, error, onClick }: BarProps) {
  const { unarmed, whenArmed } = useArmed(changeId);
  return (
    <section class="bar" aria-label={label}>
      {error !== undefined && (
        <p class="bar-error" role="alert">
          {error}
        </p>
      )}
      <div class="bar-inner">
        <p class="bar-explanation quiet">{explanation}</p>
        <div class="bar-buttons">
          <button type="button" disabled={isSending} {...unarmed} onClick={whenArmed(onClick)}>
            {isSending ? 'Sending …' : action}
          </button>
        </div>
      </div>
    </section>
  );
}

export function RunningBar({ change, replace }: { readonly change: ChangeView; readonly replace: (change: ChangeView) => void }) {
  const source = useSource();
  useBusy(true);
  const { send, ...state } = useSending(replace);
  return (
    <Bar
      {...state}
      changeId={change.changeId}
      label="Stop"
      action="Stop"
      explanation="Stops after the requests in flight. What is done until then stays done."
      onClick={() => send(() => source.stop(change.changeId))}
    />
  );
}

/** Undo leads to a change of its own, which waits: nothing is undone by this button alone. */
export function OverBar({ change }: { readonly change: ChangeView }) {
  const source = useSource();
  // Another view must not come under the pointer on its way to the button.
  useBusy(true);
  const { send, ...state } = useSending((undo: ChangeView) => goTo(changeAddress(undo.changeId)));
  return (
    <Bar
      {...state}
      changeId={change.changeId}
      label="Undo"
      action="Undo …"
      explanation="You are shown what would be set back before anything is sent."
      onClick={() => send(() => source.undo(change.changeId))}
    />
  );
}
