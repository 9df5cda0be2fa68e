import { overtakesText } from '../../../changes/proposals/waited-labels.ts';
import type { ChangeView } from '../../contract.ts';
import { Sentences, Timestamp } from '../parts/basics.tsx';
import { changeAddress } from '../router.ts';

/** Who asked for a change that is kept for a person, why it was not covered, and until when it waits. */
export function Kept({ change: { asked, at, expiresAt, kept, notes } }: { readonly change: ChangeView }) {
  if (kept === undefined) return notes.length === 0 ? null : <Sentences of={notes} />;
  const { why, overtakes } = kept;
  return (
    <section class="panel" aria-label="Why it waits">
      <p>
        Asked {asked !== undefined && <bdi>{asked}</bdi>} on <Timestamp at={at} />
        {expiresAt !== undefined && (
          <>
            . If nobody decides, it expires on <Timestamp at={expiresAt} />
          </>
        )}
        .
      </p>
      <Sentences of={[...(why === undefined ? [] : [why]), ...notes]} />
      {overtakes.length > 0 && (
        <p>
          {overtakesText(overtakes.length)}{' '}
          {overtakes.map((changeId, index) => (
            <span key={changeId}>
              {index > 0 && ', '}
              <a href={changeAddress(changeId)}>{changeId}</a>
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
