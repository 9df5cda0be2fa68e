import type { ChangeSummary } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { Changes } from './change-list.tsx';

/** What waits: where there are several people, first what whoever looks asked for. */
export function WaitingChanges({ of }: { readonly of: readonly ChangeSummary[] }) {
  const { isShared } = useRoles();
  if (of.length === 0) return null;
  if (!isShared) return <Changes of={of} label="Changes that wait for you" />;
  const own = of.filter(({ isMine }) => isMine === true);
  const others = of.filter(({ isMine }) => isMine !== true);
  return (
    <>
      {own.length > 0 && (
        <>
          <h2>Asked for by you</h2>
          <Changes of={own} label="Changes that you asked for, and that wait" />
        </>
      )}
      {others.length > 0 && (
        <>
          <h2>Asked for by others</h2>
          <Changes of={others} label="Changes that others asked for, and that wait" />
        </>
      )}
    </>
  );
}
