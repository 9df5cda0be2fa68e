import type { ChangeView } from '../../contract.ts';
import { Callout, Sentences } from '../parts/basics.tsx';
import { toneOfWeight } from '../parts/weighs.tsx';

type Weight = ChangeView['notices'][number]['weight'];

/** In the order in which they are shown: a long list never stands before what empties a record or tells that the list is wrong. */
export const EMPTIED: readonly Weight[] = ['emptied'];
export const CONTRADICTED: readonly Weight[] = ['contradicted'];
export const LOST: readonly Weight[] = ['lost'];
export const OTHER_WARNINGS: readonly Weight[] = ['final', 'caution'];
export const WARNINGS: readonly Weight[] = [...EMPTIED, ...CONTRADICTED, ...LOST, ...OTHER_WARNINGS];

interface WarningsProps {
  readonly label: string;
  readonly of: ChangeView['notices'];
  readonly weights: readonly Weight[];
}

export function Warnings({ label, of, weights }: WarningsProps) {
  const warnings = of.filter(({ weight, isOfList }) => weights.includes(weight) && (isOfList !== true || weight === 'contradicted'));
  if (warnings.length === 0) return null;
  return (
    <section aria-label={label} class="stack">
      {warnings.map(({ text, weight }) => (
        <Callout key={text} tone={toneOfWeight(weight)}>
          <Sentences of={[text]} />
        </Callout>
      ))}
    </section>
  );
}

/** How lists that somebody gave compare with what was seen in views, where it does not contradict them: that decides nothing. */
export function Compared({ of }: Pick<WarningsProps, 'of'>) {
  const compared = of.filter(({ isOfList, weight }) => isOfList === true && weight !== 'contradicted');
  return compared.length === 0 ? null : (
    <div class="stack facts">
      <Sentences of={compared.map(({ text }) => text)} />
    </div>
  );
}

/** What is to be known, and warns of nothing. */
export function Facts({ of }: { readonly of: ChangeView['notices'] }) {
  const facts = of.filter(({ weight, isOfUndo, isOfList }) => weight === 'fact' && isOfUndo !== true && isOfList !== true);
  return facts.length === 0 ? null : (
    <div class="stack facts">
      <Sentences of={facts.map(({ text }) => text)} />
    </div>
  );
}

/** What of what was asked for is left alone, and why: before long lists of what is not. */
export function LeftAlone({ of }: { readonly of: ChangeView['notices'] }) {
  const left = of.filter(({ isLeftAlone }) => isLeftAlone === true);
  if (left.length === 0) return null;
  return (
    <Callout tone={left.some(({ weight }) => weight !== 'fact') ? 'caution' : 'plain'} title="Left alone">
      <Sentences of={left.map(({ text }) => text)} />
    </Callout>
  );
}
