import type { ChangeSummary, CountsView } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { Status } from '../parts/basics.tsx';
import { PausedMark } from '../parts/paused.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { Weighs } from '../parts/weighs.tsx';
import { countInWords, number, timeInShort } from '../parts/words.ts';
import { changeAddress } from '../router.ts';
import { ListItem } from './list-item.tsx';

/** Of one that was not done as a whole, `9 of 12 videos done, 3 failed`. How many it is about is in its title. */
function countsInWords({ what, total, done, failed = 0, unknown = 0, notSent = 0 }: CountsView): string | undefined {
  if (done === undefined || done === total) return undefined;
  const others = [
    ['failed', failed],
    ['not known', unknown],
    ['not sent', notSent],
  ] as const;
  // Of a single one, its status says that it failed.
  if (total === 1) return unknown > 0 ? 'not known' : notSent > 0 ? 'not sent' : undefined;
  const told = others.filter(([, count]) => count > 0).map(([words, count]) => `${number(count)} ${words}`);
  return [`${number(done)} of ${countInWords(total, what)} done`, ...told].join(', ');
}

function Counts({ of: { status, counts } }: { readonly of: ChangeSummary }) {
  const words = status === 'running' || counts === undefined ? undefined : countsInWords(counts);
  return words === undefined ? null : <span>{words}</span>;
}

/** When it was asked and by whom, and who decided: one text, which takes few lines where the window is narrow. */
function Told({ of: { at, asked, decided, status, expiresAt } }: { readonly of: ChangeSummary }) {
  return (
    <span class="quiet">
      <time dateTime={at}>{timeInShort(at)}</time>
      {asked !== undefined && (
        <>
          {' · asked '}
          <bdi>{asked}</bdi>
        </>
      )}
      {status === 'waiting' && expiresAt !== undefined && (
        <>
          {' · waits until '}
          <Until at={expiresAt} />
        </>
      )}
      {decided !== undefined && (
        <>
          {' · '}
          <bdi>{decided}</bdi>
        </>
      )}
    </span>
  );
}

const SOON_MS = 60 * 60_000;

/** Until when one waits; of one that is over soon, marked. */
function Until({ at }: { readonly at: string }) {
  const time = <time dateTime={at}>{timeInShort(at)}</time>;
  return Date.parse(at) - Date.now() < SOON_MS ? <strong>{time}</strong> : time;
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
          <Counts of={change} />
          <Told of={change} />
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
