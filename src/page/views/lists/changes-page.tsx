import { useState } from 'preact/hooks';
import { useForYou } from '../data/page-context.tsx';
import { useChanges } from '../data/use-loaded.ts';
import { Callout, Empty, Pagination, Sentences, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { countInWords } from '../parts/words.ts';
import { Changes } from './change-list.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

/** What waits, and the history. */
export function ChangesPage() {
  const [page, setPage] = useState(1);
  const loaded = useChanges(page);
  const forYou = useForYou();
  return (
    <WhenLoaded loaded={loaded} what="Changes">
      {({ changes, pages, problems = [] }) => {
        const running = changes.filter(({ status }) => status === 'running');
        const waiting = changes.filter(({ status }) => status === 'waiting');
        const others = changes.filter(({ status }) => status !== 'waiting' && status !== 'running');
        return (
          <>
            <ViewHeading>{headingOf(waiting.length, running.length, forYou)}</ViewHeading>
            {problems.length > 0 && (
              <Callout tone="caution" title="Some of what waits can’t be read.">
                <Sentences of={problems} />
              </Callout>
            )}
            {running.length > 0 && <Changes of={running} label="Changes that run" />}
            <WaitingChanges of={waiting} />
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

function headingOf(waiting: number, running: number, forYou: string): string {
  const runs = countInWords(running, 'change runs', 'changes run');
  if (waiting === 0) return running === 0 ? 'Changes' : runs;
  const waits = countInWords(waiting, `change waits${forYou}`, `changes wait${forYou}`);
  return running === 0 ? waits : `${runs}, ${countInWords(waiting, `waits${forYou}`, `wait${forYou}`)}`;
}
