import { Video } from './basics.tsx';
import { LongList } from './long-list.tsx';
import type { Titles } from './titles.ts';
import { number } from './words.ts';

interface Props {
  readonly position?: number | undefined;
  readonly id: string;
  readonly title: string | undefined;
  readonly hasTitles?: boolean;
  readonly mark?: { readonly kind: string; readonly words: string } | undefined;
  /** Why it is here, below it. */
  readonly reason?: string;
}

/** One video in a list: its place, its title and key, and what becomes of it. */
export function VideoRow({ position, id, title, hasTitles = false, mark, reason }: Props) {
  return (
    <>
      {position !== undefined && <span class="row-position">{number(position)}</span>}
      <span class="row-body">
        <Video id={id} title={title} hasTitles={hasTitles} />
        {reason !== undefined && <bdi class="row-reason">{reason}</bdi>}
      </span>
      {mark !== undefined && <span class={`mark tone-${mark.kind}`}>{mark.words}</span>}
    </>
  );
}

interface ListProps {
  readonly keys: readonly string[];
  readonly titles: Titles;
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly hasTitles?: boolean;
}

/** Where there is no catalogue, said once. */
export const NoTitles = () => <p class="quiet small">Listed by their keys: the titles of these videos are not known here.</p>;

/** The same above entries of which none has a title. */
export const KeysAlone = ({ keys, titles }: Pick<ListProps, 'keys' | 'titles'>) =>
  keys.length === 0 || keys.some((key) => titles.get(key) !== undefined) ? null : <NoTitles />;

/** Videos in their order. */
export const VideoList = ({ keys, titles, label, hasTitles = false }: ListProps) => (
  <LongList
    of={keys}
    label={label}
    row={(key, index) => <VideoRow position={index + 1} id={key} title={titles.get(key)} hasTitles={hasTitles} />}
  />
);
