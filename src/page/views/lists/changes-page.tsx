import { useState } from 'preact/hooks';
import type { ChangeSummary, CountsView } from '../../contract.ts';
import { useChanges } from '../data/use-loaded.ts';
import { Callout, Empty, Pagination, Sentences, Status, Timestamp, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { PausedMark } from '../parts/paused.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { Weighs } from '../parts/weighs.tsx';
import { countInWords, number } from '../parts/words.ts';
import { changeAddress } from '../router.ts';
import { ListItem } from './list-item.tsx';

/** What waits for the person, and the history. */
export function ChangesPage() {
  const [page, setPage] = useState(1);
  const loaded = useChanges(page);
  return (
    <WhenLoaded loaded={loaded} what="Changes">
      {({ changes, pages, problems = [] }) => {
        const running = changes.filter(({ status }) => status === 'running');
        const waiting = changes.filter(({ status }) => status === 'waiting');
        const others = changes.filter(({ status }) => status !== 'waiting' && status !== 'running');
        return (
          <>
            <ViewHeading>{headingOf(waiting.length, running.length)}</ViewHeading>
            {problems.length > 0 && (
              <Callout tone="caution" title="Some of what waits can’t be read.">
                <Sentences of={problems} />
              </Callout>
            )}
            {running.length > 0 && <Changes of={running} label="Changes that run" />}
            {waiting.length > 0 && <Changes of={waiting} label="Changes that wait for you" />}
            {changes.length === 0 && (
              <Empty title="Nothing has been changed yet.">
                Ask your assistant for something, such as “make a channel Summer of these three videos”. Before anything is sent, you are
                shown it and decide.
              </Empty>
            )}
            {others.length > 0 && (
              <>
                {waiting.length + running.length > 0 && <h2>History</h2>}
                <Changes of={others} label="History of changes" />
              </>
            )}
            <Pagination page={page} pages={pages} onPage={setPage} of="changes" isOpenEnded />
          </>
        );
      }}
    </WhenLoaded>
  );
}

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

function headingOf(waiting: number, running: number): string {
  const runs = countInWords(running, 'change runs', 'changes run');
  if (waiting === 0) return running === 0 ? 'Changes' : runs;
  const waits = countInWords(waiting, 'change waits for you', 'changes wait for you');
  return running === 0 ? waits : `${runs}, ${countInWords(waiting, 'waits for you', 'wait for you')}`;
}

function Changes({ of, label }: { readonly of: readonly ChangeSummary[]; readonly label: string }) {
  return (
    <ul class="entries" aria-label={label}>
      {of.map((change) => (
        <ListItem key={change.changeId} address={changeAddress(change.changeId)} name={change.summary}>
          <Status of={change} />
          {change.paused !== undefined && <PausedMark of={change.paused} />}
          <Weighs of={change} />
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
