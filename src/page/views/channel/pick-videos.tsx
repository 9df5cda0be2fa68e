import { useMemo, useState } from 'preact/hooks';
import type { ChannelView } from '../../contract.ts';
import { useAnnounce } from '../data/announce.ts';
import { LongList } from '../parts/long-list.tsx';
import { VideoRow } from '../parts/video-row.tsx';
import { counted, number } from '../parts/words.ts';
import type { VideoIndex } from './video-index.ts';

interface Props {
  readonly channel: ChannelView;
  readonly index: VideoIndex;
  readonly present: ReadonlySet<string>;
  readonly onAdd: (keys: readonly string[]) => void;
}

const MAX_FROM_CATALOGUE = 200;

/** Videos to pick: those seen in the channel's views, and by search any of the catalogue. */
export function PickVideos({ channel, index, present, onAdd }: Props) {
  const { seen, seenNote, hasCatalogue } = channel;
  const [search, setSearch] = useState('');
  const announce = useAnnounce();
  const missing = useMemo(() => seen.filter((key) => !present.has(key)), [seen, present]);
  const found = useMemo(() => find(search, missing, present, index), [search, missing, present, index]);
  const add = (keys: readonly string[]): void => {
    onAdd(keys);
    announce(`${counted(keys.length, 'video')} added at the end.`);
  };
  return (
    <section class="panel pick" aria-labelledby="pick">
      <h2 id="pick">Seen in its views</h2>
      <p class="quiet">
        {seenNote ??
          `${counted(seen.length, 'video')} seen, ${missing.length === 0 ? 'all of them in the list' : `${number(missing.length)} not in the list`}. A video that nobody watched is not among them.`}
        {seen.length === 0 && ' Ask your assistant for the views of this channel, such as of the last year: then they are here.'}
      </p>
      {(missing.length > 0 || hasCatalogue) && (
        <label class="search">
          <span>{hasCatalogue ? 'Find here and in the video catalogue' : 'Find here'}</span>
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
      )}
      {search !== '' && found.length === 0 && <p class="quiet">Nothing with this title or key that isn’t in the list.</p>}
      <LongList
        count={found.length}
        label="Videos to pick"
        rowHeight={52}
        row={(at) => {
          const key = found[at] ?? '';
          const title = index.titles.get(key);
          return (
            <>
              <VideoRow id={key} title={title} />
              <button type="button" class="small" aria-label={`Add ${title ?? key}`} onClick={() => add([key])}>
                + Add
              </button>
            </>
          );
        }}
      />
      {found.length > 1 && (
        <p class="buttons">
          <button type="button" onClick={() => add(found)}>
            Add all {number(found.length)}
          </button>
        </p>
      )}
    </section>
  );
}

function find(search: string, missing: readonly string[], present: ReadonlySet<string>, { titles }: VideoIndex): readonly string[] {
  const wanted = search.trim().toLocaleLowerCase();
  if (wanted === '') return missing;
  const matches = (key: string): boolean =>
    key.toLocaleLowerCase().includes(wanted) || (titles.get(key)?.toLocaleLowerCase().includes(wanted) ?? false);
  const own = missing.filter(matches);
  const known = new Set(own);
  const others: string[] = [];
  if (wanted.length > 1)
    for (const key of titles.keys()) {
      if (others.length >= MAX_FROM_CATALOGUE) break;
      if (!known.has(key) && !present.has(key) && matches(key)) others.push(key);
    }
  return [...own, ...others];
}
