import * as z from 'zod';
import { allOf, counted, inFull } from '../../text/counted.ts';
import { setAnew } from '../../text/own-command.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { videosText } from '../plan/list-text.ts';
import { count, flag, type NoticeFactsOf, notice, ours, text } from '../plan/notice.ts';

const setAside = {
  count,
  unit: z.enum(['line', 'entry']),
  /** The first of them, quoted. */
  entries: z.array(z.object({ value: ours, position: count })).readonly(),
};
const MAX_IN_FORM = 3;
const reasons = z.array(z.object({ reason: ours, count })).readonly();

/** Targets of a copy that have, or may have, CTAs of its source from earlier copies. `done`: those that have them for certain; absent of what was kept before it was told. */
const copiedBefore = { count, done: count.optional(), total: count, which: ours, last: text, isRunning: flag };

function copiedText({ total, which, last, isRunning, count: all, done }: NoticeFactsOf<typeof copiedBefore>): Sentence {
  const what =
    all < total ? sentence`${all} of them (${which})` : total === 1 ? sentence`It` : sentence`${total === 2 ? 'Both' : 'All'} of them`;
  const by = sentence`last by ${word(last)}${isRunning ? ', which is still running' : ''}`;
  if (done === all) return sentence`${what} got CTAs of this video before, ${by}`;
  if (done === 0) return sentence`${what} may have got CTAs of this video before, ${by}`;
  const of = (some: number) => (done === undefined ? sentence`` : sentence` (${some})`);
  return sentence`${what} got${of(done ?? 0)}, or may have got${of(all - (done ?? 0))}, CTAs of this video before, ${by}`;
}

/** Videos of a move that this server moved before: where to, where that is one project, and the last change that did. */
const movedBefore = { videos: count, total: count, label: ours.optional(), last: text, changes: count, isRunning: flag };

/** `2 of these were moved into "Archive" (id) by chg-…`. */
function movedBeforeText({ videos, total, label, last, changes, isRunning }: NoticeFactsOf<typeof movedBefore>): Sentence {
  const all = total === 1 ? 'It' : allOf(total, 'All');
  const who = videos === total ? all : sentence`${inFull(videos)} of these`;
  const by = sentence`${changes === 1 ? 'by' : 'last by'} ${word(last)}${isRunning ? ', which is still running' : ''}`;
  return sentence`${who} ${videos === 1 ? 'was' : 'were'} moved into ${label ?? 'other projects'} ${by}`;
}

/** `"1869" in line 1803, "Total" in line 1804 and 3 more`. */
export function setAsideText({ count: all, unit, entries }: NoticeFactsOf<typeof setAside>, most = entries.length): Sentence {
  const shown = entries.slice(0, most).map(({ value, position }) => sentence`${value} in ${unit} ${position}`);
  return sentence`${joined(shown, ', ')}${all > shown.length ? sentence` and ${all - shown.length} more` : ''}`;
}

const setAsideWords = (facts: NoticeFactsOf<typeof setAside>, most?: number): Sentence =>
  sentence`${facts.count === 1 ? '1 entry doesn’t look like the other ids, so it is' : sentence`${counted(facts.count, 'entry', 'entries')} don’t look like the other ids, so they are`} set aside and not sent: ${setAsideText(facts, most)}.`;

const noIds = {
  ...{ count, total: count, are: z.enum(['key', 'title', 'other']), which: ours },
  /** The column, where it is called after keys or titles. */
  column: ours.optional(),
  /** An id of the account, where these look otherwise. */
  seen: ours.optional(),
  /** A catalogue is set, and tells no ids: what is wrong with it is a notice of its own. */
  hasCatalogue: flag.optional(),
};

/** What translates keys and titles. */
const toTranslate = ({ hasCatalogue }: Pick<NoticeFactsOf<typeof noIds>, 'hasCatalogue'>): Sentence =>
  hasCatalogue
    ? sentence`The video catalogue that is set (VIDEO_HOSTING_VIDEO_CATALOGUE) tells no ids: once it does, keys and titles are translated; or take a column of ids.`
    : sentence`Set VIDEO_HOSTING_VIDEO_CATALOGUE to a file of the videos with id, key and title, and keys and titles are translated; or take a column of ids.`;
const LOOKS = { key: 'like keys', title: 'like titles', other: 'like no ids' } as const;
const LOOKS_OF_ONE = { key: 'like a key', title: 'like a title', other: 'like no id' } as const;

/** `All 1,495 look like keys`. */
export const noIdsText = ({ count: some, total, are }: Pick<NoticeFactsOf<typeof noIds>, 'count' | 'total' | 'are'>): Sentence =>
  total === 1
    ? sentence`It looks ${LOOKS_OF_ONE[are]}`
    : sentence`${some === total ? allOf(some, 'All') : inFull(some)} look ${LOOKS[are]}`;

const noIdsWords = (facts: NoticeFactsOf<typeof noIds>): Sentence =>
  sentence`${noIdsText(facts)} (${facts.which}${facts.column === undefined ? '' : sentence`, column ${facts.column}`})${facts.seen === undefined ? '' : sentence`, where an id of this account looks like ${facts.seen}`}.`;

