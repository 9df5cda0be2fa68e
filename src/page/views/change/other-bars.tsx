import type { ChangeView } from '../../contract.ts';
import { useActions } from '../data/surroundings.tsx';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';
import { Bar } from '../parts/bar.tsx';
import { changeAddress, goTo } from '../router.ts';

interface Action {
  readonly words: string;
  readonly act: (changeId: string) => Promise<ChangeView>;
}

interface Props {
  readonly change: ChangeView;
  readonly label: string;
  readonly explanation: string;
  readonly actions: readonly Action[];
  readonly onAnswer: (change: ChangeView) => void;
}

type BarProps = Pick<Props, 'change'> & { readonly replace: Props['onAnswer'] };

function ActionBar({ change: { changeId }, label, explanation, actions, onAnswer }: Props) {
  // Another view must not come under the pointer on its way to the button.
  useBusy(true);
  const { unarmed, whenArmed } = useArmed(changeId);
  const { isSending, error, send } = useSending(onAnswer);
  return (
    <Bar label={label} error={error} lead={<p class="bar-explanation quiet">{explanation}</p>}>
      {actions.map(({ words, act }) => (
        <button key={words} type="button" disabled={isSending} {...unarmed} onClick={whenArmed(() => send(() => act(changeId)))}>
          {isSending ? 'Sending …' : words}
        </button>
      ))}
    </Bar>
  );
}

export function RunningBar({ change, replace }: BarProps) {
  return (
    <ActionBar
      change={change}
      label="Stop"
      actions={[{ words: 'Stop', act: useActions().stop }]}
      explanation="Stops after the requests in flight. What is done until then stays done."
      onAnswer={replace}
    />
  );
}

/** Each button leads to a plan that waits: nothing is sent by it alone. */
export function OverBar({ change, replace }: BarProps) {
  const { undo, resume } = useActions();
  const actions = [
    ...(change.canResume ? [{ words: 'Carry on …', act: resume }] : []),
    ...(change.canUndo ? [{ words: 'Undo …', act: undo }] : []),
  ];
  return (
    <ActionBar
      change={change}
      label="What can be done with it"
      actions={actions}
      explanation="You are shown what would be sent before anything is."
      // One that is carried on keeps its id, and so its address.
      onAnswer={(next) => (next.changeId === change.changeId ? replace(next) : goTo(changeAddress(next.changeId)))}
    />
  );
}
