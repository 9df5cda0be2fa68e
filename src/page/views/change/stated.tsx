import type { StatedList } from '../../../changes/plan/record-difference.ts';
import { statedBy, stateText } from '../../../changes/tell/stated-text.ts';
import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { Callout, Folded } from '../parts/basics.tsx';
import { FEW_ROWS } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { VideoList } from '../parts/video-row.tsx';
import { countInWords } from '../parts/words.ts';

interface Props {
  readonly records: readonly ChangedRecord[];
  readonly titles: Titles;
  readonly isWaiting: boolean;
}

/** Whether it sends lists that somebody states: what a record held beside them is lost, and no undo has it. */
export const isStatedOnly = ({ records }: Pick<ChangeView, 'records'>): boolean => records.some(({ stated }) => stated !== undefined);

const heldBy = (stated: readonly StatedList[]): number => stated.reduce((sum, { keys }) => sum + keys.length, 0);

/** First of all that is told: what is lost without a trace where the list that somebody states lacks it. `isOlder`: than the account now. */
export function StatedRisk({ records, isOlder }: { readonly records: readonly ChangedRecord[]; readonly isOlder: boolean }) {
  const lists = records.flatMap(({ stated = [] }) => (stated.length === 0 ? [] : [stated]));
  const [first] = lists;
  if (first === undefined) return null;
  const held = countInWords(
    lists.reduce((sum, stated) => sum + heldBy(stated), 0),
    'video or project',
    'videos or projects',
  );
  const all = lists.length === 1 ? 'The whole list of this channel is' : `The whole lists of ${lists.length} channels are`;
  return (
    <Callout tone="loss" title="What the assistant left out is lost for good.">
      <p>
        {all} sent as the assistant states {lists.length === 1 ? 'it' : 'them'}: {held}. Nothing else tells what is there now, and no undo
        brings back what isn’t listed.
      </p>
      {isOlder && <p>The list was stated before the account changed, and may be out of date.</p>}
    </Callout>
  );
}

/** What the assistant states that records hold, the least first, and whole where it is short: it is sent, whatever they really hold. */
export function Stated({ records, titles, isWaiting }: Props) {
  const found = records
    .flatMap(({ id, name, stated = [] }) => (stated.length === 0 ? [] : [{ id, name, stated }]))
    .toSorted((a, b) => heldBy(a.stated) - heldBy(b.stated));
  if (found.length === 0) return null;
  const isFolded = !isWaiting || found.reduce((sum, { stated }) => sum + heldBy(stated), 0) > FEW_ROWS;
  return (
    <section class={`panel ${isWaiting ? 'tone-caution' : ''}`} aria-labelledby="stated">
      <h2 id="stated">What the assistant {isWaiting ? 'states' : 'stated'}</h2>
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
