import { useMemo, useState } from 'preact/hooks';
import type { ChannelView, VideoSet } from '../../contract.ts';
import { useAnnounce, useSource } from '../data/page-context.tsx';
import { useAnswer } from '../data/use-answer.ts';
import { LongList } from '../parts/long-list.tsx';
import { titlesOf } from '../parts/titles.ts';
import { VideoRow } from '../parts/video-row.tsx';
import { countInWords, number } from '../parts/words.ts';

interface Props {
  readonly channel: ChannelView;
  readonly present: ReadonlySet<string>;
  readonly onAdd: (videos: VideoSet) => void;
}

/** Videos to pick: those seen in the channel's views, and by search any of the catalogue. */
export function PickVideos({ channel, present, onAdd }: Props) {
  const { seen, seenNote, hasCatalogue } = channel;
  const source = useSource();
  const announce = useAnnounce();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLocaleLowerCase();
  const { answer, error, isLatest } = useAnswer(hasCatalogue && wanted.length > 1 ? wanted : undefined, source.findVideos);
  const titles = useMemo(() => ({ ...channel.titles, ...answer?.titles }), [channel.titles, answer]);
  const titleOf = titlesOf(titles).get;
  const missing = useMemo(() => seen.filter((key) => !present.has(key)), [seen, present]);
  const found = useMemo(() => {
    const matches = (key: string): boolean => `${key}\n${titleOf(key) ?? ''}`.toLocaleLowerCase().includes(wanted);
    const others = isLatest ? (answer?.keys ?? []).filter((key) => !present.has(key)) : [];
    return [...new Set([...missing.filter(matches), ...others])];
  }, [wanted, missing, present, titles, isLatest]);
  const add = (keys: readonly string[]): void => {
    onAdd({ keys, titles, unknown: [] });
    announce(`${countInWords(keys.length, 'video')} added at the end.`);
  };
  return (
    <section class="panel pick" aria-labelledby="pick">
      <h2 id="pick">Seen in its views</h2>
      <p class="quiet">
        {seenNote ??
          `${countInWords(seen.length, 'video')} seen, ${missing.length === 0 ? 'all of them in the list' : `${number(missing.length)} not in the list`}. A video that nobody watched is not among them.`}
        {seen.length === 0 && ' Ask your assistant for the views of this channel, such as of the last year: then they are here.'}
      </p>
      {(missing.length > 0 || hasCatalogue) && (
        <label class="search">
          <span>{hasCatalogue ? 'Find here and in the video catalogue' : 'Find here'}</span>
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
      )}
      {error !== undefined && isLatest && <p class="quiet">{error}</p>}
      {wanted !== '' && found.length === 0 && <p class="quiet">Nothing with this title or key that isn’t in the list.</p>}
      <LongList
        of={found}
        label="Videos to pick"
        rowHeight={52}
        row={(key) => {
          const title = titleOf(key);
          return (
            <>
              <VideoRow id={key} title={title} hasTitles={hasCatalogue} />
              <button type="button" class="small" aria-label={`Add ${title ?? key}`} onClick={() => add([key])}>
                + Add
              </button>
            </>
          );
        }}
      />
      {found.length > 1 && (
        <p class="cluster">
          <button type="button" onClick={() => add(found)}>
            Add all {number(found.length)}
          </button>
        </p>
      )}
    </section>
  );
}
