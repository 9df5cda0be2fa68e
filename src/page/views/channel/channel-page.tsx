import { useMemo } from 'preact/hooks';
import type { ChannelView } from '../../contract.ts';
import { usePageContext, useRoles, useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Empty, Knowledge, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { LongList } from '../parts/long-list.tsx';
import { titlesOf } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { VideoList, VideoRow } from '../parts/video-row.tsx';
import { countInWords } from '../parts/words.ts';
import { listAddress } from '../router.ts';
import { ContentsEditor } from './contents-editor.tsx';
import { hasDraft } from './use-editor.ts';

/** What a channel holds: to look at, or to be stated. */
export function ChannelPage({ id }: { readonly id: string }) {
  const source = useSource();
  const loaded = useLoaded(
    `channel ${id}`,
    (signal) => source.channel(id, signal),
    // Views that were read meanwhile are to pick from. A list that was begun stays.
    (event) => event.type === 'report' || (event.type === 'change' && event.status === 'applied'),
  );
  return (
    <WhenLoaded loaded={loaded} what="A channel" list={{ words: 'All channels', address: listAddress('channels') }}>
      {(channel) => <Channel channel={channel} />}
    </WhenLoaded>
  );
}

function Channel({ channel }: { readonly channel: ChannelView }) {
  const { mayAct } = usePageContext();
  const { mayPropose } = useRoles();
  const contents = useMemo(() => (channel.videoKeys ?? []).join('\n'), [channel.videoKeys]);
  return (
    <>
      <p class="cluster above small">
        <a href={listAddress('channels')}>All channels</a>
        <Knowledge isKnown={channel.videoKeys !== undefined} isStated={channel.isStated} />
        {channel.key !== undefined && <bdi class="record-id">{channel.key}</bdi>}
      </p>
      <ViewHeading>
        <bdi>{channel.name === '' ? channel.id : channel.name}</bdi>
      </ViewHeading>
      <p class="lead">
        <Typeset text={channel.contents} />
      </p>
      {!channel.canState && channel.videoKeys !== undefined && (
        <p class="quiet">To change it, ask your assistant. You are shown what changes before anything is sent.</p>
      )}
      {channel.canState && mayPropose && (mayAct || hasDraft(channel.id)) ? (
        <ContentsEditor key={contents} channel={channel} />
      ) : (
        <Contents channel={channel} />
      )}
    </>
  );
}

function Contents({ channel: { videoKeys, projectKeys, titles: record } }: { readonly channel: ChannelView }) {
  const titles = titlesOf(record);
  if (videoKeys === undefined)
    return <Empty title="What it holds is not known.">Open it on the approval page, or tell your assistant what it holds, in order.</Empty>;
  return (
    <section class="panel" aria-labelledby="contents">
      <h2 id="contents">{countInWords(videoKeys.length, 'video')}</h2>
      <VideoList keys={videoKeys} titles={titles} label="Contents in display order" />
      {projectKeys !== undefined && projectKeys.length > 0 && (
        <>
          <h2>{countInWords(projectKeys.length, 'project')}</h2>
          <LongList of={projectKeys} label="Projects" row={(key) => <VideoRow id={key} title={titles.get(key)} />} />
        </>
      )}
    </section>
  );
}
