import type { ChangeView } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { Callout, Sentences } from '../parts/basics.tsx';
import { number } from '../parts/words.ts';

/** Names in one sentence. */
const MAX_NAMED = 5;

function whoMay(names: readonly string[] | undefined): string {
  if (names === undefined) return 'It waits for somebody who may approve.';
  const [shown, more] = [names.slice(0, MAX_NAMED), names.length - MAX_NAMED];
  return `${shown.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''} may approve it.`;
}

/** Why whoever looks may not apply a change that somebody else may. */
export function ForOther({ change: { needsOther, isMine, approvers } }: { readonly change: ChangeView }) {
  const { mayApprove } = useRoles();
  if (needsOther === undefined) return null;
  return (
    <Callout tone="plain" title="This needs somebody else.">
      <Sentences of={[needsOther]} />
      <p>
        {approvers?.length === 0
          ? 'Nobody else here may do that now: whoever runs this server can let somebody.'
          : `${whoMay(approvers)} Send them the address of this page, or wait: it waits on their own page too.`}
        {isMine === true && !mayApprove && ' You may withdraw it.'}
      </p>
    </Callout>
  );
}
