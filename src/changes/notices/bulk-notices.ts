import * as z from 'zod';
import { counted, inFull } from '../../text/counted.ts';
import { videosText } from '../list-text.ts';
import { count, type FactsOf, flag, notice, text } from './notice.ts';

const setAside = {
  count,
  unit: z.enum(['line', 'entry']),
  /** The first of them, quoted. */
  entries: z.array(z.object({ value: text, position: count })).readonly(),
};
const MAX_IN_FORM = 3;
const reasons = z.array(z.object({ reason: text, count })).readonly();

/** Videos of a move that this server moved before: where to, where that is one project, and the last change that did. */
const movedBefore = { videos: count, total: count, label: text.optional(), last: text, changes: count, isRunning: flag };

/** `2 of these were moved into "Archive" (id) by chg-…`. */
function movedBeforeText({ videos, total, label, last, changes, isRunning }: FactsOf<typeof movedBefore>): string {
  const all = total === 1 ? 'It' : `All ${inFull(total)}`;
  const who = videos === total ? all : `${inFull(videos)} of these`;
  const by = `${changes === 1 ? 'by' : 'last by'} ${last}${isRunning ? ', which is still running' : ''}`;
  return `${who} ${videos === 1 ? 'was' : 'were'} moved into ${label ?? 'other projects'} ${by}`;
}

/** `"1869" in line 1803, "Total" in line 1804 and 3 more`. */
export function setAsideText({ count: all, unit, entries }: FactsOf<typeof setAside>, most = entries.length): string {
  const shown = entries.slice(0, most).map(({ value, position }) => `${value} in ${unit} ${position}`);
  return `${shown.join(', ')}${all > shown.length ? ` and ${all - shown.length} more` : ''}`;
}

const setAsideWords = (facts: FactsOf<typeof setAside>, most?: number): string =>
  `${facts.count === 1 ? '1 entry doesn’t look like the other ids, so it is' : `${counted(facts.count, 'entry', 'entries')} don’t look like the other ids, so they are`} set aside and not sent: ${setAsideText(facts, most)}.`;

