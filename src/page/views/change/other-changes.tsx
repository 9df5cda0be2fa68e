import type { ChangeSummary } from '../../contract.ts';
import { useForYou } from '../data/page-context.tsx';
import { Status } from '../parts/basics.tsx';
import { isUnfit } from '../parts/statuses.ts';
import { Typeset } from '../parts/typeset.tsx';
import { Weighs } from '../parts/weighs.tsx';
import { changeAddress } from '../router.ts';

export type Waiting = readonly Pick<ChangeSummary, 'changeId' | 'summary' | 'weighs' | 'unfit' | 'status' | 'overtakes'>[];

/** What else waits. */
export function OtherChanges({ of }: { readonly of: Waiting }) {
  const forYou = useForYou();
  if (of.length === 0) return null;
  // As the number above the page counts them.
  const [open, unfit] = [of.filter((change) => !isUnfit(change)), of.filter(isUnfit)];
  const count = open.length === 1 ? 'Another change waits' : `${open.length} other changes wait`;
  return (
    <aside class="panel" aria-label={`Other changes that wait${forYou}`}>
      <h2>{open.length === 0 ? 'Other changes' : `${count}${forYou}${unfit.length === 0 ? '' : `, ${unfit.length} can’t be applied`}`}</h2>
      <ul class="stack">
        {[...open, ...unfit].map((change) => (
          <li key={change.changeId} class="cluster">
            <a href={changeAddress(change.changeId)}>
              <Typeset text={change.summary} />
            </a>
            {isUnfit(change) ? <Status of={change} /> : <Weighs of={change} />}
          </li>
        ))}
      </ul>
    </aside>
  );
}
