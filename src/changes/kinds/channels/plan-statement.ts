import {
  type ByList,
  byList,
  CONTENTS,
  type ContentLists,
  type Contents,
  contentLists,
  contentsOf,
  type ListName,
  ofEachList,
  type SentLookup,
  seenOf,
} from '../../../account/contents.ts';
import type { RecordOrRefusal } from '../../../account/record-finder.ts';
import { shownName } from '../../../account/references.ts';
import { type TitleOf, titlesIn } from '../../../account/video-references.ts';
import { throwProblems, withName } from '../../../errors/field-problems.ts';
import type { FieldProblem } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { entriesIn, longPiece } from '../../../platform/long-work.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { counted } from '../../../text/counted.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { catalogueNotices } from '../../notices/catalogue-notices.ts';
import { type Notice, noticeText } from '../../notices/notices.ts';
import { isSameValue, pickFields } from '../../plan/channel-fields.ts';
import { videosText } from '../../plan/list-text.ts';
import type { Called, ChangePlanner, ItemPlan, ItemRun, PlannedItem } from '../../plan/plan.ts';
import type { ContentsDeps } from '../../plan/plan-deps.ts';
import { recordDifferences, titlesFor } from '../../plan/record-difference.ts';
import { compareWithViews } from './compare-views.ts';
import { shortLabels } from './describe.ts';
import { createFormerNames, formerNameNotices } from './former-names.ts';
import { changedSinceNotices, type GivenList } from './list-age.ts';
import { createListFiles, FILE_LIST } from './list-files.ts';
import { repeatedNotices, restatedNotices } from './list-notices.ts';
import { LOOKUPS, type LookupData, type ReferenceData, type ResolvedKeys, readWhenNeeded, withoutRepeats } from './resolve-references.ts';
import { type StatedInCall, type StatementInput, type Statements, statementsIn } from './stated-channels.ts';
import { withStatement } from './statement.ts';

/**
 * Plans to record what channels hold by a person's word, each bound to its version. Nothing in the account changes. Throws the
 * problems of all channels at once, `file_refused` or `invalid_arguments`.
 */
export function planStatement(request: StatementInput, deps: ContentsDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const catalogue = await deps.catalogue();
    const files = createListFiles(deps.filesDirs, catalogue, createFormerNames(deps.journal), signal);
    const statements = await statementsIn(request, files);
    const { given } = statements;
    const channels = await deps.account.allChannels({ signal, progress });
    const references = given.map(({ channel, field }) => ({ reference: channel, field }));
    const read = await deps.account.readChannels(references, channels, { signal });
    const { items: stated, sent } = await statedItems(
      statements,
      read,
      { channels, catalogue, ...readWhenNeeded(deps, signal) },
      deps,
      signal,
    );
    const titleOf = titlesIn(catalogue);
    const lists = stated.flatMap(({ item: { label, after }, channel }) =>
      after.videoKeys === undefined ? [] : [{ id: channel.id, label, channelKey: channel.key, videoKeys: after.videoKeys }],
    );
    const compared = await compareWithViews(lists, deps, titleOf, signal);
    const fileNotices = await files.notices();
    const changedSince = await changedSinceNotices(
      stated.map(({ item: { label }, channel, given }) => ({ label, channel, given })),
      { sent, readings: deps.readings, files },
    );
    // Each of these looks at all that is stated and was.
    const step = () => longPiece(entriesIn(stated.map(({ item }) => item)), signal);
    await step();
    const restated = stated.flatMap(({ item: { label, before, after } }) => restatedNotices(label, before, after, titleOf));
    await step();
    return statementPlan(
      stated.map(({ item }) => item),
      [
        ...changedSince,
        // What may be another channel’s list comes before what it would drop.
        ...compared,
        ...restated,
        ...unstatedNotices(stated),
        ...stated.flatMap(({ item, repeated }) => repeatedNotices(item.label, repeated, titleOf)),
        ...formerNameNotices(read, stated),
        ...fileNotices,
        ...catalogueNotices(catalogue),
      ],
      fileNotices.map(noticeText),
      titleOf,
    );
  };
}

/** The name that the problems of a statement are given, unless its field has it. */
const nameFor = ({ channel, isNamedThere = false }: StatedInCall, name: string): string => (isNamedThere && channel === name ? '' : name);

interface StatedItem {
  readonly item: PlannedItem & { readonly after: ContentLists };
  readonly channel: Channel;
  readonly repeated: ContentLists;
  readonly given: ByList<readonly GivenList[]>;
}

