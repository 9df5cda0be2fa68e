import { useState } from 'preact/hooks';
import type { ChangeSummary } from '../../contract.ts';
import { useChanges } from '../data/use-loaded.ts';
import { Callout, Empty, Pagination, Sentences, Status, Timestamp, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { countInWords } from '../parts/words.ts';
import { changeAddress } from '../router.ts';
import { ListItem } from './list-item.tsx';

/** What waits for the person, and the history. */
export function ChangesPage() {
  const [page, setPage] = useState(1);
  const loaded = useChanges(page);
  return (
    <WhenLoaded loaded={loaded} what="Changes">
      {({ changes, pages, problems = [] }) => {
        const waiting = changes.filter(({ status }) => status === 'waiting');
        const others = changes.filter(({ status }) => status !== 'waiting');
        return (
          <>
            <ViewHeading>
              {waiting.length === 0 ? 'Changes' : countInWords(waiting.length, 'change waits for you', 'changes wait for you')}
            </ViewHeading>
            {problems.length > 0 && (
              <Callout tone="caution" title="Some of what waits can’t be read.">
                <Sentences of={problems} />
              </Callout>
            )}
            {waiting.length > 0 && <Changes of={waiting} label="Changes that wait for you" />}
            {changes.length === 0 && (
              <Empty title="Nothing has been changed yet.">
                Ask your assistant for something, such as “rename the channel Spring to Summer”. Before anything is sent, you are shown it
                and decide.
              </Empty>
            )}
            {others.length > 0 && (
              <>
                {waiting.length > 0 && <h2>History</h2>}
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

function Changes({ of, label }: { readonly of: readonly ChangeSummary[]; readonly label: string }) {
  return (
    <ul class="entries" aria-label={label}>
      {of.map((change) => (
        <ListItem key={change.changeId} address={changeAddress(change.changeId)} name={change.summary}>
          <Status of={change} />
          <Timestamp at={change.at} />
          {change.asked !== undefined && (
            <span class="quiet">
              asked <bdi>{change.asked}</bdi>
            </span>
          )}
        </ListItem>
      ))}
    </ul>
  );
}
