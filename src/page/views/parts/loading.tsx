import type { ComponentChildren } from 'preact';
import { usePageContext } from '../data/page-context.tsx';
import type { Loaded } from '../data/use-loaded.ts';
import { Callout, ForSetup, Sentences, ViewHeading } from './basics.tsx';
import { TryAgain } from './try-again.tsx';
import { Moment } from './typeset.tsx';

interface Props<T> {
  readonly loaded: Loaded<T>;
  /** What is being loaded, as the heading until it is there. */
  readonly what: string;
  /** The list that it is in, for what is not there. */
  readonly list?: { readonly words: string; readonly address: string; readonly missing: string };
  readonly children: (data: T) => ComponentChildren;
}

/** What was loaded, or that it is being loaded, or why it can't be. */
export function WhenLoaded<T>({ loaded, what, list, children }: Props<T>) {
  const { data, error, again } = loaded;
  if (data !== undefined) return <>{children(data)}</>;
  return (
    <>
      {error !== undefined && list !== undefined && again?.isFinal !== true && (
        <p class="above small">
          <a href={list.address}>{list.words}</a>
        </p>
      )}
      <ViewHeading>{what}</ViewHeading>
      {error === undefined ? (
        <p class="quiet appears-late" role="status">
          Loading …
        </p>
      ) : (
        <LoadProblem loaded={loaded} list={list} />
      )}
    </>
  );
}

/** Why it can’t be loaded, and the way to try again where that can help. Nothing where that is well. */
export function LoadProblem({
  loaded: { error, again, reload },
  list,
}: {
  readonly loaded: Pick<Loaded<unknown>, 'error' | 'again' | 'reload'>;
  readonly list?: Props<unknown>['list'];
}) {
  const { connection } = usePageContext();
  if (error === undefined || connection === 'ended' || connection === 'signed-out') return null;
  if (again?.isFinal === true)
    return (
      <Callout
        tone="caution"
        title={again.isDamaged === true ? 'What was kept of this change is damaged, so it can’t be shown.' : 'This can’t be shown.'}
        isUrgent
      >
        <Sentences of={[error]} />
        {list !== undefined && (
          <p>
            {again.isDamaged !== true && `${list.missing} `}
            <a href={list.address}>{list.words}</a>
          </p>
        )}
      </Callout>
    );
  if (again?.title !== undefined)
    return (
      <Callout tone="caution" title={again.title} isUrgent>
        <Sentences of={[error]} />
        {again.since !== undefined && (
          <p>
            It has been so since <Moment at={again.since} />, as far as was seen here.
          </p>
        )}
        <TryAgain at={again.retryAt} onPress={reload} />
        <ForSetup text={again.setup} />
      </Callout>
    );
  return (
    <Callout tone="caution" title="This could not be shown." isUrgent>
      <Sentences of={[error]} />
      <p>Nothing was changed. If it goes on, ask your assistant to check this server’s setup, or tell whoever set it up.</p>
      <TryAgain at={again?.retryAt} onPress={reload} />
    </Callout>
  );
}