/** The channels of which something new is stated. Throws the problems of all of them. */
async function statedItems(
  { given, problems: wrong, refused }: Statements,
  read: readonly RecordOrRefusal<Channel>[],
  data: LookupData & Pick<ReferenceData, 'channels'>,
  deps: ContentsDeps,
  signal: AbortSignal,
): Promise<{ readonly items: StatedItem[]; readonly sent: SentLookup }> {
  const problems = [...wrong];
  const merged = new Map<
    string,
    Record<'lists' | 'repeated' | 'given', ContentLists> & {
      channel: Channel;
      name: string;
      field: Sentence;
      from: ByList<readonly GivenList[]>;
    }
  >();
  for (const [index, statement] of given.entries()) {
    const { field } = statement;
    const found = read[index];
    await longPiece(entriesIn(CONTENTS.map((list) => statement[list])), signal);
    const stated = await ofEachList((list) => statedKeys(list, statement, data));
    const own = CONTENTS.flatMap((list) => stated[list].problems);
    if (found === undefined || 'refusal' in found) {
      const unread = found?.refusal.facts.fields ?? [{ field, problem: found?.refusal.message ?? sentence`could not be read.` }];
      problems.push(...withName(nameFor(statement, cleanText(statement.channel, 120)), [...unread, ...own]));
      continue;
    }
    const channel = found.record;
    const earlier = merged.get(channel.id);
    const again =
      earlier !== undefined && CONTENTS.some((list) => statement[list] !== undefined && earlier.given[list] !== undefined)
        ? [{ field, problem: sentence`is the same channel as ${earlier.field}: state each list once.` }]
        : [];
    const name = nameFor(statement, shownName(channel));
    problems.push(...withName(name, [...own, ...again]));
    const lists = contentLists((list) => stated[list].value ?? earlier?.lists[list]);
    const repeated = contentLists((list) => stated[list].repeated ?? earlier?.repeated[list]);
    merged.set(channel.id, {
      channel,
      name,
      field,
      given: contentLists((list) => statement[list] ?? earlier?.given[list]),
      lists,
      repeated,
      from: byList((list) => [
        ...(earlier?.from[list] ?? []),
        ...(statement[list] === undefined ? [] : [{ file: list === FILE_LIST ? statement.file : undefined }]),
      ]),
    });
  }
  const calledOf = shortLabels(data.channels);
  const sent = deps.sentContents([...merged.values()].map(({ channel }) => channel));
  const items: StatedItem[] = [];
  for (const { channel, name, field, lists, repeated, from } of merged.values()) {
    const known = await contentsOf(channel, sent);
    await longPiece(entriesIn(lists), signal);
    const { contents, differences } = withStatement(known, lists);
    const own = [
      ...differences.map(({ list, problem }) => ({ field, problem: sentence`${list} ${problem}` })),
      ...versionProblems(channel, field),
    ];
    problems.push(...withName(name, own));
    if (isNew(known, contents)) items.push({ channel, repeated, given: from, item: itemOf(channel, calledOf(channel), known, contents) });
  }
  if (refused !== undefined && problems.length === refused.facts.fields?.length) throw refused;
  throwProblems(problems);
  return { items, sent };
}

async function statedKeys(list: ListName, { fieldOf, file, ...stated }: StatedInCall, data: LookupData): Promise<ResolvedKeys> {
  const keys = stated[list];
  if (keys === undefined) return { problems: [] };
  const found = await LOOKUPS[list](fieldOf(list), keys, { held: [] }, data);
  await longPiece(keys.length);
  return withoutRepeats(found, file !== undefined && list === FILE_LIST ? keys : []);
}

/** Without both, nothing would tell that somebody else changed the channel. */
function versionProblems(channel: Channel, field: Sentence): FieldProblem[] {
  const { version, updated } = seenOf(channel);
  if (version !== null && updated !== null) return [];
  return [
    {
      field,
      problem: sentence`the service shows no version of this channel to bind a statement to: state it in update_channels, with currentVideoKeys.`,
    },
  ];
}

const isNew = (known: Contents, stated: Contents): boolean =>
  CONTENTS.some((list) => stated[list] !== undefined && (!isSameValue(known[list], stated[list]) || isFirstApproval(list, known, stated)));

/** A person may approve what no person has seen yet; so it is shown to them in full, as if it were not known. */
const isFirstApproval = (list: ListName, known: Contents, stated: Contents): boolean =>
  known.unapproved?.includes(list) === true && stated.unapproved?.includes(list) !== true;

function itemOf(channel: Channel, called: Called, known: Contents, contents: Contents): StatedItem['item'] {
  const isShownNew = (list: ListName) => isFirstApproval(list, known, contents) && isSameValue(known[list], contents[list]);
  const before = pickFields(
    known,
    CONTENTS.filter((list) => !isShownNew(list)),
  );
  const after = pickFields(contents, CONTENTS);
  const { stated = [], unapproved } = contents;
  return { id: channel.id, ...called, seen: seenOf(channel), before, after, stated, ...definedFields({ unapproved }) };
}

/** Lists that are still not known. */
const unstatedNotices = (items: readonly StatedItem[]): Notice[] =>
  CONTENTS.toReversed().flatMap((list): Notice[] => {
    const count = items.filter(({ item }) => item.after[list] === undefined).length;
    return count === 0 ? [] : [{ kind: 'stays_unknown', list, count, isOnly: items.length === 1 }];
  });

export const NO_UNDO = sentence`Nothing in the account changes. A statement ends when somebody else changes the channel, or with another one.`;

async function statementPlan(
  items: readonly StatedItem['item'][],
  notices: readonly Notice[],
  files: readonly Sentence[],
  titleOf: TitleOf,
): Promise<ItemPlan> {
  const kind = 'state_contents';
  const facts = files.length === 0 ? {} : { files: [...files] };
  const records = recordDifferences(items, facts, 'statement');
  await longPiece(entriesIn(items));
  const titles = titlesFor(records, titleOf);
  const videos = items.reduce((sum, { after }) => sum + (after.videoKeys?.length ?? 0), 0);
  const holds = items.length === 1 ? 'holds' : 'hold';
  return {
    kind,
    facts,
    preview: {
      ...(items.length === 0
        ? { summary: sentence`All of it is known already, as stated` }
        : {
            summary: sentence`Record what ${counted(items.length, 'channel')} ${holds} now (${videosText(videos)}), as stated`,
            title: sentence`Record what ${counted(items.length, 'channel')} ${holds} (${videosText(videos)})`,
            meaning: sentence`Nothing in the account changes now: this server alone keeps it. Later changes send it, and a video missing from it drops out of its channel then, for good. Until then a new list corrects it.`,
          }),
      notices,
      records,
      titles,
      onFailure: sentence``,
      undo: { possible: 'no', how: NO_UNDO },
    },
    items,
    apply: async (run: ItemRun) => {
      for (const { id, seen } of items) await run.record(id, { outcome: 'done', seen });
    },
  };
}
