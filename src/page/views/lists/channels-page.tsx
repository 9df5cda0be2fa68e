import { useEffect, useState } from 'preact/hooks';
import { useSource } from '../data/page-context.tsx';
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
  const { data } = loaded;
  return (
    <>
      <ViewHeading>Channels</ViewHeading>
      <p class="lead">
        The service doesn’t tell which videos a channel holds. Say it once, on the page of a channel: later changes send that list, and a
        video missing from it drops out then.
      </p>
      <label class="search">
        <span>Find a channel</span>
        <input type="search" value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
      </label>
      <LoadProblem loaded={loaded} />
      {data !== undefined && data.channels.length === 0 && (
        <Empty title={search === '' ? 'This account has no channels.' : 'No channel has this in its name.'}>
          {search === '' ? 'Ask your assistant to create one.' : 'Try a part of the name, or its id.'}
        </Empty>
      )}
      {data !== undefined && (
        <>
          {data.total > 0 && (
            <p class="quiet">
              It is known what {number(data.known)} of {countInWords(data.total, 'channel')} {data.total === 1 ? 'holds' : 'hold'}.
            </p>
          )}
          <ul class="entries lines" aria-label="Channels">
            {data.channels.map(({ id, name, contents, isKnown, isStated }) => (
              <ListItem key={id} address={channelAddress(id)} name={name === '' ? id : name}>
                <Knowledge isKnown={isKnown} isStated={isStated} />
                {isKnown && <bdi class="quiet">{contents}</bdi>}
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
