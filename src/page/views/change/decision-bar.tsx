import { useState } from 'preact/hooks';
import type { ChangeView } from '../../contract.ts';
import { useActions, useRoles } from '../data/page-context.tsx';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';
import { Bar } from '../parts/bar.tsx';
import { useTimeLeft } from '../parts/time-left.ts';
import { noWords } from './no-words.ts';
import { CanBeUndone } from './other-bars.tsx';
import { isGivenOut } from './undo-words.ts';

interface Props {
  readonly change: ChangeView;
  /** The plan is another one than the person has read. */
  readonly isNewPlan: boolean;
  readonly onSeen: () => void;
  readonly replace: (change: ChangeView) => void;
}

const MAX_NOTE = 1_000;

/** Apply or decline, with words for the assistant if it asked. It decides about the plan that is shown, and no other. */
export function DecisionBar({ change, isNewPlan, onSeen, replace }: Props) {
  const actions = useActions();
  const { mayApprove } = useRoles();
  const [note, setNote] = useState('');
  const no = noWords(change, mayApprove) ?? '';
  useBusy(true);
  const { unarmed, whenArmed } = useArmed(`${change.changeId} ${change.planDigest} ${isNewPlan}`);
  const { isSending, error, send } = useSending(replace);
  const decide = (decision: 'apply' | 'decline') =>
    send(() => actions.decide(change.changeId, { decision, planDigest: change.planDigest ?? '', note: note.trim() }));
  return (
    <Bar
      label="Your decision"
      error={error}
      lead={change.isOwn !== true && <Note value={note} onInput={setNote} example={exampleOf(change)} />}
      above={
        change.problem === undefined && (
          <p class="small">
            <CanBeUndone change={change} />
            {isNewPlan && ' “I have read the new plan” sends nothing yet.'}
            {change.declining !== undefined && ` ${no} ${change.declining}`}
          </p>
        )
      }
      below={<Expiry at={change.expiresAt} />}
    >
      <button type="button" disabled={isSending} {...unarmed} onClick={whenArmed(() => decide('decline'))}>
        {no}
      </button>
      {change.problem === undefined &&
        (isNewPlan ? (
          <button type="button" class="primary" {...unarmed} onClick={whenArmed(onSeen)}>
            I have read the new plan
          </button>
        ) : (
          <button type="button" class="primary" disabled={isSending} {...unarmed} onClick={whenArmed(() => decide('apply'))}>
            <bdi>{isSending ? 'Sending …' : change.actionLabel}</bdi>
          </button>
        ))}
    </Bar>
  );
}

interface NoteProps {
  readonly value: string;
  readonly onInput: (note: string) => void;
  readonly example: string;
}

/** Of a single record there is no third. */
function exampleOf(change: ChangeView): string {
  if (isGivenOut(change)) return 'only those of last month';
  return change.counts?.total === 1 ? 'another name' : 'not the third one';
}

function Note({ value, onInput, example }: NoteProps) {
  return (
    <label class="note">
      <span class="small">
        Note for the assistant <span class="quiet">(optional)</span>
      </span>
      <textarea
        rows={1}
        maxLength={MAX_NOTE}
        placeholder={`Note, for example: ${example}`}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

function Expiry({ at }: { readonly at: string | undefined }) {
  const left = useTimeLeft(at);
  return left === undefined ? null : (
    <p class="small tone-caution final">
      <strong>! This waits for {left} more. Without an answer it ends, and nothing is sent.</strong>
    </p>
  );
}
