import type { ChangeView } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { Callout, Sentences } from '../parts/basics.tsx';

/** Why whoever looks may not apply a change that somebody else may. */
export function ForOther({ change: { needsOther, isMine } }: { readonly change: ChangeView }) {
  const { mayApprove } = useRoles();
  if (needsOther === undefined) return null;
  return (
    <Callout tone="plain" title="This needs somebody else.">
      <Sentences of={[needsOther]} />
      <p>
        It waits on their page too: send them the address of this one, or wait.
        {isMine === true && !mayApprove && ' You may withdraw it.'}
      </p>
    </Callout>
  );
}
