import { useEffect, useState } from 'preact/hooks';
import type { ChangeView } from '../../contract.ts';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';
import { useSource } from '../data/use-source.ts';
import { untilInWords } from '../parts/words.ts';

interface Props {
  readonly change: ChangeView;
  /** The plan is another one than the person has read. */
  readonly hasMoved: boolean;
  readonly onSeen: () => void;
  readonly replace: (change: ChangeView) => void;
}

const MAX_NOTE = 1_000;

/** Apply or decline, with words for the assistant if it asked. It decides about the plan that is shown, and no other. */
export function DecisionBar({ change, hasMoved, onSeen, replace }: Props) {
  const source = useSource();
  const [note, setNote] = useState('');
  useBusy(true);
  const { unarmed, whenArmed } = useArmed(`${change.changeId} ${change.planDigest} ${hasMoved}`);
  const { isSending, error, send } = useSending(replace);
  const decide = (decision: 'apply' | 'decline') =>
    send(() => {
      const words = note.trim();
      return source.decide(change.changeId, {
        decision,
        planDigest: change.planDigest ?? '',
        ...(words === '' ? {} : { note: words }),
      });
    });
  return (
    <section class="bar" aria-label="Your decision">
      {error !== undefined && (
        <p class="bar-error" role="alert">
          {error}
        </p>
      )}
      <div class="bar-inner">
        {change.isOwn !== true && (
          <label class="note">
            <span class="note-label">
              Note for the assistant <span class="quiet">(optional)</span>
            </span>
            <textarea
              rows={1}
              maxLength={MAX_NOTE}
              placeholder="for example: not the third one"
              value={note}
              onInput={({ currentTarget }) => setNote(currentTarget.value)}
            />
          </label>
        )}
        <div class="bar-buttons">
          <button type="button" disabled={isSending} {...unarmed} onClick={whenArmed(() => decide('decline'))}>
            {change.isOwn === true ? 'Cancel' : 'Decline'}
          </button>
          {hasMoved ? (
            <button type="button" class="primary" {...unarmed} onClick={whenArmed(onSeen)}>
              I have read the new plan
            </button>
          ) : (
            <button type="button" class="primary" disabled={isSending} {...unarmed} onClick={whenArmed(() => decide('apply'))}>
              <bdi>{isSending ? 'Sending …' : change.actionLabel}</bdi>
            </button>
          )}
        </div>
      </div>
      <Expiry at={change.expiresAt} />
    </section>
  );
}

const TICK_MS = 15_000;
/** Nobody needs to be hurried before. */
const SHOWN_FROM_MS = 5 * 60_000;

function Expiry({ at }: { readonly at: string | undefined }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === undefined || !(Date.parse(at) - now < SHOWN_FROM_MS)) return null;
  const left = untilInWords(at, now);
  return left === undefined ? null : <p class="bar-expiry quiet">This can be answered for {left} more.</p>;
}
