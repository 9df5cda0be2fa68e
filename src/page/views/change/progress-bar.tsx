import type { ChangeView } from '../../contract.ts';
import { number } from '../parts/words.ts';

export function ProgressBar({ progress = { done: 0, total: 0 } }: { readonly progress: ChangeView['progress'] | undefined }) {
  const { done, total } = progress;
  // Without a value, it shows that something goes on.
  const known = total === 0 ? {} : { value: done, max: total };
  return (
    <p class="stack">
      <progress aria-label="Progress" {...known} />
      {total > 0 && (
        <span>
          <strong>{number(done)}</strong> of {number(total)}
        </span>
      )}
    </p>
  );
}
