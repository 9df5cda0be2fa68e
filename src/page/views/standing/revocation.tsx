import { useEffect, useRef, useState } from 'preact/hooks';
import type { StandingView } from '../../contract.ts';
import { useAnnounce } from '../data/surroundings.tsx';
import { useArmed } from '../data/use-armed.ts';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';

interface Props {
  readonly action: string;
  /** Of the button, where several have the same words. */
  readonly label?: string;
  readonly lead?: string;
  readonly question: string;
  readonly confirm: string;
  readonly done: string;
  readonly act: () => Promise<StandingView>;
  readonly onAnswer: (standing: StandingView) => void;
}

/** A button that asks once before it revokes, since that can’t be taken back. */
export function Revocation({ action, label, lead, question, confirm, done, act, onAnswer }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const announce = useAnnounce();
  const place = useRef<HTMLDivElement>(null);
  const wasAsking = useRef(false);
  useBusy(isAsking);
  const { unarmed, whenArmed } = useArmed(question + isAsking);
  const { isSending, error, send } = useSending<StandingView>((standing) => {
    announce(done);
    // The button goes, and the focus with it.
    focusOn(place.current?.closest('section.approval')?.querySelector('h2') ?? document.querySelector('h1'));
    setIsAsking(false);
    wasAsking.current = false;
    onAnswer(standing);
  });
  useEffect(() => {
    if (isAsking || wasAsking.current) focusOn(place.current?.querySelector('button'));
    wasAsking.current = isAsking;
  }, [isAsking]);
  return (
    <div ref={place}>
      {isAsking ? (
        <fieldset class="stack notice tone-caution" aria-label={question} onKeyDown={({ key }) => key === 'Escape' && setIsAsking(false)}>
          {error !== undefined && (
            <p class="bar-error" role="alert">
              {error}
            </p>
          )}
          <p>
            <strong>{question}</strong> This can’t be taken back: what is revoked never counts again under its id, whatever the file says.
            What is being carried out under it stops before its next request.
          </p>
          <div class="cluster">
            <button type="button" disabled={isSending} onClick={() => setIsAsking(false)}>
              Don’t revoke
            </button>
            <button type="button" class="primary" disabled={isSending} {...unarmed} onClick={whenArmed(() => send(act))}>
              {isSending ? 'Sending …' : confirm}
            </button>
          </div>
        </fieldset>
      ) : (
        <div class="cluster bar-inner">
          {lead !== undefined && <p class="bar-explanation quiet">{lead}</p>}
          <button type="button" aria-label={label} onClick={() => setIsAsking(true)}>
            {action}
          </button>
        </div>
      )}
    </div>
  );
}

function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus();
}
