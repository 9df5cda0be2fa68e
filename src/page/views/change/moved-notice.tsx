import { useEffect, useRef } from 'preact/hooks';
import { Callout, Sentences } from '../parts/basics.tsx';

interface Props {
  readonly moved: readonly string[];
  /** It moved while the person was reading. */
  readonly isNew: boolean;
}

/** What moved since the plan was first shown. It comes into sight by itself where the person was reading the plan before. */
export function MovedNotice({ moved, isNew }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) place.current?.focus();
  }, [isNew, moved]);
  return (
    <div tabIndex={-1} ref={place}>
      <Callout tone="caution" title="The account changed since this plan was first shown. Nothing was sent." isUrgent>
        <Sentences of={moved} />
        <p>Below is the plan as it is now.</p>
      </Callout>
    </div>
  );
}
