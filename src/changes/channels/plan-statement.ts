import { type Contents, contentsOf, type ListName, seenOf } from '../../account/contents.ts';
import type { ReadResult } from '../../account/record-finder.ts';
import { shownName } from '../../account/references.ts';
import { titlesIn } from '../../account/video-references.ts';
import { type FieldProblem, invalidArguments, throwProblems, withName } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { counted } from '../../text/counted.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { listed, videosText } from '../listed.ts';
import { type Notice, noticeText } from '../notices/notices.ts';
import type { Called, ChangePlanner, ItemPlan, ItemRun, PlannedItem } from '../plan.ts';
import type { ContentsDeps } from '../plan-deps.ts';
import { noUndo } from '../undoable.ts';
import { compareWithViews } from './compare-views.ts';
import { shortLabels } from './describe.ts';
import { CONTENTS, type ContentLists, isSameValue, pickFields } from './fields.ts';
import { createListFiles, type ListFiles } from './list-files.ts';
import { keysFor, projectsIn, type ReferenceData, type Resolved, withoutRepeats } from './resolve-change.ts';
import { withStatement } from './statement.ts';

/** What one channel holds, as a person states it. */
export interface StatedChannel {
  /** Id, key or exact name. */
  readonly channel: string;
  /** Ids, keys or titles, in display order. */
  readonly videoKeys?: readonly string[] | undefined;
  /** Ids, keys or exact names. */
  readonly projectKeys?: readonly string[] | undefined;
}

/** The arguments of `state_contents`. */
export interface StatementRequest {
  readonly channels?: readonly StatedChannel[] | undefined;
  /** Gives the videos: of each channel in it, or of the only one in `channels`. */
  readonly file?: string | undefined;
}

const MAX_CHANNELS = 2_000;
const MAX_WHOLE = 30;

/** A statement with the field that it came from. */
type Given = StatedChannel & { readonly field: string; readonly isInFile?: boolean };

/**
 * Plans to record what channels hold by a person's word, each bound to its version. Nothing in the account changes. Throws the
 * problems of all channels at once, `file_refused` or `invalid_arguments`.
 */
export function planStatement(request: StatementRequest, deps: ContentsDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const catalogue = await deps.catalogue();
    const files = createListFiles(deps.filesDirs, catalogue, signal);
    const given = await statementsIn(request, files);
    const needsProjects = given.some(({ projectKeys = [] }) => projectKeys.length > 0);
    const [channels, projects] = await Promise.all([
      deps.account.allChannels({ signal, progress }),
      needsProjects ? deps.account.allProjects({ signal }) : [],
    ]);
    const references = given.map(({ channel, field }) => ({ reference: channel, field }));
    const read = await deps.account.readChannels(references, channels, { signal });
    const stated = await statedItems(given, read, { channels, projects, templates: [], catalogue, files }, deps);
    const titleOf = titlesIn(catalogue);
    const lists = stated.flatMap(({ item: { label, after }, channel }) =>
      after.videoKeys === undefined ? [] : [{ id: channel.id, label, channelKey: channel.key, videoKeys: after.videoKeys }],
    );
    const compared = await compareWithViews(lists, deps, titleOf, signal);
    const fileNotices = await files.notices();
    return statementPlan(
      stated.map(({ item }) => item),
      [...compared, ...unstatedNotices(stated), ...fileNotices],
      fileNotices.map(noticeText),
      (keys) => (keys.length === 0 ? 'none' : listed(keys, MAX_WHOLE, titleOf)),
    );
  };
}

