import { useMemo } from 'preact/hooks';
import { CHANGES_OFF } from '../../../changes/proposals/waited-labels.ts';
import type { ChannelView } from '../../contract.ts';
import { usePageContext, useRoles, useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Callout, Empty, Knowledge, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { LongList } from '../parts/long-list.tsx';
import { titlesOf } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { NoTitles, VideoList, VideoRow } from '../parts/video-row.tsx';
import { countInWords } from '../parts/words.ts';
import { changeAddress, listAddress } from '../router.ts';
import { ContentsEditor } from './contents-editor.tsx';
import { hasDraft } from './use-editor.ts';

const CHANNELS = {
  ...{ words: 'All channels', address: listAddress('channels') },
  missing: 'It may have been deleted, or the link is cut off or of another account.',
};

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
    <WhenLoaded loaded={loaded} what="A channel" list={CHANNELS}>
      {(channel) => <Channel channel={channel} />}
    </WhenLoaded>
  );
}

function Channel({ channel }: { readonly channel: ChannelView }) {
  const { mayAct, session } = usePageContext();
  const { mayPropose } = useRoles();
  const { actions } = useSource();
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
      {channel.videoKeys === undefined ? (
        <Callout tone="caution" title={channel.toldIn === undefined ? UNKNOWN : OUTDATED}>
          {channel.toldIn !== undefined && (
            <p>
              <Told of={channel} />
            </p>
          )}
          <p>
            A change of it, even of its name, could empty it. So until somebody says what it holds now, only a whole new list is taken.
            {mayPropose && actions !== undefined && ' You can say it here.'}
          </p>
        </Callout>
      ) : (
        <>
          <p class="lead">
            {holdsText(channel)} <Told of={channel} />
          </p>
          <p>{MEANINGS[channel.isStated === true ? 'stated' : 'known']}</p>
        </>
      )}
      {!channel.canState && channel.videoKeys !== undefined && (
        <p class="quiet">
          {session?.isReadOnly === true
            ? CHANGES_OFF
            : 'To change it, ask your assistant. Before anything is sent, a person is shown what changes, and decides.'}
        </p>
      )}
      {channel.canState && mayPropose && (mayAct || hasDraft(channel.id)) ? (
        <ContentsEditor key={contents} channel={channel} />
      ) : (
        <Contents channel={channel} />
      )}
    </>
  );
}

const UNKNOWN = 'Nobody here knows what this channel holds.';
const OUTDATED = 'What is known of this channel is out of date.';

/** What it means for later changes. */
const MEANINGS = {
  stated: 'Nobody saw it. Later changes, even of the name, send this list: what it lacks is lost then.',
  known: 'Later changes, even of the name, send this list, so it stays as it is but for what they change.',
} as const;

/** A channel may hold single videos, whole projects, or both. */
function holdsText({ videoKeys = [], projectKeys }: ChannelView): string {
  const videos = countInWords(videoKeys.length, 'video');
  if (projectKeys === undefined) return `It holds ${videos}; whether also projects is not known.`;
  if (projectKeys.length === 0) return videoKeys.length === 0 ? 'It holds nothing.' : `It holds ${videos}, and no projects.`;
  const projects = countInWords(projectKeys.length, 'whole project');
  return videoKeys.length === 0 ? `It holds ${projects}, and no single videos.` : `It holds ${videos} and ${projects}.`;
}

const Told = ({ of: { contents, toldIn } }: { readonly of: ChannelView }) => (
  <>
    <Typeset text={contents} /> {toldIn !== undefined && <ToldIn of={toldIn} />}
  </>
);

/** By whom, with the change as a link. */
const ToldIn = ({ of: { changeId, asked, decided } }: { readonly of: NonNullable<ChannelView['toldIn']> }) => (
  <>
    (<a href={changeAddress(changeId)}>the change</a>
    {asked !== undefined && (
      <>
        {' '}
        was asked <bdi>{asked}</bdi>
      </>
    )}
    {decided !== undefined && (
      <>
        ; <bdi>{decided}</bdi>
      </>
    )}
    )
  </>
);

function Contents({ channel: { videoKeys, projectKeys, titles: record, hasCatalogue } }: { readonly channel: ChannelView }) {
  const titles = titlesOf(record);
  const { mayPropose } = useRoles();
  const { actions } = useSource();
  if (videoKeys === undefined)
    return (
      <Empty title="There is nothing to show.">
        {actions === undefined && 'Open it on the approval page, or tell your assistant what it holds, in order.'}
        {actions !== undefined &&
          (mayPropose
            ? 'Tell your assistant what it holds, in order.'
            : 'To say what it holds takes the role “propose”, which you don’t have: ask somebody who has it, or whoever runs this server.')}
      </Empty>
    );
  return (
    <section class="panel" aria-labelledby="contents">
      {(videoKeys.length > 0 || (projectKeys ?? []).length === 0) && <h2 id="contents">{countInWords(videoKeys.length, 'video')}</h2>}
      {!hasCatalogue && videoKeys.length > 0 && <NoTitles />}
      <VideoList keys={videoKeys} titles={titles} label="Contents in display order" hasTitles={hasCatalogue} />
      {projectKeys !== undefined && projectKeys.length > 0 && (
        <>
          <h2 id={videoKeys.length === 0 ? 'contents' : undefined}>{countInWords(projectKeys.length, 'project')}</h2>
          <LongList of={projectKeys} label="Projects" row={(key) => <VideoRow id={key} title={titles.get(key)} />} />
        </>
      )}
    </section>
  );
}
