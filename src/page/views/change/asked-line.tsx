import type { ChangeView } from '../../contract.ts';
import { useIsLast } from '../data/page-context.tsx';
import { Moment } from '../parts/typeset.tsx';

/** Who asks for a change that waits, since when and until when: before anything else. */
export function AskedLine({ change: { asked, at, expiresAt, isOwn } }: { readonly change: ChangeView }) {
  const isLast = useIsLast();
  return (
    <p class="small asked-line">
      {isOwn === true ? 'You asked for it on this page' : 'Asked'}
      {isOwn !== true && asked !== undefined && (
        <>
          {' '}
          <bdi>{asked}</bdi>
        </>
      )}{' '}
      at <Moment at={at} />
      {expiresAt !== undefined && !isLast && (
        <>
          ; waits until <Moment at={expiresAt} />
        </>
      )}
      .
    </p>
  );
}
