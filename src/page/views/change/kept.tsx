import { overtakesText } from '../../../changes/proposals/waited-labels.ts';
import type { ChangeView } from '../../contract.ts';
import { Callout, Folded, Sentences } from '../parts/basics.tsx';
import { changeAddress } from '../router.ts';

/** Which older changes of the same records it would overtake. */
export function Overtakes({ change: { kept } }: { readonly change: ChangeView }) {
  const { overtakes = [] } = kept ?? {};
  if (overtakes.length === 0) return null;
  return (
    <Callout tone="caution">
      <p>
        {overtakesText(overtakes.length)}{' '}
        {overtakes.map((changeId, index) => (
          <span key={changeId}>
            {index > 0 && ', '}
            <a href={changeAddress(changeId)} class="record-id">
              {changeId}
            </a>
          </span>
        ))}
      </p>
    </Callout>
  );
}

/** What was decided before, and why no standing approval covers it. */
export function Kept({ change: { kept, standing, notes } }: { readonly change: ChangeView }) {
  const { why = standing } = kept ?? {};
  return (
    <>
      <Sentences of={notes} />
      {why !== undefined && (
        <Folded words="What standing approvals say of it">
          <Sentences of={[why]} />
        </Folded>
      )}
    </>
  );
}