/** What a person must know of a move or a copy of many videos. */
export const BULK_NOTICES = {
  /** Most of what is to be sent seems to be no id. */
  no_ids: notice('contradicted', noIds, (facts) => sentence`${noIdsWords(facts)} Only ids are taken.`, {
    summed: (all) =>
      joined(
        all.map(({ are }) => sentence`look ${LOOKS[are]}`),
        ' and ',
      ),
    hints: (all) => all.slice(0, 1).map(toTranslate),
  }),
  /** Journals of earlier versions don’t say which file it was. */
  file_read: notice(
    'fact',
    { file: ours.optional(), how: ours, counts: ours },
    ({ file, how, counts }) => sentence`From ${file ?? 'the file'} (${how}): ${counts}`,
    {
      mayBeCovered: true,
    },
  ),
  /** Nothing that changes nothing tells whether a credential may move videos. */
  move_untried: notice(
    'fact',
    {},
    () => sentence`Whether this server’s key may move videos shows only with the first move; if it may not, nothing is moved.`,
    { mayBeCovered: true },
  ),
  /** The service refuses it, whatever it is sent with it. */
  jwt_expired: notice(
    'contradicted',
    { on: text, setting: text },
    ({ on }) =>
      sentence`The service will refuse this: this server’s key for videos expired on ${word(on)}. Whoever set up this server has to give it a new one first.`,
    {
      mayBeCovered: true,
      summed: () => sentence`the key expired`,
      hints: (all) => all.map(({ setting }) => sentence`Have a new JWT issued, ${setAnew(setting)}.`),
    },
  ),
  set_aside: notice('caution', { ...setAside, field: ours }, (facts) => setAsideWords(facts), {
    leavesAlone: true,
    brief: (facts) => setAsideWords(facts, MAX_IN_FORM),
    hints: (all) => all.map(({ field }) => sentence`To send what is set aside all the same, name it in ${field}.`),
  }),
  blanks_dropped: notice('fact', { count }, (facts) => sentence`${counted(facts.count, 'blank')} dropped.`, { mayBeCovered: true }),
  repeats_dropped: notice('fact', { count }, (facts) => sentence`${counted(facts.count, 'repeated id')} dropped.`, { mayBeCovered: true }),
  ids_translated: notice(
    'fact',
    { count },
    (facts) => sentence`${counted(facts.count, 'key or title', 'keys or titles')} translated to ids by the video catalogue.`,
    { mayBeCovered: true },
  ),
  ids_not_in_catalogue: notice(
    'caution',
    { count },
    (facts) =>
      facts.count === 1
        ? sentence`1 of them is not in the video catalogue; it is taken for an id as it stands.`
        : sentence`${facts.count} of them are not in the video catalogue; they are taken for ids as they stand.`,
    { mayBeCovered: true },
  ),
  origin_not_named: notice(
    'final',
    { videos: count },
    ({ videos }) =>
      sentence`Where ${videosText(videos)} ${videos === 1 ? 'is now is not said, so it' : 'are now is not said, so they'} can’t be moved back.`,
    {
      summed: () => sentence`undo in part`,
      hints: () => [sentence`Name the project of each as its fromProject, and all can be moved back.`],
    },
  ),
  /** A column that may say where they are now, with most of its projects. It is not taken without being asked. */
  origin_column: notice(
    'final',
    { column: ours, projects: z.array(z.object({ name: ours, videos: count })).readonly(), more: count, blank: count },
    ({ column, projects, more, blank }) => {
      const shown = projects.map(({ name, videos }) => sentence`${name} ${inFull(videos)}`);
      const rest = [...(more === 0 ? [] : [sentence`${more} others`]), ...(blank === 0 ? [] : [sentence`nothing for ${inFull(blank)}`])];
      return sentence`Column ${column} holds ${joined([...shown, ...rest], ', ')}: if that is where they are now, this could be undone by it.`;
    },
    { hints: () => [sentence`To have it undoable, name such a column as fromProjectColumn, if that is where they are now.`] },
  ),
  in_target_before: notice(
    'fact',
    { videos: count },
    ({ videos }) =>
      sentence`By the file, ${videosText(videos)} ${videos === 1 ? 'was' : 'were'} in the target before; an undo leaves ${videos === 1 ? 'it' : 'them'} there.`,
    { mayBeCovered: true },
  ),
  in_target_since: notice(
    'fact',
    { ...movedBefore, hasUndo: flag },
    (facts) => {
      const undo = facts.hasUndo ? sentence`; an undo of this leaves ${facts.videos === 1 ? 'it' : 'them'} there` : '';
      return sentence`${movedBeforeText(facts)} already${undo}.`;
    },
    { mayBeCovered: true },
  ),
  /** Where they come from contradicts where this server moved them last. */
  moved_elsewhere: notice(
    'final',
    movedBefore,
    (facts) => {
      const they = facts.videos === 1 ? 'it is' : 'they are';
      return sentence`${movedBeforeText(facts)}, not where ${they} said to come from; so an undo of this leaves ${facts.videos === 1 ? 'it' : 'them'} where this puts ${facts.videos === 1 ? 'it' : 'them'}.`;
    },
    { hints: () => [sentence`To have them moved back too, name the project where they are now as their fromProject.`] },
  ),
  origin_by_word: notice(
    'fact',
    { label: ours },
    ({ label }) => sentence`That they come from ${label} is taken as said; that can’t be checked.`,
    {
      mayBeCovered: true,
    },
  ),
  origins_by_file: notice('fact', {}, () => sentence`Which project each of them comes from goes by the file; that can’t be checked.`, {
    mayBeCovered: true,
  }),
  origins_as_said: notice(
    'fact',
    {},
    () => sentence`Where each of them was before can’t be checked; it goes by what was said when they were moved.`,
    {
      mayBeCovered: true,
    },
  ),
  moved_on: notice(
    'caution',
    { count, which: ours, last: text },
    ({ count: videos, which, last }) => {
      const [were, they] = videos === 1 ? (['was', 'It is'] as const) : (['were', 'They are'] as const);
      return sentence`${videosText(videos)} (${which}) ${were} moved again since, or may have been, last by ${word(last)}. ${they} left alone.`;
    },
    { leavesAlone: true },
  ),
  moves_unread: notice(
    'caution',
    { which: ours },
    ({ which }) =>
      sentence`Which videos ${which} moved since, if any, is not known any more: what was kept of it can’t be read. Those are taken from where it put them.`,
  ),
  perhaps_moved: notice('caution', { videos: count }, ({ videos }) => {
    const [were, they, left] = videos === 1 ? (['was', 'it is', 'it'] as const) : (['were', 'they are', 'they'] as const);
    return sentence`Whether ${videosText(videos)} ${were} moved is not known; ${they} sent back too, which is harmless if ${left} never left.`;
  }),
  stay_there: notice(
    'caution',
    { videos: count },
    ({ videos }) =>
      sentence`${videosText(videos)} ${videos === 1 ? 'stays' : 'stay'}: no other project is known for ${videos === 1 ? 'it' : 'them'}.`,
    { mayBeCovered: true },
  ),
  /** `reasons`: the most frequent first. */
  failed_before: notice(
    'caution',
    { videos: count, isRetried: flag, reasons, hasMore: flag },
    ({ videos, isRetried, reasons: all, hasMore }) => {
      const why = joined(all.map(({ reason, count: of }) => (all.length === 1 ? reason : sentence`${of}: ${reason}`)));
      const [is, they] = videos === 1 ? (['is', 'it'] as const) : (['are', 'they'] as const);
      return sentence`${videosText(videos)} failed before${isRetried ? sentence`; ${they} ${is} tried again` : sentence` and ${is} not tried again`}. Why: ${why}${hasMore ? ' There are other reasons besides.' : ''}`;
    },
  ),
  not_known_before: notice('caution', { videos: count, isHarmless: flag }, ({ videos, isHarmless }) => {
    const again = isHarmless ? 'sent again, which is harmless' : 'not sent again, lest the CTAs come twice';
    return sentence`The outcome of ${videosText(videos)} is not known; ${videos === 1 ? 'it is' : 'they are'} ${again}.`;
  }),
  source_not_in_catalogue: notice(
    'caution',
    {},
    () => sentence`The source is not in the video catalogue; it is taken for an id as it stands.`,
    {
      mayBeCovered: true,
    },
  ),
  ctas_add_up: notice(
    'caution',
    {},
    () =>
      sentence`Which CTAs these videos have can’t be seen from here. A video that has some keeps them, as far as is known: copied twice, they are there twice.`,
    {
      mayBeCovered: 'copy',
    },
  ),
  copied_before: notice('contradicted', copiedBefore, (facts) => sentence`${copiedText(facts)}: they would be there twice.`, {
    hints: () => [sentence`To leave those out, make the call with skipCopied: true.`],
    summed: (all) => sentence`${inFull(all.reduce((sum, facts) => sum + facts.count, 0))} would have CTAs twice`,
  }),
  copied_since: notice(
    'caution',
    copiedBefore,
    (facts) => sentence`${copiedText(facts)}. ${facts.count === 1 ? 'It is' : 'They are'} left alone, lest the CTAs come twice.`,
    { leavesAlone: true },
  ),
  source_got_copies: notice(
    'contradicted',
    { last: text },
    ({ last }) =>
      sentence`This video itself got CTAs of another one by ${word(last)}, or may have. They are copied too, and are there twice where they are already.`,
    { summed: () => sentence`CTAs may come twice` },
  ),
  no_earlier_copy: notice('fact', {}, () => sentence`No earlier copy of this source onto them is in this server’s history.`, {
    mayBeCovered: true,
  }),
  copies_unread: notice(
    'caution',
    { which: ours },
    ({ which }) => sentence`Onto which videos ${which} copied, if onto any, is not known any more: what was kept of it can’t be read.`,
  ),
};
