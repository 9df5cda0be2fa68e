import { UNCHECKED_LIST } from '../../../changes/tell/stated-text.ts';
import type { ChangeSummary } from '../../contract.ts';
import type { Tone } from './statuses.ts';

type Weight = NonNullable<ChangeSummary['weighs']>[number]['weight'];

/** Red is for what is lost, and for what tells that all of it may be wrong. */
export const toneOfWeight = (weight: Weight): Tone =>
  weight === 'emptied' || weight === 'contradicted' || weight === 'lost' ? 'loss' : weight === 'fact' ? 'plain' : 'caution';

/** What of a change weighs, in a row of a list. */
export function Weighs({ of: { weighs = [], isStated } }: { readonly of: Pick<ChangeSummary, 'weighs' | 'isStated'> }) {
  const marks: readonly (readonly [string, Tone])[] = [
    ...(isStated === true ? [[UNCHECKED_LIST, 'caution'] as const] : []),
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