/** The statements of the arguments; a file adds the videos, and channels. */
async function statementsIn({ channels = [], file }: StatementRequest, files: ListFiles): Promise<readonly Given[]> {
  const named = channels.map((channel, index) => ({ ...channel, field: `channels[${index}].channel` }));
  if (file === undefined) {
    const empty = named.filter(({ videoKeys, projectKeys }) => videoKeys === undefined && projectKeys === undefined);
    throwProblems(empty.flatMap(problemWith('states nothing: give videoKeys, projectKeys or a file.')));
    if (named.length === 0) throw invalidArguments([{ field: 'channels', problem: 'or file must be given.' }]);
    return named;
  }
  const twice = named.filter(({ videoKeys }) => videoKeys !== undefined);
  throwProblems(twice.flatMap(problemWith('has videoKeys, and a file is given too: give the videos in one of them.')));
  const { values, groups } = await files.read(file, 'file');
  if (groups === undefined) {
    const [only, ...more] = named;
    if (only !== undefined && more.length === 0) return [{ ...only, videoKeys: values }];
    const problem = `has no column "channel", so it is the list of one channel: name that one in channels (${named.length} are named).`;
    throw invalidArguments([{ field: 'file', problem }]);
  }
  const idle = named.filter(({ projectKeys }) => projectKeys === undefined);
  throwProblems(idle.flatMap(problemWith('the file names its channels itself: leave this out, or give projectKeys with it.')));
  if (groups.size > MAX_CHANNELS)
    throw invalidArguments([{ field: 'file', problem: `names ${groups.size} channels; at most ${MAX_CHANNELS} go into one call.` }]);
  const inFile = [...groups].map(([channel, videoKeys]) => ({
    channel,
    videoKeys,
    field: `file (channel ${JSON.stringify(channel.slice(0, 80))})`,
    isInFile: true,
  }));
  return [...inFile, ...named];
}

const problemWith =
  (problem: string) =>
  ({ channel, field }: Given): FieldProblem[] =>
    withName(cleanText(channel, 120), [{ field, problem }]);

/** The name that the problems of a statement are given, unless its field has it. */
const nameFor = ({ channel, isInFile = false }: Given, name: string): string => (isInFile && channel === name ? '' : name);

interface StatedItem {
  readonly item: PlannedItem & { readonly after: ContentLists };
  readonly channel: Channel;
}

/** The channels of which something new is stated. Throws the problems of all of them. */
async function statedItems(
  given: readonly Given[],
  read: readonly ReadResult<Channel>[],
  data: ReferenceData,
  deps: ContentsDeps,
): Promise<StatedItem[]> {
  const problems: FieldProblem[] = [];
  const merged = new Map<string, { channel: Channel; name: string; field: string; given: readonly ListName[]; lists: ContentLists }>();
  for (const [index, statement] of given.entries()) {
    const { field } = statement;
    const found = read[index];
    if (found === undefined || 'refusal' in found) {
      const own = found?.refusal.facts.fields ?? [{ field, problem: found?.refusal.message ?? 'could not be read.' }];
      problems.push(...withName(nameFor(statement, cleanText(statement.channel, 120)), own));
      continue;
    }
    const channel = found.record;
    const earlier = merged.get(channel.id);
    const { value: lists = {}, problems: own } = listsOf(statement, data);
    const stated = CONTENTS.filter((list) => statement[list] !== undefined);
    const again =
      earlier !== undefined && stated.some((list) => earlier.given.includes(list))
        ? [{ field, problem: `is the same channel as ${earlier.field}: state each list once.` }]
        : [];
    const name = nameFor(statement, shownName(channel));
    problems.push(...withName(name, [...own, ...again]));
    merged.set(channel.id, { channel, name, field, given: [...(earlier?.given ?? []), ...stated], lists: { ...earlier?.lists, ...lists } });
  }
  const calledOf = shortLabels(data.channels);
  const sent = deps.sentContents([...merged.values()].map(({ channel }) => channel));
  const items: StatedItem[] = [];
  for (const { channel, name, field, lists } of merged.values()) {
    const known = await contentsOf(channel, sent);
    const { contents, differences } = withStatement(known, lists);
    const own = [...differences.map(({ list, problem }) => ({ field, problem: `${list} ${problem}` })), ...versionProblems(channel, field)];
    problems.push(...withName(name, own));
    if (isNew(known, contents)) items.push({ channel, item: itemOf(channel, calledOf(channel), known, contents) });
  }
  throwProblems(problems);
  return items;
}

