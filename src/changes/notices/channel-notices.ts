import * as z from 'zod';
import { CONTENTS } from '../../account/contents.ts';
import { MAX_VIEW_SEARCHES } from '../../account/viewed-videos.ts';
import { counted, inFull } from '../../text/counted.ts';
import { asSentence, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, LIST_WORDS, type ListField, wordsFor } from '../channels/fields.ts';
import { count, flag, notice, text, texts } from './notice.ts';

const label = { label: text };
const listName = z.enum(CONTENTS);
const listWord = z.enum(LIST_WORDS);
/** Names of channels in one sentence. */
const MAX_LABELS = 20;
const MAX_COMPARED = 5;
const NOT_DOCUMENTED = 'whether the service accepts that is not documented.';
const NOT_READABLE = 'can’t be read, so it can’t be undone or checked.';

const listed = (labels: readonly string[], max: number): string =>
  `${labels.slice(0, max).join(', ')}${labels.length > max ? ` and ${labels.length - max} more` : ''}`;

/** For a form: so many channels, and what is said of them all. */
const channels =
  (words: string) =>
  (all: readonly unknown[]): string =>
    `${all.length} channels ${words}`;

/** As `channels`, with the later changes that are the reason. */
const byLater =
  (words: string, after: string) =>
  (all: readonly { readonly by: string }[]): string =>
    `${all.length} channels ${words} ${[...new Set(all.map(({ by }) => by))].join(', ')}${after}`;

function keysInChannels(all: readonly { readonly count: number }[]): string {
  const [{ count: first } = { count: 0 }] = all;
  const sum = all.reduce((total, one) => total + one.count, 0);
  const isSame = all.every((one) => one.count === first);
  return isSame ? `${counted(first, 'key')} in each of ${all.length} channels` : `${counted(sum, 'key')} in ${all.length} channels`;
}

const unused = z.object({ entries: count, channels: text }).optional();
const numberOf = (number: number): string => (number === 0 ? 'none' : inFull(number));

const viewed = { views: count.optional(), since: text };
const unseenFacts = { unseen: count, unseenKeys: text };
/**
 * `id`: of the channel. `lost`: those of the missing that are not sent either. `keys` has the first of them in words, `missingKeys`
 * all. `isUntold`: in the journal, of what the form had no room for.
 */
const missingFacts = {
  ...{ id: text, lost: count, keys: text, missingKeys: texts },
  ...{ isUntold: flag.optional(), ...viewed },
};

function lostText(lost: number, missing: number): string {
  if (lost === 0) return '';
  return lost === missing ? ' and would not be in the channel afterwards' : `; ${lost} of them would not be in the channel afterwards`;
}

/** Such as “63 views of Academy since 2025-11-22”; stored ones are not counted. */
export const viewsText = ({ views, since }: { readonly views?: number | undefined; readonly since: string }, of: Sentence): Sentence =>
  sentence`${views === undefined ? 'views' : sentence`${views} ${views === 1 ? 'view' : 'views'}`} of ${of} since ${asSentence(since)}`;

const neverSeen = ({ unseen, unseenKeys }: { readonly unseen: number; readonly unseenKeys: string }): string =>
  unseen === 0 ? '' : `; ${unseen} of it ${unseen === 1 ? 'was' : 'were'} never seen (${unseenKeys})`;

const mayHold = (subject: string, several: boolean, list: ListField): string =>
  `Whether ${subject} also ${several ? 'hold' : 'holds'} ${wordsFor([list])} is not known, nor whether they would stay.`;

