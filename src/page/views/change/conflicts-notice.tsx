import { useEffect, useRef } from 'preact/hooks';
import { Callout, Sentences } from '../parts/basics.tsx';

interface Props {
  readonly conflicts: readonly string[];
  /** It changed while the person was reading. */
  readonly isNew: boolean;
}

/** What changed in the account since the plan was first shown. It comes into sight by itself where the person was reading the plan before. */
export function ConflictsNotice({ conflicts, isNew }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) element.current?.focus();
  }, [isNew, conflicts]);
  return (
    <div tabIndex={-1} ref={element}>
      <Callout tone="caution" title="The account changed since this plan was first shown. Nothing was sent." isUrgent>
        <Sentences of={conflicts} />
        <p>Below is the plan as it is now.</p>
      </Callout>
    </div>
  );
}
