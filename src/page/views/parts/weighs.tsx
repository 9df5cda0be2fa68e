import type { ChangeSummary } from '../../contract.ts';
import type { Tone } from './statuses.ts';

type Weight = NonNullable<ChangeSummary['weighs']>[number]['weight'];

/** Red is for what is lost, and for what tells that all of it may be wrong. */
export const toneOfWeight = (weight: Weight): Tone =>
  weight === 'emptied' || weight === 'contradicted' || weight === 'lost' ? 'loss' : weight === 'fact' ? 'plain' : 'caution';

/** What of a change weighs, in a row of a list: first whether it can be applied at all, then what is lost. */
export function Weighs({
  of: { weighs = [], unfit, status, isStated },
}: {
  readonly of: Pick<ChangeSummary, 'weighs' | 'unfit' | 'status' | 'isStated'>;
}) {
  const marks: readonly (readonly [string, Tone])[] = [
    ...(unfit === undefined || unfit === '' || status !== 'waiting' ? [] : [[unfit, 'caution'] as const]),
    ...(isStated === true ? [['rests on the assistant’s list', 'caution'] as const] : []),
    ...weighs.map(({ text, weight }) => [text, toneOfWeight(weight)] as const),
  ];
  return (
    <>
      {marks.map(([words, tone]) => (
        <span key={words} class={`mark weighs tone-${tone}`}>
          {words}
        </span>
      ))}
    </>
  );
}
