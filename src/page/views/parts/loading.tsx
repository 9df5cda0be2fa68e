import type { ComponentChildren } from 'preact';
import { useSurroundings } from '../data/surroundings.tsx';
import type { Loaded } from '../data/use-loaded.ts';
import { Notice, ViewHeading } from './basics.tsx';

interface Props<T> {
  readonly loaded: Loaded<T>;
  /** What is being loaded, as the heading until it is there. */
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}

/** What was loaded, or that it is being loaded, or why it can't be. */
export function WhenLoaded<T>({ loaded: { data, error, reload }, what, children }: Props<T>) {
  const { connection } = useSurroundings();
  if (data !== undefined) return <>{children(data)}</>;
  return (
    <>
      <ViewHeading>{what}</ViewHeading>
      {error === undefined ? (
        <p class="quiet appears-late" role="status">
          Loading …
        </p>
      ) : (
        connection !== 'ended' && (
          <Notice tone="caution" title="This could not be shown." isUrgent>
            <p>{error}</p>
            <p>
              <button type="button" onClick={reload}>
                Try again
              </button>
            </p>
          </Notice>
        )
      )}
    </>
  );
}
