import type { ChangeView } from '../../contract.ts';
import { Callout, Folded, Sentences } from '../parts/basics.tsx';
import { areOfSame } from '../parts/statuses.ts';
import { Typeset } from '../parts/typeset.tsx';
import { number } from '../parts/words.ts';
import { changeAddress } from '../router.ts';
import type { Waiting } from './other-changes.tsx';

/** Which others of the same records wait too: what is applied last counts. */
export function Overtakes({
  change: { changeId, overtakes: older = [], counts },
  others,
}: {
  readonly change: ChangeView;
  readonly others: Waiting;
}) {
  const same = others.filter((other) => areOfSame({ changeId, overtakes: older }, other));
  if (same.length === 0) return null;
  const record = counts?.total === 1 ? `this ${counts.what}` : `some of these ${counts?.what ?? 'record'}s`;
  return (
    <Callout tone="caution">
      <p>
        {same.length === 1 ? 'Another change' : `${number(same.length)} other changes`} of {record} {same.length === 1 ? 'waits' : 'wait'}{' '}
        too; what is applied last counts:{' '}
        {same.map((other, index) => (
          <span key={other.changeId}>
            {index > 0 && '; '}
            <a href={changeAddress(other.changeId)}>
              <Typeset text={other.summary} />
            </a>{' '}
            ({older.includes(other.changeId) ? 'asked earlier' : 'asked later'})
          </span>
        ))}
      </p>
    </Callout>
  );
}

/** So many letters take no room from what it is about. */
const MAX_SHORT = 240;

const whyAskedIn = ({ kept, standing }: ChangeView): string => kept?.why ?? standing ?? '';

/** Why a person is asked though there are standing approvals for whoever asked, where that is short. */
export function WhyAsked({ change }: { readonly change: ChangeView }) {
  const why = whyAskedIn(change);
  if (why === '' || why.length > MAX_SHORT) return null;
  return (
    <p class="small">
      Why a person is asked: <Typeset text={why} />
    </p>
  );
}

/** What was decided before, and at length why no standing approval covers it. */
export function Kept({ change }: { readonly change: ChangeView }) {
  const why = whyAskedIn(change);
  return (
    <>
      <Sentences of={change.notes} />
      {why.length > MAX_SHORT && (
        <Folded words="What standing approvals say of it">
          <Sentences of={[why]} />
        </Folded>
      )}
    </>
  );
}
