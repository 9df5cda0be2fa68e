import type { ChangeSummary, CountsView } from '../../contract.ts';
import { useIsLast, useRoles } from '../data/page-context.tsx';
import { Status } from '../parts/basics.tsx';
import { PausedMark } from '../parts/paused.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { areOfSame, isUnfit, needsLook } from '../parts/statuses.ts';
import { useTimeLeft } from '../parts/time-left.ts';
import { Typeset } from '../parts/typeset.tsx';
import { Weighs } from '../parts/weighs.tsx';
import { countInWords, number, timeInShort } from '../parts/words.ts';
import { changeAddress } from '../router.ts';

/** Of one that was not done as a whole, `9 of 12 videos done, 3 failed`. How many it is about is in its title. */
function countsInWords({ what, total, done, failed = 0, unknown = 0, asBefore = 0, notSent = 0 }: CountsView): string | undefined {
  if (done === undefined || done === total) return undefined;
  const others = [
    ['failed', failed],
    [asBefore === unknown ? 'probably not done' : 'not known', unknown],
    ['not sent', notSent],
  ] as const;
  // Of a single one, its status says it.
  if (total === 1) return notSent > 0 ? 'not sent' : undefined;
  const told = others.filter(([, count]) => count > 0).map(([words, count]) => `${number(count)} ${words}`);
  return [`${number(done)} of ${countInWords(total, what)} done`, ...told].join(', ');
}

function Counts({ of: { status, counts } }: { readonly of: ChangeSummary }) {
  const words = status === 'running' || counts === undefined ? undefined : countsInWords(counts);
  return words === undefined ? null : <span>{words}</span>;
}

/** When it was asked, or until when it waits, who decided, and who asked: one line, cut off where it is longer, since its page has all of it. */
function Told({ of: { at, asked, decided, status, expiresAt }, isLast }: { readonly of: ChangeSummary; readonly isLast: boolean }) {
  return (
    <span class="quiet small told">
      {status === 'waiting' && expiresAt !== undefined && !isLast ? <Until at={expiresAt} /> : <time dateTime={at}>{timeInShort(at)}</time>}
      {decided !== undefined && (
        <>
          {' · '}
          <bdi>{decided}</bdi>
        </>
      )}
      {asked !== undefined && (
        <>
          {' · asked '}
          <bdi>{asked}</bdi>
        </>
      )}
    </span>
  );
}

const SOON_MS = 60 * 60_000;

/** Until when one waits; of one that is over soon, marked. */
function Until({ at }: { readonly at: string }) {
  const left = useTimeLeft(at);
  const time = <time dateTime={at}>{timeInShort(at)}</time>;
  if (left !== undefined) return <strong class="tone-caution final">only {left} left</strong>;
  return <>waits until {Date.parse(at) - Date.now() < SOON_MS ? <strong>{time}</strong> : time}</>;
}

interface ChangesProps {
  readonly of: readonly ChangeSummary[];
  readonly label: string;
  /** With what else waits, where it is in another list. */
  readonly among?: readonly ChangeSummary[];
  /** What stands above them says that they wait, and for whom. */
  readonly isOpen?: boolean;
}

/** Changes, a row each: its status, what it is about and when, and below that what weighs. */
export function Changes({ of, label, among = of, isOpen = false }: ChangesProps) {
  const { isShared } = useRoles();
  const isLast = useIsLast();
  return (
    <ul class="entries changes" aria-label={label}>
      {of.map((change) => (
        <li key={change.changeId} class="entry">
          {(!isOpen || isShared || isLast || isUnfit(change)) && <Status of={change} />}
          <a href={changeAddress(change.changeId)} class="entry-name">
            <Typeset text={change.summary} hasIds={false} />
          </a>
          <Told of={change} isLast={isLast} />
          {!isUnfit(change) && (
            <span class="cluster marks">
              {change.paused !== undefined && !isLast && <PausedMark of={change.paused} />}
              {among.some((other) => areOfSame(change, other)) && (
                <span class="mark weighs tone-caution">another one of the same waits too: the last counts</span>
              )}
              <Weighs of={change} />
              <Counts of={change} />
            </span>
          )}
          {change.status === 'running' && <ProgressBar progress={change.progress} isHeld={isLast || change.paused !== undefined} />}
          {change.why !== undefined && (
            <span class={needsLook(change) ? 'row-reason why tone-unknown' : 'row-reason why'}>
              <Typeset text={change.why} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
