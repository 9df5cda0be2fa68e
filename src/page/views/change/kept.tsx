import { overtakesText } from '../../../changes/proposals/waited-labels.ts';
import type { ChangeView } from '../../contract.ts';
import { Folded, Sentences } from '../parts/basics.tsx';
import { changeAddress } from '../router.ts';

/** What was decided before, what it would overtake, and why no standing approval covers it. */
export function Kept({ change: { kept, standing, notes } }: { readonly change: ChangeView }) {
  const { why = standing, overtakes = [] } = kept ?? {};
  return (
    <>
      <Sentences of={notes} />
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
      {why !== undefined && (
        <Folded words="What standing approvals say of it">
          <Sentences of={[why]} />
        </Folded>
      )}
    </>
  );
}