/** What a person must know of a change of channels. `label` and `labels` name them. */
export const CHANNEL_NOTICES = {
  contents_unknown: notice(
    { labels: texts },
    ({ labels }) =>
      `What ${listed(labels, MAX_LABELS)} ${labels.length === 1 ? 'holds' : 'hold'} now is not known: what is stated replaces it, and whatever is not in it is lost and can’t be brought back from here.`,
  ),
  may_hold: notice({ list: listName, labels: texts }, ({ list, labels }) => mayHold(listed(labels, MAX_LABELS), labels.length > 1, list), {
    brief: ({ list, labels }) => mayHold(labels.length > 1 ? `${labels.length} channels` : listed(labels, 1), labels.length > 1, list),
    hints: (all) =>
      all.map(
        ({ list }) => `To be sure, state ${CHANNEL_FIELDS[list].statedBy}, or ${CHANNEL_FIELDS[list].statedBy}: [] where there are none.`,
      ),
  }),
  /** Of what is known: the first keys are named, with their titles. */
  loses: notice(
    { ...label, what: listWord, count, held: count, which: text },
    (facts) => `${facts.label} loses ${facts.count} of ${counted(facts.held, facts.what)}: ${facts.which}.`,
    { mayBeCovered: 'undo_change' },
  ),
  ends_empty: notice(label, (facts) => `${facts.label} ends up empty; ${NOT_DOCUMENTED}`, {
    shared: channels(`end up empty; ${NOT_DOCUMENTED}`),
  }),
  hidden_field: notice({ ...label, state: text }, (facts) => `${facts.label}: ${facts.state} ${NOT_READABLE}`, {
    shared: (all) => channels(`have ${[...new Set(all.map(({ state }) => state))].join(' and ')} that ${NOT_READABLE}`)(all),
  }),
  default_template: notice(label, (facts) => `${facts.label} goes back to the default template; ${NOT_DOCUMENTED}`, {
    shared: channels(`go back to the default template; ${NOT_DOCUMENTED}`),
  }),
  already_so: notice(label, (facts) => `${facts.label} is already as wanted; it is left alone.`, {
    mayBeCovered: true,
    shared: channels('are already as wanted; they are left alone.'),
  }),
  same_name: notice({ ...label, name: text }, (facts) => `${facts.label} will have the same name as another channel: ${facts.name}.`, {
    shared: channels('will have the same name as another channel.'),
  }),
  keys_not_in_catalogue: notice(
    { ...label, count, which: text },
    (facts) => `${facts.label}: the video catalogue does not know ${facts.count} of the keys: ${facts.which}.`,
    { mayBeCovered: true, shared: (all) => `${keysInChannels(all)} are not in the catalogue.` },
  ),
  repeated_keys: notice(
    { ...label, what: listWord, count, which: text },
    (facts) =>
      `${facts.label}: ${counted(facts.count, facts.what === 'video' ? 'repeated video' : 'repeated project')} (${facts.which}); each counts once, at its first place.`,
    { mayBeCovered: true, shared: channels('have repeated entries in their lists; each counts once, at its first place.') },
  ),
  template_too_high: notice(
    { ...label, needs: text, has: text },
    ({ needs, has, ...facts }) =>
      `${facts.label}: the template is for plan type ${needs} or higher and the channel has ${has}, and no channel here shows one so high; the service may refuse it.`,
    { shared: channels('have a lower plan type than their template wants; the service may refuse them.') },
  ),
  list_file: notice(
    { file: text, how: text, read: count, channels: count.optional(), repeated: count, blanks: count, unused },
    (facts) => {
      const of = facts.channels === undefined ? '' : ` for ${counted(facts.channels, 'channel')}`;
      const held = `${numberOf(facts.read)} read${of}, ${numberOf(facts.repeated)} repeated, ${numberOf(facts.blanks)} blank`;
      const left =
        facts.unused && ` ${numberOf(facts.unused.entries)} of them not used: they are for ${facts.unused.channels}, not named here.`;
      return `From ${facts.file} (${facts.how}): ${held}.${left ?? ''}`;
    },
    { mayBeCovered: true },
  ),
  views_of_another: notice(
    { ...label, ...missingFacts, statedKeys: texts },
    (facts) => {
      const lost = facts.lost === 0 ? '' : ', which would not be in the channel afterwards';
      const { length } = facts.statedKeys;
      const none = length === 1 ? 'The video' : `None of the ${counted(length, 'video')}`;
      return `${none} listed for ${facts.label} was ${length === 1 ? 'never' : 'ever'} seen in ${viewsText(facts, sentence`it`)}: is this another channel’s list? Seen there: ${facts.keys}${lost}.`;
    },
    {
      isGravest: true,
      shared: channels('have views with none of the videos listed for them: are these other channels’ lists?'),
    },
  ),
  /** Of what an earlier statement has and a new one leaves out. */
  restated: notice(
    { ...label, what: listWord, count, which: text },
    (facts) => {
      const [ifThere, it] = facts.count === 1 ? ['if it is', 'it'] : ['if they are', 'them'];
      return `${facts.label}: what is stated now leaves out ${counted(facts.count, facts.what)} stated before (${facts.which}); ${ifThere} there, an update may remove ${it}.`;
    },
    {
      isGravest: true,
      shared: channels('hold less by what is stated now than by what was stated before; if the rest is there, an update may remove it.'),
    },
  ),
  views_missing: notice({ ...label, ...missingFacts, agreed: count, ...unseenFacts }, (facts) => {
    const { length } = facts.missingKeys;
    const [what, verb] = length === 1 ? ['video', 'is'] : ['videos', 'are'];
    const agreed = facts.agreed === 0 ? '' : `, besides ${facts.agreed} agreed to before`;
    return `${facts.label}: ${length} ${what} seen in ${viewsText(facts, sentence`this channel`)} ${verb} not in the stated list${lostText(facts.lost, length)} (${facts.keys})${agreed}${neverSeen(facts)}.`;
  }),
  views_as_agreed: notice(
    { labels: texts, missing: count, on: text },
    ({ labels, missing, on }) =>
      `${counted(missing, 'video')} seen in views of ${listed(labels, MAX_COMPARED)} ${missing === 1 ? 'is' : 'are'} not in the stated ${labels.length === 1 ? 'list' : 'lists'}, as agreed before (${on}).`,
    { isFact: true },
  ),
  views_agree: notice(
    { labels: texts, ...viewed, ...unseenFacts },
    (facts) =>
      `Every video seen in ${viewsText(facts, asSentence(listed(facts.labels, MAX_COMPARED)))} is in the stated list${neverSeen(facts)}.`,
    { mayBeCovered: true, isFact: true },
  ),
  views_not_compared: notice({ labels: texts, isAll: flag, reason: text }, ({ labels, isAll, reason }) => {
    const all = labels.length === 1 ? 'The stated list was' : 'The stated lists were';
    return `${isAll ? all : `What is stated of ${listed(labels, MAX_COMPARED)} was`} not checked against views: ${reason}.`;
  }),
  views_not_read: notice(
    { labels: texts, since: text },
    ({ labels, since }) =>
      `What is stated of ${listed(labels, MAX_COMPARED)} was not checked against views, which is no sign that anything is wrong: none are stored, and a change reads those of ${MAX_VIEW_SEARCHES} channels at most. The user can store them, in a terminal: “video-hosting-mcp sync --from ${since}”.`,
    { isFact: true },
  ),
  stays_unknown: notice(
    { list: listName, count, isOnly: flag },
    ({ list, isOnly, ...facts }) =>
      isOnly
        ? `It stays unknown whether it also holds ${wordsFor([list])}.`
        : `Of ${facts.count} of them it stays unknown whether they also hold ${wordsFor([list])}.`,
    { hints: (all) => all.map(({ list }) => `State ${list} too ([] for none).`) },
  ),
  // Of a change that is undone.
  /** `isShown`: of one that was changed since, whether it shows what it holds. */
  not_set_back: notice({ ...label, reason: text, isShown: flag.optional() }, (facts) => `${facts.label}: ${facts.reason}`, {
    shared: channels('can’t be set back. They are left alone.'),
    hints(all) {
      const hides = all.some(({ isShown }) => isShown === false);
      const how = hides ? ', with currentVideoKeys: what the user says that it holds now' : '';
      return all.every(({ isShown }) => isShown === undefined) ? [] : [`What was changed since can be set back by update_channels${how}.`];
    },
  }),
  as_before: notice(label, (facts) => `${facts.label} is as it was before; there is nothing to set back.`, {
    mayBeCovered: 'undo_change',
    shared: channels('are as they were before; there is nothing to set back.'),
  }),
  perhaps_changed_set_back: notice(
    label,
    (facts) => `Whether ${facts.label} was changed is not known, but it shows what was sent, so it is set back as well.`,
    { shared: channels('show what was sent, though whether they were changed is not known. They are set back as well.') },
  ),
  back_as_stated: notice({ ...label, lists: text }, (facts) => `${facts.label}: its ${facts.lists} go back as stated.`, {
    shared: channels('go back as stated.'),
  }),
  // Of a change that is carried on.
  settled_later: notice({ ...label, by: text }, (facts) => `${facts.label} is settled by ${facts.by}, a later change of it.`, {
    shared: byLater('are settled by', ', later changes of them.'),
  }),
  changed_later: notice(
    { ...label, by: text },
    (facts) => `${facts.label} was changed by ${facts.by} since. It is left alone: ask for its change anew.`,
    {
      shared: byLater('were changed by', ' since. They are left alone: ask for their changes anew.'),
    },
  ),
  restated_later: notice(
    { ...label, by: text },
    (facts) => `${facts.label} has other contents by what was stated since (${facts.by}). It is left alone: ask for its change anew.`,
    { shared: byLater('have other contents by what was stated since, by', '. They are left alone: ask for their changes anew.') },
  ),
  refused_before: notice({ ...label, reason: text }, (facts) => `${facts.label} failed before, and is tried again. Why: ${facts.reason}`, {
    shared: channels('failed before, and are tried again.'),
  }),
  not_readable: notice({ ...label, why: text }, (facts) => `${facts.label} could not be read, so it is left alone. ${facts.why}`, {
    shared: channels('could not be read. They are left alone.'),
  }),
  no_version: notice(label, (facts) => `${facts.label} shows no version, so nothing tells whether it is as it was.`, {
    shared: channels('show no version, so nothing tells whether they are as they were.'),
  }),
  perhaps_changed: notice(
    { ...label, reason: text },
    (facts) =>
      `${facts.label} may have been changed already. ${facts.reason} It is not sent again: look at it, and ask for what is missing.`,
    { shared: channels('may have been changed already. They are not sent again: look at each, and ask for what is missing.') },
  ),
  changed_by_others: notice(
    { ...label, from: text, to: text },
    ({ from, to, ...facts }) =>
      `${facts.label} was changed by someone else since (version ${from} → ${to}). It is left alone: ask for its change anew.`,
    { shared: channels('were changed by someone else since. They are left alone: ask for their changes anew.') },
  ),
};
