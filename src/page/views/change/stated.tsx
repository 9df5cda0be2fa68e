import type { StatedList } from '../../../changes/plan/record-difference.ts';
import { statedBy, stateText } from '../../../changes/tell/stated-text.ts';
import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { useIsLast, useRoles } from '../data/page-context.tsx';
import { Callout, Folded } from '../parts/basics.tsx';
import { FEW_ROWS } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { Name } from '../parts/typeset.tsx';
import { VideoList } from '../parts/video-row.tsx';
import { countInWords } from '../parts/words.ts';
import { channelAddress } from '../router.ts';
import { noWords } from './no-words.ts';
import { Agreed, Unasked } from './outcome.tsx';
import { isOfFile, wordOf } from './stated-words.ts';

interface Props {
  readonly records: readonly ChangedRecord[];
  readonly titles: Titles;
  readonly isWaiting: boolean;
}

const heldBy = (stated: readonly StatedList[]): number => stated.reduce((sum, { keys }) => sum + keys.length, 0);

/** The same of lists that somebody stated before: on whose word they rest, and since when. */
export function StatedEarlier({ change }: { readonly change: ChangeView }) {
  const no = useNo(change);
  const { statedEarlier: of, records } = change;
  if (of === undefined) return null;
  const [only] = records.length === 1 ? records : [];
  // That nobody agreed to it weighs where it is told of the statement itself.
  const told = of.told.filter(({ isUnasked }) => isUnasked !== true);
  const [what, isOne] = [of.what.join(' or '), of.records === 1];
  const lists = isOne ? 'the list that was given for this channel' : `the lists that were given for ${countInWords(of.records, 'channel')}`;
  return (
    <Callout
      tone="caution"
      title={`This sends ${lists} earlier; nobody checked ${isOne ? 'it' : 'them'}. A ${what} missing from ${isOne ? 'it' : 'them'} drops out for good.`}
    >
      {no !== undefined && (
        <p>
          {only !== undefined && (
            <>
              <a href={channelAddress(only.id)}>See the list</a>.{' '}
            </>
          )}
          Not sure? {no}, and ask for a fresh list.
        </p>
      )}
      {told.length > 0 && (
        <>
          <p>{isOne ? 'How it was given' : 'How the last of them was given'}:</p>
          <Unasked of={told} />
          <Agreed of={told} />
        </>
      )}
    </Callout>
  );
}

/** What turns a change down, where that can be done now. */
function useNo(change: ChangeView): string | undefined {
  const no = noWords(change, useRoles().mayApprove);
  return useIsLast() ? undefined : no;
}

/** Before what is listed: what is lost without a trace where the list that somebody states lacks it. */
export function StatedRisk({ change }: { readonly change: ChangeView }) {
  const { records } = change;
  const no = useNo(change);
  const stating = records.filter(({ stated = [] }) => stated.length > 0);
  if (stating.length === 0) return null;
  const lists = stating.flatMap(({ stated = [], lists: changed }) =>
    stated.map((list) => ({ ...list, sent: changed.find(({ field }) => field === list.field)?.after ?? list.keys })),
  );
  const isOne = stating.length === 1;
  const whose = isOfFile(lists) ? 'a file’s' : 'the assistant’s';
  const [sent, it] = isOne ? [`${whose} whole list of this channel`, 'it'] : [`${whose} whole lists of these channels`, 'them'];
  const [given, all] = [amountOf(lists, 'keys'), amountOf(lists, 'sent')];
  return (
    <Callout tone="loss" title={`This sends ${sent}, unchecked. A ${wordOf(lists)} missing from ${it} drops out for good.`}>
      <p>
        Listed: {given}
        {given !== all && `; sent: ${all}`}. Check that nothing is missing.
        {no !== undefined && ` Not sure? ${no}, and ask for a fresh list.`}
      </p>
    </Callout>
  );
}

function amountOf(
  lists: readonly (Pick<StatedList, 'what' | 'keys'> & { readonly sent: readonly string[] })[],
  of: 'keys' | 'sent',
): string {
  const sums = new Map<StatedList['what'], number>();
  for (const list of lists) sums.set(list.what, (sums.get(list.what) ?? 0) + list[of].length);
  const told = [...sums].filter(([, sum], index) => index === 0 || sum > 0);
  return told.map(([what, sum]) => countInWords(sum, what)).join(' and ');
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
      <h2 id="stated">{found.length === 1 ? 'The list that was given' : 'The lists that were given'}</h2>
      {found.map(({ id, name, stated }) => (
        <section key={id}>
          <h3>
            <Name of={name} />
            <span class="amount">{holdings(stated, isWaiting)}</span>
          </h3>
          {heldBy(stated) > 0 && (
            <Folded words={isFolded ? 'The whole list' : undefined}>
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
    : `It held ${amounts.join(' and ')}, by ${isOfFile(stated) ? statedBy(stated) : 'what the assistant said'}`;
}

const Lists = ({ of, stated, titles }: { readonly of: string; readonly stated: readonly StatedList[]; readonly titles: Titles }) =>
  stated.map(
    ({ what, keys }) => keys.length > 0 && <VideoList key={what} keys={keys} titles={titles} label={`${of}: ${what}s, as listed`} />,
  );
