import { contentsOf } from '../../account/contents.ts';
import { searchIn } from '../../account/search.ts';
import { contentsText } from '../../changes/view/contents-out.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { inFull } from '../../text/counted.ts';
import { sentence } from '../../text/sentence.ts';
import type { ChangeView, ChannelList, ChannelView, StatementRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import type { createChanges } from './changes.ts';
import { pageOf } from './page-of.ts';
import { MAX_KEYS, videoSet } from './video-lists.ts';

const PAGE_SIZE = 50;
const MAX_SEARCH = 200;

/** The channels, what they hold, and what a person states that they hold. */
export function createChannelViews(deps: PageDeps, changes: ReturnType<typeof createChanges>) {
  const { account, catalogue, sentContents } = deps;

  return {
    async list(search: string, page: number, signal: AbortSignal): Promise<ChannelList> {
      const all = await account.allChannels({ signal });
      const { shown, ...paging } = pageOf(searchIn(all, search.slice(0, MAX_SEARCH).trim()).found, page, PAGE_SIZE);
      const sent = sentContents(shown);
      const channels = shown.map(async (channel) => {
        const contents = await contentsOf(channel, sent);
        return { id: channel.id, name: channel.name ?? '', contents: contentsText(contents), isKnown: contents.known };
      });
      return { channels: await Promise.all(channels), ...paging };
    },
    async view(reference: string, signal: AbortSignal): Promise<ChannelView> {
      const { record: channel } = await account.findChannel(reference, { signal });
      const { id, key, name = '' } = channel;
      const [contents, videos, seen] = await Promise.all([
        contentsOf(channel, sentContents([channel])),
        catalogue().catch(() => undefined),
        seenIn(channel, deps, signal),
      ]);
      const { videoKeys, projectKeys, source, known, unsure } = contents;
      const inViews = new Set(seen.seen);
      const { titles, unknown } = videoSet([...(videoKeys ?? []), ...seen.seen], videos);
      return {
        id,
        name,
        contents: contentsText(contents),
        ...definedFields({ key, videoKeys, projectKeys }),
        ...seen,
        titles,
        unknown: unknown.filter((key) => !inViews.has(key)),
        hasCatalogue: videos !== undefined,
        // What the service shows, or this server wrote, overrules a statement.
        canState: !known || source === 'stated' || unsure !== undefined,
      };
    },
    /** Proposes to record what a channel holds, to be confirmed on the page as well. */
    async state(channel: string, body: { readonly [Field in keyof StatementRequest]?: unknown }, signal: AbortSignal): Promise<ChangeView> {
      const videoKeys = keysIn(body.videoKeys, 'videoKeys');
      const projectKeys = body.projectKeys === undefined ? undefined : keysIn(body.projectKeys, 'projectKeys');
      const request = { channels: [{ channel, videoKeys, ...definedFields({ projectKeys }) }] };
      return changes.propose('state_contents', request, 'release', signal);
    },
  };
}

/** The videos in the views of a channel. */
async function seenIn({ key }: Channel, { seenVideos }: PageDeps, signal: AbortSignal): Promise<Pick<ChannelView, 'seen' | 'seenNote'>> {
  if (key === undefined) return { seen: [], seenNote: 'No videos to pick from: the service shows no key of this channel.' };
  const found = (await seenVideos([key], signal)).seen.get(key);
  return found === undefined
    ? { seen: [], seenNote: 'No views of this channel were found, so there are no videos to pick from.' }
    : { seen: [...found.videos.keys()] };
}

function keysIn(value: unknown, field: 'videoKeys' | 'projectKeys'): string[] {
  const isList = Array.isArray(value) && value.length <= MAX_KEYS && value.every((key) => typeof key === 'string' && key.length <= 300);
  if (!isList) throw new PageProblem(400, sentence`${field} must be a list of at most ${inFull(MAX_KEYS)} keys. Nothing was recorded.`);
  return value;
}
