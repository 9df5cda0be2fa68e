import type { ChangeSummary, CountsView } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { Status, Timestamp } from '../parts/basics.tsx';
import { PausedMark } from '../parts/paused.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { Weighs } from '../parts/weighs.tsx';
import { countInWords, number } from '../parts/words.ts';
import { changeAddress } from '../router.ts';
import { ListItem } from './list-item.tsx';

/** `12 videos`; of one that was not done as a whole, `9 of 12 videos done, 3 failed`. */
function countsInWords({ what, total, done, failed = 0, unknown = 0, notSent = 0 }: CountsView): string {
  if (done === undefined || done === total) return countInWords(total, what);
  const others = [
    ['failed', failed],
    ['not known', unknown],
    ['not sent', notSent],
  ] as const;
  const told = others.filter(([, count]) => count > 0).map(([words, count]) => `${number(count)} ${words}`);
  return [`${number(done)} of ${countInWords(total, what)} done`, ...told].join(', ');
}

/** Changes, a row each. */
export function Changes({ of, label }: { readonly of: readonly ChangeSummary[]; readonly label: string }) {
  const { mayApprove } = useRoles();
  return (
    <ul class="entries" aria-label={label}>
      {of.map((change) => (
        <ListItem key={change.changeId} address={changeAddress(change.changeId)} name={change.summary}>
          <Status of={change} />
          {change.paused !== undefined && <PausedMark of={change.paused} />}
          <Weighs of={change} />
          {mayApprove && change.needsOther !== undefined && <span class="status tone-plain">needs somebody else</span>}
          {change.status !== 'running' && change.counts !== undefined && <span>{countsInWords(change.counts)}</span>}
          <Timestamp at={change.at} />
          {change.asked !== undefined && (
            <span class="quiet">
              asked <bdi>{change.asked}</bdi>
            </span>
          )}
          {change.decided !== undefined && <bdi class="quiet">{change.decided}</bdi>}
          {change.status === 'running' && <ProgressBar progress={change.progress} />}
          {change.why !== undefined && (
            <span class="row-reason why">
              <Typeset text={change.why} />
            </span>
          )}
        </ListItem>
      ))}
    </ul>
  );
}
