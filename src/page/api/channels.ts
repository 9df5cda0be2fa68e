import { type Contents, contentLists, contentsOf } from '../../account/contents.ts';
import { matchesOf } from '../../account/references.ts';
import { searchIn } from '../../account/search.ts';
import { contentsText } from '../../changes/kinds/channels/contents-out.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { VideoHostingError } from '../../errors.ts';
import { usable } from '../../files/known-videos.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { isObject } from '../../platform/is-object.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { inFull } from '../../text/counted.ts';
import { sentence } from '../../text/sentence.ts';
import type { Viewer } from '../api-messages.ts';
import type { ChangeView, ChannelList, ChannelView, StatementRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { summaryOfRecord } from './change-summaries.ts';
import type { createChanges } from './changes.ts';
import { valuesIn } from './list-in-paste.ts';
import { pageOf } from './page-of.ts';
import { MAX_KEYS, videoSet } from './video-lists.ts';

const PAGE_SIZE = 50;
const MAX_SEARCH = 200;
const MAX_LENGTH = 300;

const NOT_THERE: ReadonlySet<string> = new Set<ErrorCode>(['not_found', 'service_not_found', 'ambiguous_reference']);

function toldAsMissing(error: unknown): never {
  if (!(error instanceof VideoHostingError) || !NOT_THERE.has(error.code)) throw error;
  throw new PageProblem(404, sentence`This account has no such channel, or this server’s key may not see it.`);
}

/** The channels, what they hold, and what a person states that they hold. */
export function createChannelViews(deps: PageDeps, changes: ReturnType<typeof createChanges>) {
  const { account, catalogue, sentContents, formerContents, journal, reader } = deps;

  /** The change that told last what a channel holds. */
  async function toldIn(id: string, { source, former }: Contents): Promise<ChannelView['toldIn']> {
    const last = former ?? (source === 'stated' || source === 'journal' ? await formerContents(id) : undefined);
    const record = last && (await journal.read(last.changeId));
    if (record === undefined) return undefined;
    const { changeId, asked, decided } = summaryOfRecord(record, undefined, reader);
    return { changeId, ...definedFields({ asked, decided }) };
  }

  return {
    async list(search: string, page: number, signal: AbortSignal): Promise<ChannelList> {
      const all = await account.allChannels({ signal });
      const { found } = searchIn(all, search.slice(0, MAX_SEARCH).trim());
      const sent = sentContents(found);
      const listed = await Promise.all(
        found.map(async (channel) => {
          const contents = await contentsOf(channel, sent);
          return {
            id: channel.id,
            name: channel.name ?? '',
            contents: contentsText(contents, channel),
            isKnown: contents.known,
            isStated: contents.source === 'stated',
          };
        }),
      );
      const known = listed.filter(({ isKnown }) => isKnown);
      const { shown, ...paging } = pageOf([...known, ...listed.filter(({ isKnown }) => !isKnown)], page, PAGE_SIZE);
      return {
        channels: shown,
        known: known.length,
        stated: known.filter(({ isStated }) => isStated).length,
        total: listed.length,
        ...paging,
      };
    },
    async view(reference: string, signal: AbortSignal): Promise<ChannelView> {
      const { record: channel } = await account.findChannel(reference, { signal }).catch(toldAsMissing);
      const { id, key, name = '' } = channel;
      const [contents, videos, seen] = await Promise.all([
        contentsOf(channel, sentContents([channel]), formerContents),
        catalogue().then(usable),
        seenIn(channel, deps, signal),
      ]);
      const { videoKeys = [], source, known, unsure } = contents;
      const told = await toldIn(id, contents);
      await longPiece(videoKeys.length + seen.seen.length, signal);
      const inViews = new Set(seen.seen);
      const { titles, unknown } = videoSet([...videoKeys, ...seen.seen], videos);
      return {
        id,
        name,
        contents: contentsText(contents, channel),
        isStated: source === 'stated',
        ...definedFields({ key, toldIn: told }),
        ...contentLists((list) => contents[list]),
        ...seen,
        titles,
        unknown: unknown.filter((key) => !inViews.has(key)),
        hasCatalogue: videos !== undefined,
        // What the service shows, or this server wrote, overrules a statement; what only a token made known can be confirmed by one.
        canState: !known || source === 'stated' || unsure !== undefined || (contents.unapproved ?? []).length > 0,
      };
    },
    /** Proposes to record what a channel holds, to be confirmed on the page as well. */
    async state(
      channel: string,
      body: { readonly [Field in keyof StatementRequest]?: unknown },
      signal: AbortSignal,
      viewer?: Viewer,
    ): Promise<ChangeView> {
      await longPiece(entriesIn(body), signal);
      const videoKeys = withinLimits(body.videoKeys, 'videos');
      const projectKeys = await projectsIn(body.projects, account, signal);
      if (videoKeys.length === 0 && projectKeys === undefined)
        throw new PageProblem(400, sentence`No video and no project is named. Nothing was recorded.`);
      const request = { channels: [{ channel, videoKeys, ...definedFields({ projectKeys }) }] };
      return changes.propose('state_contents', request, 'release', signal, viewer);
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

/**
 * The ids, keys and names of projects that a person typed, one a line or several; undefined where nothing was said of them. A name may
 * have a separator in it, or begin like CSV or JSON, so this is no table.
 */
async function projectsIn(said: unknown, account: PageDeps['account'], signal: AbortSignal): Promise<readonly string[] | undefined> {
  const { kind = 'unsaid', text } = isObject(said) ? said : {};
  if (kind === 'unsaid') return undefined;
  if (kind === 'none') return [];
  if (kind !== 'these' || typeof text !== 'string')
    throw new PageProblem(400, sentence`projects must be unsaid, none, or these with a text. Nothing was recorded.`);
  const lines = text.split(/[\r\n]+/);
  const all = lines.some((line) => valuesIn(line).length > 1) ? await account.allProjects({ signal }) : [];
  const read = (value: string): string[] => {
    const values = valuesIn(value);
    return values.length === 1 || matchesOf(value, all).length > 0 ? [value.trim()] : values.flatMap(read);
  };
  const named = lines.flatMap(read).filter((value) => value !== '');
  return named.length === 0 ? undefined : withinLimits(named, 'projects');
}

function withinLimits(values: unknown, what: 'videos' | 'projects'): string[] {
  const isList = Array.isArray(values) && values.length <= MAX_KEYS;
  if (isList && values.every((value) => typeof value === 'string' && value.length <= MAX_LENGTH)) return values;
  const limits = sentence`At most ${inFull(MAX_KEYS)} ${what} can be stated, each in at most ${MAX_LENGTH} characters.`;
  throw new PageProblem(400, sentence`${limits} Nothing was recorded.`);
}
