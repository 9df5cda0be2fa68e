import { useEffect, useState } from 'preact/hooks';
import { CHANGES_OFF } from '../../../changes/proposals/waited-labels.ts';
import type { ChannelList } from '../../contract.ts';
import { usePageContext, useRoles, useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Empty, Knowledge, Pagination, ViewHeading } from '../parts/basics.tsx';
import { LoadProblem } from '../parts/loading.tsx';
import { countInWords, number } from '../parts/words.ts';
import { channelAddress } from '../router.ts';
import { ListItem } from './list-item.tsx';

const TYPING_MS = 200;

/** The channels of the account, and of which it is known what they hold. */
export function ChannelsPage() {
  const source = useSource();
  const { session } = usePageContext();
  const { mayPropose } = useRoles();
  const [typed, setTyped] = useState('');
  const [{ search, page }, setQuery] = useState({ search: '', page: 1 });
  useEffect(() => {
    if (typed === search) return undefined;
    const timer = setTimeout(() => setQuery({ search: typed, page: 1 }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, search]);
  const loaded = useLoaded(
    `channels ${page} ${search}`,
    (signal) => source.channels(search, page, signal),
    (event) => event.type === 'change' && event.status === 'applied',
  );
  const { data, error } = loaded;
  // Whoever searches keeps the field.
  const isNothingThere = error !== undefined && data === undefined && typed === '' && search === '';
  return (
    <>
      <ViewHeading>Channels</ViewHeading>
      {data !== undefined && search === '' && data.total > 0 && <p class="lead">{knownText(data, mayPropose)}</p>}
      <LoadProblem loaded={loaded} />
      {!isNothingThere && (
        <label class="search">
          <span>Find a channel</span>
          <input type="search" value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        </label>
      )}
      {data !== undefined && data.channels.length === 0 && (
        <Empty title={search === '' ? 'This account has no channels.' : 'No channel has this in its name.'}>
          {search !== ''
            ? 'Try a part of the name, or its id.'
            : session?.isReadOnly === true
              ? CHANGES_OFF
              : 'Ask your assistant to create one.'}
        </Empty>
      )}
      {data !== undefined && (
        <>
          <ul class="entries lines" aria-label="Channels">
            {data.channels.map(({ id, name, isKnown, isStated }) => (
              <ListItem key={id} address={channelAddress(id)} name={name === '' ? id : name}>
                <Knowledge isKnown={isKnown} isStated={isStated} />
                {data.channels.some((other) => other.id !== id && other.name === name) && <bdi class="video-key">{id}</bdi>}
              </ListItem>
            ))}
          </ul>
          <Pagination page={data.page} pages={data.pages} onPage={(next) => setQuery({ search, page: next })} of="channels" />
        </>
      )}
    </>
  );
}

/** Of how many it is known what they hold, why that matters, and what to do. */
function knownText({ known, stated, total }: ChannelList, mayPropose: boolean): string {
  const [seen, rest] = [known - stated, total - known];
  if (seen === total) return total === 1 ? 'It is known what it holds.' : `It is known what all ${number(total)} channels hold.`;
  const ofSome =
    known === 0
      ? `It is not known what ${total === 1 ? 'it holds' : `any of the ${number(total)} channels holds`}.`
      : `It is known what ${number(seen)} of ${countInWords(total, 'channel')} hold${seen === 1 ? 's' : ''}${stated === 0 ? '' : `; of ${number(stated)} there is only what somebody said`}.`;
  const next = mayPropose ? 'open it and say what it holds' : 'somebody with the role “propose” can say what it holds';
  return [
    ofSome,
    ...(stated === 0 ? [] : ['A change of one as somebody said drops what that list lacks.']),
    ...(rest === 0 ? [] : [`A change of one that is not known, even of its name, could empty it: before you have one changed, ${next}.`]),
  ].join(' ');
}
