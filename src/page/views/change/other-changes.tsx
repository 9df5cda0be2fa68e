import type { ChangeSummary } from '../../contract.ts';
import { Typeset } from '../parts/typeset.tsx';
import { Weighs } from '../parts/weighs.tsx';
import { changeAddress } from '../router.ts';

export type Waiting = readonly Pick<ChangeSummary, 'changeId' | 'summary' | 'weighs' | 'unfit' | 'status'>[];

/** What else waits for the person. */
export function OtherChanges({ of }: { readonly of: Waiting }) {
  if (of.length === 0) return null;
  return (
    <aside class="panel" aria-label="Other changes that wait for you">
      <h2>{of.length === 1 ? 'Another change waits for you' : `${of.length} other changes wait for you`}</h2>
      <ul class="stack">
        {of.map((change) => (
          <li key={change.changeId} class="cluster">
            <a href={changeAddress(change.changeId)}>
              <Typeset text={change.summary} />
            </a>
            <Weighs of={change} />
          </li>
        ))}
      </ul>
    </aside>
  );
}