function listsOf({ field, videoKeys, projectKeys }: Given, { catalogue, projects }: ReferenceData): Resolved<ContentLists> {
  const videos = videoKeys === undefined ? { problems: [] } : withoutRepeats(field, keysFor(field, videoKeys, [], catalogue));
  const others = projectsIn(field, projectKeys, projects);
  const value = definedFields({ videoKeys: videos.value, projectKeys: others.value });
  return { value, problems: [...videos.problems, ...others.problems] };
}

/** Without both, nothing would tell that somebody else changed the channel. */
function versionProblems(channel: Channel, field: string): FieldProblem[] {
  const { version, updated } = seenOf(channel);
  if (version !== null && updated !== null) return [];
  return [
    {
      field,
      problem: 'the service shows no version of this channel to bind a statement to: state it in update_channels, with currentVideoKeys.',
    },
  ];
}

const isNew = (known: Contents, stated: Contents): boolean =>
  CONTENTS.some((list) => stated[list] !== undefined && !isSameValue(known[list], stated[list]));

function itemOf(channel: Channel, called: Called, known: Contents, contents: Contents): StatedItem['item'] {
  const [before, after] = [pickFields(known, CONTENTS), pickFields(contents, CONTENTS)];
  const { stated = [] } = contents;
  return { id: channel.id, ...called, seen: seenOf(channel), before, after, ...{ stated } };
}

/** Lists that are still not known. */
const unstatedNotices = (items: readonly StatedItem[]): Notice[] =>
  CONTENTS.toReversed().flatMap((list): Notice[] => {
    const count = items.filter(({ item }) => item.after[list] === undefined).length;
    return count === 0 ? [] : [{ kind: 'stays_unknown', list, count, isOnly: items.length === 1 }];
  });

/** How many videos each channel holds, the fewest first. */
const totalsOf = (items: readonly StatedItem['item'][]): string =>
  items
    .map(({ label, after: { videoKeys = [], projectKeys = [] } }) => ({ label, videos: videoKeys.length, projects: projectKeys.length }))
    .toSorted((a, b) => a.videos + a.projects - b.videos - b.projects)
    .map(({ label, videos, projects }) => `${label} ${videos}${projects === 0 ? '' : ` and ${projects} projects`}`)
    .join(', ');

function statementPlan(
  items: readonly StatedItem['item'][],
  notices: readonly Notice[],
  files: readonly string[],
  show: (keys: readonly string[]) => string,
): ItemPlan {
  const videos = items.reduce((sum, { after }) => sum + (after.videoKeys?.length ?? 0), 0);
  const holds = items.length === 1 ? 'holds' : 'hold';
  const lineOf = ({ label, after: { videoKeys, projectKeys } }: StatedItem['item']): string =>
    [
      ...(videoKeys === undefined ? [] : [`${label} holds ${counted(videoKeys.length, 'video')}: ${show(videoKeys)}`]),
      ...(projectKeys === undefined
        ? []
        : [`${videoKeys === undefined ? `${label} holds ` : ''}${projectKeys.length} projects: ${show(projectKeys)}`]),
    ].join('; ');
  return {
    kind: 'state_contents',
    preview: {
      ...(items.length === 0
        ? { summary: 'All of it is known already, as you state it' }
        : {
            summary: `Record what ${counted(items.length, 'channel')} ${holds} now (${videosText(videos)}), as you state it`,
            meaning: 'Nothing in the account changes; later changes start from it.',
          }),
      notices,
      lines: items.map((item) => ({ changes: [lineOf(item)] })),
      totals: totalsOf(items),
      onFailure: '',
      undo: noUndo('state_contents'),
    },
    items,
    facts: files.length === 0 ? {} : { files: [...files] },
    apply: async (run: ItemRun) => {
      for (const { id, seen } of items) await run.record(id, { outcome: 'done', seen });
    },
  };
}
