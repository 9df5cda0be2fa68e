import type { ChangeView } from '../../contract.ts';
import { useRoles } from '../data/page-context.tsx';
import { Callout, ForSetup, Sentences } from '../parts/basics.tsx';
import { TryAgain } from '../parts/try-again.tsx';
import { noWords } from './no-words.ts';

interface Props {
  readonly change: ChangeView;
  readonly reload: () => void;
}

/** Why a change that waits can’t be applied, what that means, and what can be done about it. */
export function UnfitNotice({ change, reload }: Props) {
  const { problem, problemSteps = [], setup, isNeedless, isPassing, retryAt, needsOther } = change;
  const no = noWords(change, useRoles().mayApprove);
  // That it is for somebody else is told in its place.
  if (problem === undefined || needsOther !== undefined) return null;
  if (isNeedless === true)
    return (
      <Callout tone="caution" title={no === undefined ? 'It is as wanted already.' : 'It is as wanted already: dismiss it.'}>
        <Sentences of={[problem]} />
      </Callout>
    );
  if (isPassing === true)
    return (
      <Callout tone="caution" title="Whether this can be applied could not be looked at just now.">
        <Sentences of={[problem, ...problemSteps]} />
        <p>Nothing was sent, and nothing is lost: it waits on.</p>
        <TryAgain at={retryAt} onPress={reload} />
        <ForSetup text={setup} />
      </Callout>
    );
  return (
    <Callout tone="caution" title="This can’t be applied now.">
      <Sentences of={[problem]} />
      {problemSteps.length > 0 ? (
        <Sentences of={problemSteps} />
      ) : (
        <p>
          {no !== undefined && `${no} it, and say in the note what to ask for instead. Or: `}
          Put right what is in its way, and open this again.
        </p>
      )}
      {setup !== undefined && (
        <>
          <p>Nothing was sent, and nothing is lost: it waits on, and can be applied once that is put right.</p>
          <TryAgain at={undefined} onPress={reload} />
        </>
      )}
      <ForSetup text={setup} />
    </Callout>
  );
}
