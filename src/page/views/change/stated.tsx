import type { StatedList } from '../../../changes/plan/record-difference.ts';
import { statedBy, stateText } from '../../../changes/tell/stated-text.ts';
import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { Folded } from '../parts/basics.tsx';
import { FEW_ROWS } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { VideoList } from '../parts/video-row.tsx';
import { countInWords } from '../parts/words.ts';

interface Props {
  readonly records: readonly ChangedRecord[];
  readonly titles: Titles;
  readonly isWaiting: boolean;
  /** The records were changed since it was stated. */
  readonly hasConflicts: boolean;
}

/** Whether it sends lists that somebody states: what a record held beside them is lost, and no undo has it. */
export const isStatedOnly = ({ records }: Pick<ChangeView, 'records'>): boolean => records.some(({ stated }) => stated !== undefined);

const heldBy = (stated: readonly StatedList[]): number => stated.reduce((sum, { keys }) => sum + keys.length, 0);

/** What the assistant states that records hold, the least first, and whole where it is short: it is sent, whatever they really hold. */
export function Stated({ records, titles, isWaiting, hasConflicts }: Props) {
  const found = records
    .flatMap(({ id, name, stated = [] }) => (stated.length === 0 ? [] : [{ id, name, stated }]))
    .toSorted((a, b) => heldBy(a.stated) - heldBy(b.stated));
  if (found.length === 0) return null;
  const isFolded = !isWaiting || found.reduce((sum, { stated }) => sum + heldBy(stated), 0) > FEW_ROWS;
  return (
    <section class={`panel ${isWaiting ? 'tone-caution' : ''}`} aria-labelledby="stated">
      <h2 id="stated">What the assistant {isWaiting ? 'states' : 'stated'}</h2>
      {isWaiting && <p>Nothing else tells what is there now. What is not in a list below is lost, and an undo can’t bring it back.</p>}
      {isWaiting && hasConflicts && <p>It was stated before the account changed, and may be out of date.</p>}
      {found.map(({ id, name, stated }) => (
        <section key={id}>
          <h3>
            <Typeset text={name} />
            <span class="amount">{holdings(stated, isWaiting)}</span>
          </h3>
          {heldBy(stated) > 0 && (
            <Folded words={isFolded ? `What ${isWaiting ? 'is' : 'was'} stated, whole` : undefined}>
              <Lists of={name} stated={stated} titles={titles} />
            </Folded>
          )}
        </section>
      ))}
    </section>
  );
}

function holdings(stated: readonly StatedList[], isWaiting: boolean): string {
  const amounts = stated.map(({ what, keys }) => (keys.length === 0 ? `no ${what}s` : countInWords(keys.length, what)));
  return isWaiting
    ? stateText(
        amounts,
        stated.some(({ isChanged }) => isChanged),
        statedBy(stated),
      )
    : `It held ${amounts.join(' and ')}, by ${stated.some(({ file }) => file !== undefined) ? statedBy(stated) : 'what the assistant stated'}`;
}

const Lists = ({ of, stated, titles }: { readonly of: string; readonly stated: readonly StatedList[]; readonly titles: Titles }) =>
  stated.map(
    ({ what, keys }) => keys.length > 0 && <VideoList key={what} keys={keys} titles={titles} label={`${of}: ${what}s, as stated`} />,
  );