/** What a person must know of a move or a copy of many videos. */
export const BULK_NOTICES = {
  file_read: notice({ how: text, counts: text }, ({ how, counts }) => `Read from the file: ${how}. ${counts}`, { mayBeCovered: true }),
  set_aside: notice({ ...setAside, field: text }, (facts) => setAsideWords(facts), {
    brief: (facts) => setAsideWords(facts, MAX_IN_FORM),
    hints: (all) => all.map(({ field }) => `To send what is set aside all the same, name it in ${field}.`),
  }),
  blanks_dropped: notice({ count }, (facts) => `${counted(facts.count, 'blank')} dropped.`, { mayBeCovered: true }),
  repeats_dropped: notice({ count }, (facts) => `${counted(facts.count, 'repeated id')} dropped.`, { mayBeCovered: true }),
  ids_translated: notice(
    { count },
    (facts) => `${counted(facts.count, 'key or title', 'keys or titles')} translated to ids by the video catalogue.`,
    { mayBeCovered: true },
  ),
  ids_not_in_catalogue: notice(
    { count },
    (facts) =>
      facts.count === 1
        ? '1 of them is not in the video catalogue; it is taken for an id as it stands.'
        : `${facts.count} of them are not in the video catalogue; they are taken for ids as they stand.`,
    { mayBeCovered: true },
  ),
  origin_not_named: notice(
    { videos: count },
    ({ videos }) =>
      `Where ${videosText(videos)} ${videos === 1 ? 'is now is not said, so it' : 'are now is not said, so they'} can’t be moved back.`,
    { hints: () => ['Name the project of each as its fromProject, and all can be moved back.'] },
  ),
  /** A column that may say where they are now, with most of its projects. It is not taken without being asked. */
  origin_column: notice(
    { column: text, projects: z.array(z.object({ name: text, videos: count })).readonly(), more: count, blank: count },
    ({ column, projects, more, blank }) => {
      const shown = projects.map(({ name, videos }) => `${name} ${inFull(videos)}`);
      const rest = [...(more === 0 ? [] : [`${more} others`]), ...(blank === 0 ? [] : [`nothing for ${inFull(blank)}`])];
      return `Column ${column} holds ${[...shown, ...rest].join(', ')}: if that is where they are now, this could be undone by it.`;
    },
    { hints: () => ['To have it undoable, name such a column as fromProjectColumn, if that is where they are now.'] },
  ),
  in_target_before: notice(
    { videos: count },
    ({ videos }) =>
      `By the file, ${videosText(videos)} ${videos === 1 ? 'was' : 'were'} in the target before; an undo leaves ${videos === 1 ? 'it' : 'them'} there.`,
    { mayBeCovered: true },
  ),
  in_target_since: notice(
    { ...movedBefore, hasUndo: flag },
    (facts) => {
      const undo = facts.hasUndo ? `; an undo of this leaves ${facts.videos === 1 ? 'it' : 'them'} there` : '';
      return `${movedBeforeText(facts)} already${undo}.`;
    },
    { mayBeCovered: true },
  ),
  /** Where they come from contradicts where this server moved them last. */
  moved_elsewhere: notice(
    movedBefore,
    (facts) => {
      const they = facts.videos === 1 ? 'it is' : 'they are';
      return `${movedBeforeText(facts)}, not where ${they} said to come from; so an undo of this leaves ${facts.videos === 1 ? 'it' : 'them'} where this puts ${facts.videos === 1 ? 'it' : 'them'}.`;
    },
    { hints: () => ['To have them moved back too, name the project where they are now as their fromProject.'] },
  ),
  origin_by_word: notice({ label: text }, ({ label }) => `That they come from ${label} is taken as said; that can’t be checked.`, {
    mayBeCovered: true,
  }),
  origins_by_file: notice({}, () => 'Which project each of them comes from goes by the file; that can’t be checked.', {
    mayBeCovered: true,
  }),
  origins_as_said: notice({}, () => 'Where each of them was before can’t be checked; it goes by what was said when they were moved.', {
    mayBeCovered: true,
  }),
  moved_on: notice({ count, which: text, last: text }, ({ count: videos, which, last }) => {
    const [were, they] = videos === 1 ? ['was', 'It is'] : ['were', 'They are'];
    return `${videosText(videos)} (${which}) ${were} moved again since, or may have been, last by ${last}. ${they} left alone.`;
  }),
  moves_unread: notice(
    { which: text },
    ({ which }) =>
      `Which videos ${which} moved since, if any, is not known any more: what was kept of it can’t be read. Those are taken from where it put them.`,
  ),
  perhaps_moved: notice({ videos: count }, ({ videos }) => {
    const [were, they, left] = videos === 1 ? ['was', 'it is', 'it'] : ['were', 'they are', 'they'];
    return `Whether ${videosText(videos)} ${were} moved is not known; ${they} sent back too, which is harmless if ${left} never left.`;
  }),
  stay_there: notice(
    { videos: count },
    ({ videos }) =>
      `${videosText(videos)} ${videos === 1 ? 'stays' : 'stay'}: no other project is known for ${videos === 1 ? 'it' : 'them'}.`,
    { mayBeCovered: true },
  ),
  /** `reasons`: the most frequent first. */
  failed_before: notice({ videos: count, isRetried: flag, reasons, hasMore: flag }, ({ videos, isRetried, reasons: all, hasMore }) => {
    const why = all.map(({ reason, count: of }) => (all.length === 1 ? reason : `${of}: ${reason}`)).join(' ');
    const [is, they] = videos === 1 ? ['is', 'it'] : ['are', 'they'];
    return `${videosText(videos)} failed before${isRetried ? `; ${they} ${is} tried again` : ` and ${is} not tried again`}. Why: ${why}${hasMore ? ' There are other reasons besides.' : ''}`;
  }),
  not_known_before: notice({ videos: count, isHarmless: flag }, ({ videos, isHarmless }) => {
    const again = isHarmless ? 'sent again, which is harmless' : 'not sent again, lest the CTAs come twice';
    return `The outcome of ${videosText(videos)} is not known; ${videos === 1 ? 'it is' : 'they are'} ${again}.`;
  }),
  source_not_in_catalogue: notice({}, () => 'The source is not in the video catalogue; it is taken for an id as it stands.', {
    mayBeCovered: true,
  }),
  ctas_add_up: notice({}, () => 'A video that has CTAs already keeps them, as far as is known: copying twice makes doubles.', {
    mayBeCovered: 'copy_cta',
  }),
  copied_before: notice(
    { count, total: count, which: text, last: text, isRunning: flag },
    ({ total, which, last, isRunning, ...facts }) => {
      const all = total === 1 ? 'It' : 'All of them';
      const what = facts.count === total ? all : `${facts.count} of them (${which})`;
      const by = `last by ${last}${isRunning ? ', which is still running' : ''}`;
      return `${what} got, or may have got, CTAs of this video before, ${by}: they would be there twice.`;
    },
  ),
  source_got_copies: notice(
    { last: text },
    ({ last }) =>
      `This video itself got CTAs of another one by ${last}, or may have. They are copied too, and are there twice where they are already.`,
  ),
  copies_unread: notice(
    { which: text },
    ({ which }) => `Onto which videos ${which} copied, if onto any, is not known any more: what was kept of it can’t be read.`,
  ),
};
