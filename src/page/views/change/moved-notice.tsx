import { useEffect, useRef } from 'preact/hooks';
import { Sentences } from '../parts/basics.tsx';

interface Props {
  readonly moved: readonly string[];
  /** It moved while the person was reading. */
  readonly isNew: boolean;
}

/** What moved since the plan was first shown. It comes into sight by itself where the person was reading the plan before. */
export function MovedNotice({ moved, isNew }: Props) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) notice.current?.focus();
  }, [isNew, moved]);
  return (
    <div class="notice notice-caution" role="alert" tabIndex={-1} ref={notice} id="moved">
      <span class="notice-sign" aria-hidden="true">
        ↻
      </span>
      <div class="notice-text">
        <p class="notice-title">The account changed since this plan was first shown. Nothing was sent.</p>
        <Sentences of={moved} />
        <p>Below is the plan as it is now.</p>
      </div>
    </div>
  );
}
