import { number } from '../parts/words.ts';

export function Progress({ progress }: { readonly progress: { readonly done: number; readonly total: number } | undefined }) {
  if (progress === undefined || progress.total === 0)
    return (
      <p class="progress">
        <progress aria-label="Progress" />
      </p>
    );
  const { done, total } = progress;
  return (
    <p class="progress">
      <progress aria-label="Progress" value={done} max={total} />
      <span>
        <strong>{number(done)}</strong> of {number(total)}
      </span>
    </p>
  );
}
