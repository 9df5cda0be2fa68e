import { useIsBefore } from '../data/use-is-before.ts';
import { Moment } from './typeset.tsx';

/** Has something be looked at again. Before that can help, it says from when on. */
export function TryAgain({ at, onPress }: { readonly at: string | undefined; readonly onPress: () => void }) {
  const isEarly = useIsBefore(at);
  return (
    <p class="cluster">
      <button type="button" disabled={isEarly} onClick={onPress}>
        Try again
      </button>
      {isEarly && at !== undefined && (
        <span class="small">
          from <Moment at={at} /> on
        </span>
      )}
    </p>
  );
}
