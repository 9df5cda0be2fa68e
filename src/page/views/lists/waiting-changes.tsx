import type { ChangeSummary } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { isUnfit } from '../parts/statuses.ts';
import { Changes } from './change-list.tsx';

/** What waits: first what is to be decided; where there are several people, first of that what whoever looks asked for. */
export function WaitingChanges({ of }: { readonly of: readonly ChangeSummary[] }) {
  const { isShared, mayApprove } = useRoles();
  const open = of.filter((change) => !isUnfit(change));
  const unfit = of.filter(isUnfit);
  return (
    <>
      {isShared ? <OfPeople of={open} /> : open.length > 0 && <Changes of={open} label="Changes that wait for you" isOpen />}
      {unfit.length > 0 && (
        <>
          {open.length > 0 && <h2>Can’t be applied as they are</h2>}
          <p class="lead">
            {mayApprove ? 'Open one to see what is in its way, or decline it. ' : ''}Those that are left alone end by themselves, and change
            nothing.
          </p>
          <Changes of={unfit} label="Changes that can’t be applied" />
        </>
      )}
    </>
  );
}

function OfPeople({ of }: { readonly of: readonly ChangeSummary[] }) {
  const own = of.filter(({ isMine }) => isMine === true);
  const others = of.filter(({ isMine }) => isMine !== true);
  return (
    <>
      {own.length > 0 && (
        <>
          <h2>Asked for by you</h2>
          <Changes of={own} among={of} label="Changes that you asked for, and that wait" isOpen />
        </>
      )}
      {others.length > 0 && (
        <>
          <h2>Asked for by others</h2>
          <Changes of={others} among={of} label="Changes that others asked for, and that wait" isOpen />
        </>
      )}
    </>
  );
}
