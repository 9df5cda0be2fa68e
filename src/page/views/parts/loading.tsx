import type { ComponentChildren } from 'preact';
import { usePageContext } from '../data/page-context.tsx';
import type { Loaded } from '../data/use-loaded.ts';
import { Callout, ViewHeading } from './basics.tsx';

interface Props<T> {
  readonly loaded: Loaded<T>;
  /** What is being loaded, as the heading until it is there. */
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}

/** What was loaded, or that it is being loaded, or why it can't be. */
export function WhenLoaded<T>({ loaded: { data, error, reload }, what, children }: Props<T>) {
  const { connection } = usePageContext();
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
          <Callout tone="caution" title="This could not be shown." isUrgent>
            <p>{error}</p>
            <p>
              <button type="button" onClick={reload}>
                Try again
              </button>
            </p>
          </Callout>
        )
      )}
    </>
  );
}
