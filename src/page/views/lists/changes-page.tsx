import { useState } from 'preact/hooks';
import type { ChangeSummary } from '../../contract.ts';
import { useIsLast, usePageContext, useRoles } from '../data/page-context.tsx';
import { useChanges } from '../data/use-loaded.ts';
import { Callout, Empty, Pagination, Sentences, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { isUnfit, needsLook } from '../parts/statuses.ts';
import { countInWords } from '../parts/words.ts';
import { changeAddress } from '../router.ts';
import { Changes } from './change-list.tsx';
import { WaitingChanges } from './waiting-changes.tsx';

/** What waits, and the history. */
export function ChangesPage() {
  const [page, setPage] = useState(1);
  const loaded = useChanges(page);
  const roles = useRoles();
  const isReadOnly = usePageContext().session?.isReadOnly === true;
  const isLast = useIsLast();
  return (
    <WhenLoaded loaded={loaded} what="Changes">
      {({ changes, pages, problems = [], unreadable = [] }) => {
        const running = changes.filter(({ status }) => status === 'running');
        const waiting = changes.filter(({ status }) => status === 'waiting');
        const over = changes.filter(({ status }) => status !== 'waiting' && status !== 'running');
        const doubtful = over.filter(needsLook);
        const others = over.filter((change) => !needsLook(change));
        return (
          <>
            <ViewHeading>
              {isLast || changes.length === 0 ? 'Changes' : headingOf(waiting, running, doubtful.length > 0, roles)}
            </ViewHeading>
            {waiting.length > 0 && <MayNot />}
            {unreadable.length > 0 && <Unreadable ids={unreadable} />}
            {problems.length > 0 && (
              <Callout tone="caution" title="Some changes can’t be read.">
                <Sentences of={problems} />
              </Callout>
            )}
            {running.length > 0 && <Changes of={running} label="Changes that run" />}
            <WaitingChanges of={waiting} />
            {changes.length === 0 && <Empty title="Nothing has been changed yet.">{emptyText(isReadOnly, roles)}</Empty>}
            {doubtful.length > 0 && (
              <>
                <h2>Needs a look</h2>
                <Changes of={doubtful} label="Changes that need a look" />
              </>
            )}
            {others.length > 0 && (
              <>
                <h2>Earlier changes</h2>
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

type Roles = ReturnType<typeof useRoles>;

/** What whoever looks can ask for, and who decides on it. */
function emptyText(isReadOnly: boolean, { mayPropose, mayApprove }: Roles): string {
  if (isReadOnly) return 'This server only reads, so nothing can be changed through it. Ask your assistant about channels, or about views.';
  const decides = mayApprove ? 'you are shown it and decide' : 'somebody who may approve is shown it and decides';
  return mayPropose
    ? `Ask your assistant for something, such as “make a channel Summer of these three videos”. Before anything is sent, ${decides}.`
    : `What the assistants of others want to change is shown here. Before anything is sent, ${decides}.`;
}

/** What is to be decided, and by whom; what runs; and what there is besides. */
function headingOf(
  waiting: readonly ChangeSummary[],
  running: readonly ChangeSummary[],
  isDoubtful: boolean,
  { isShared, mayApprove }: Roles,
): string {
  const open = waiting.filter((change) => !isUnfit(change));
  const own = mayApprove ? open.filter(({ needsOther }) => needsOther === undefined).length : 0;
  const others = open.length - own;
  const paused = running.filter((change) => change.paused !== undefined).length;
  const active = running.length - paused;
  const runs = active === 0 ? [] : [countInWords(active, 'change runs', 'changes run')];
  if (paused > 0) runs.push(countInWords(paused, `${active > 0 ? '' : 'change '}is paused`, `${active > 0 ? '' : 'changes '}are paused`));
  const [one, some] = runs.length > 0 ? ['', ''] : ['change ', 'changes '];
  const waits = own === 0 ? [] : [countInWords(own, `${one}waits for you`, `${some}wait for you`)];
  const isFirst = runs.length + waits.length === 0;
  const elsewhere =
    others === 0
      ? []
      : [countInWords(others, `${isFirst ? 'change ' : ''}waits for somebody else`, `${isFirst ? 'changes ' : ''}wait for somebody else`)];
  const parts = [...runs, ...waits, ...elsewhere];
  if (parts.length > 0) return parts.join(', ');
  if (isDoubtful) return 'Nothing to decide, but something to look at';
  return isShared && !mayApprove ? 'Nothing waits' : 'Nothing waits for you';
}

/** Whoever may not decide is told who may. */
function MayNot() {
  const { mayApprove } = useRoles();
  if (mayApprove) return null;
  return <p class="lead">You can look at them, not decide on them: that takes the role “approve”, which whoever runs this server gives.</p>;
}

/** Of these it is not known what they did. */
const Unreadable = ({ ids }: { readonly ids: readonly string[] }) => (
  <Callout
    tone="caution"
    title={
      ids.length === 1
        ? 'One change is missing from this list: its record is damaged.'
        : `${ids.length} changes are missing from this list: their records are damaged.`
    }
  >
    <p>
      What {ids.length === 1 ? 'it' : 'they'} did is not known here: see in the dashboard.{' '}
      {ids.map((id) => (
        <a key={id} href={changeAddress(id)} class="record-id">
          {id}
        </a>
      ))}
    </p>
  </Callout>
);
