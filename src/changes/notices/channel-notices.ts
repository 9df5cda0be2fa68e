import * as z from 'zod';
import { CONTENTS, type ListName } from '../../account/contents.ts';
import { counted, inFull } from '../../text/counted.ts';
import { ownCommand } from '../../text/own-command.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, LIST_WORDS, wordsFor } from '../kinds/channels/fields.ts';
import { count, flag, notice, ourList, ours, text, texts } from './notice.ts';

const label = { label: ours };
const listName = z.enum(CONTENTS);
const listWord = z.enum(LIST_WORDS);
/** Names of channels in one sentence. */
const MAX_LABELS = 20;
const MAX_COMPARED = 5;
const NOT_DOCUMENTED = sentence`whether the service accepts that is not documented.`;
const NOT_READABLE = sentence`can’t be read, so it can’t be undone or checked.`;

const listed = (labels: readonly Sentence[], max: number): Sentence =>
  sentence`${joined(labels.slice(0, max), ', ')}${labels.length > max ? sentence` and ${labels.length - max} more` : ''}`;

/** For a form: so many channels, and what is said of them all. */
const channels =
  (words: Sentence) =>
  (all: readonly unknown[]): Sentence =>
    sentence`${all.length} channels ${words}`;

/** As `channels`, with the later changes that are the reason. */
const byLater =
  (words: Sentence, after: Sentence) =>
  (all: readonly { readonly by: string }[]): Sentence => {
    const changes = [...new Set(all.map(({ by }) => by))].map((id) => word(id));
    return sentence`${all.length} channels ${words} ${joined(changes, ', ')}${after}`;
  };

function keysInChannels(all: readonly { readonly count: number }[]): Sentence {
  const [{ count: first } = { count: 0 }] = all;
  const sum = all.reduce((total, one) => total + one.count, 0);
  const isSame = all.every((one) => one.count === first);
  return isSame
    ? sentence`${counted(first, 'key')} in each of ${all.length} channels`
    : sentence`${counted(sum, 'key')} in ${all.length} channels`;
}

const unused = z.object({ entries: count, channels: ours }).optional();
const numberOf = (number: number) => (number === 0 ? 'none' : inFull(number));

const viewed = { views: count.optional(), since: text };
const unseenFacts = { unseen: count, unseenKeys: ours };
/**
 * `id`: of the channel. `lost`: those of the missing that are not sent either. `keys` has the first of them in words, `missingKeys`
 * all. `isUntold`: in the journal, of what the form had no room for.
 */
const missingFacts = {
  ...{ id: text, lost: count, keys: ours, missingKeys: texts },
  ...{ isUntold: flag.optional(), ...viewed },
};

function lostText(lost: number, missing: number): Sentence {
  if (lost === 0) return sentence``;
  return lost === missing
    ? sentence` and would not be in the channel afterwards`
    : sentence`; ${lost} of them would not be in the channel afterwards`;
}

/** Such as “63 views of Academy since 2025-11-22”; stored ones are not counted. */
export const viewsText = ({ views, since }: { readonly views?: number | undefined; readonly since: string }, of: Sentence): Sentence =>
  sentence`${views === undefined ? 'views' : sentence`${views} ${views === 1 ? 'view' : 'views'}`} of ${of} since ${word(since)}`;

const neverSeen = ({ unseen, unseenKeys }: { readonly unseen: number; readonly unseenKeys: Sentence }): Sentence =>
  unseen === 0 ? sentence`` : sentence`; ${unseen} of it ${unseen === 1 ? 'was' : 'were'} never seen (${unseenKeys})`;

const mayHold = (subject: Sentence, several: boolean, list: ListName): Sentence =>
  sentence`Whether ${subject} also ${several ? 'hold' : 'holds'} ${wordsFor([list])} is not known, nor whether they would stay.`;

/** What a person must know of a change of channels. `label` and `labels` name them. */
export const CHANNEL_NOTICES = {
  /** `made`: when the file of the list was last written; `readAt`: when this server read the channel for an earlier preview. */
  changed_since: notice(
    { ...label, id: text, on: ours, file: ours.optional(), made: ours.optional(), readAt: ours.optional() },
    ({ label: channel, on, file, made, readAt }) => {
      const read = readAt === undefined ? '' : sentence`, after this server had read it for an earlier preview (${readAt})`;
      const changed = sentence`${channel} was changed on ${on}, by somebody else as far as this server knows${read}`;
      return file === undefined || made === undefined
        ? sentence`${changed}: is the list that was given newer than that?`
        : sentence`${changed}; ${file}, with its list, was last written before that (${made}), so what they changed may be lost.`;
    },
    {
      isGravest: true,
      shared: channels(sentence`were changed by others lately, or after their lists were made: what those changed may be lost.`),
      hints: () => [sentence`Tell the user when others changed it, and ask whether their list has that.`],
    },
  ),
  contents_unknown: notice(
    { labels: ourList },
    ({ labels }) =>
      sentence`What ${listed(labels, MAX_LABELS)} ${labels.length === 1 ? 'holds' : 'hold'} now is not known: what is stated replaces it, and whatever is not in it is lost and can’t be brought back from here.`,
  ),
  may_hold: notice(
    { list: listName, labels: ourList },
    ({ list, labels }) => mayHold(listed(labels, MAX_LABELS), labels.length > 1, list),
    {
      brief: ({ list, labels }) =>
        mayHold(labels.length > 1 ? sentence`${labels.length} channels` : listed(labels, 1), labels.length > 1, list),
      hints: (all) =>
        all.map(
          ({ list }) =>
            sentence`To be sure, state ${CHANNEL_FIELDS[list].statedBy}, or ${CHANNEL_FIELDS[list].statedBy}: [] where there are none.`,
        ),
    },
  ),
  /** Of what is known: the first keys are named, with their titles. */
  loses: notice(
    { ...label, what: listWord, count, held: count, which: ours },
    (facts) => sentence`${facts.label} loses ${facts.count} of ${counted(facts.held, facts.what)}: ${facts.which}.`,
    { mayBeCovered: 'undo' },
  ),
  ends_empty: notice(label, (facts) => sentence`${facts.label} ends up empty; ${NOT_DOCUMENTED}`, {
    shared: channels(sentence`end up empty; ${NOT_DOCUMENTED}`),
  }),
  hidden_field: notice({ ...label, state: ours }, (facts) => sentence`${facts.label}: ${facts.state} ${NOT_READABLE}`, {
    shared: (all) => channels(sentence`have ${joined([...new Set(all.map(({ state }) => state))], ' and ')} that ${NOT_READABLE}`)(all),
  }),
  default_template: notice(label, (facts) => sentence`${facts.label} goes back to the default template; ${NOT_DOCUMENTED}`, {
    shared: channels(sentence`go back to the default template; ${NOT_DOCUMENTED}`),
  }),
  already_so: notice(label, (facts) => sentence`${facts.label} is already as wanted; it is left alone.`, {
    mayBeCovered: true,
    shared: channels(sentence`are already as wanted; they are left alone.`),
  }),
  same_name: notice(
    { ...label, name: ours },
    (facts) => sentence`${facts.label} will have the same name as another channel: ${facts.name}.`,
    {
      shared: channels(sentence`will have the same name as another channel.`),
    },
  ),
  keys_not_in_catalogue: notice(
    { ...label, count, which: ours },
    (facts) => sentence`${facts.label}: the video catalogue does not know ${facts.count} of the keys: ${facts.which}.`,
    { mayBeCovered: true, shared: (all) => sentence`${keysInChannels(all)} are not in the catalogue.` },
  ),
  repeated_keys: notice(
    { ...label, what: listWord, count, which: ours },
    (facts) =>
      sentence`${facts.label}: ${counted(facts.count, sentence`repeated ${facts.what}`)} (${facts.which}); each counts once, at its first place.`,
    { mayBeCovered: true, shared: channels(sentence`have repeated entries in their lists; each counts once, at its first place.`) },
  ),
  template_too_high: notice(
    { ...label, needs: ours, has: ours },
    ({ needs, has, ...facts }) =>
      sentence`${facts.label}: the template is for plan type ${needs} or higher and the channel has ${has}, and no channel here shows one so high; the service may refuse it.`,
    { shared: channels(sentence`have a lower plan type than their template wants; the service may refuse them.`) },
  ),
  list_file: notice(
    { file: ours, how: ours, read: count, channels: count.optional(), repeated: count, blanks: count, unused },
    (facts) => {
      const of = facts.channels === undefined ? '' : sentence` for ${counted(facts.channels, 'channel')}`;
      const held = sentence`${numberOf(facts.read)} read${of}, ${numberOf(facts.repeated)} repeated, ${numberOf(facts.blanks)} blank`;
      const left =
        facts.unused &&
        sentence` ${numberOf(facts.unused.entries)} of them not used: they are for ${facts.unused.channels}, not named here.`;
      return sentence`From ${facts.file} (${facts.how}): ${held}.${left ?? ''}`;
    },
    { mayBeCovered: true },
  ),
  views_of_another: notice(
    { ...label, ...missingFacts, statedKeys: texts },
    (facts) => {
      const lost = facts.lost === 0 ? '' : ', which would not be in the channel afterwards';
      const { length } = facts.statedKeys;
      const none = length === 1 ? 'The video' : sentence`None of the ${counted(length, 'video')}`;
      return sentence`${none} listed for ${facts.label} was ${length === 1 ? 'never' : 'ever'} seen in ${viewsText(facts, sentence`it`)}: is this another channel’s list? Seen there: ${facts.keys}${lost}.`;
    },
    {
      isGravest: true,
      shared: channels(sentence`have views with none of the videos listed for them: are these other channels’ lists?`),
    },
  ),
  /** Of what an earlier statement has and a new one leaves out. */
  restated: notice(
    { ...label, what: listWord, count, which: ours },
    (facts) => {
      const [ifThere, it] = facts.count === 1 ? (['if it is', 'it'] as const) : (['if they are', 'them'] as const);
      return sentence`${facts.label}: what is stated now leaves out ${counted(facts.count, facts.what)} stated before (${facts.which}); ${ifThere} there, an update may remove ${it}.`;
    },
    {
      isGravest: true,
      shared: channels(
        sentence`hold less by what is stated now than by what was stated before; if the rest is there, an update may remove it.`,
      ),
    },
  ),
  views_missing: notice({ ...label, ...missingFacts, agreed: count, ...unseenFacts }, (facts) => {
    const { length } = facts.missingKeys;
    const [what, verb] = length === 1 ? (['video', 'is'] as const) : (['videos', 'are'] as const);
    const agreed = facts.agreed === 0 ? '' : sentence`, besides ${facts.agreed} agreed to before`;
    return sentence`${facts.label}: ${length} ${what} seen in ${viewsText(facts, sentence`this channel`)} ${verb} not in the stated list${lostText(facts.lost, length)} (${facts.keys})${agreed}${neverSeen(facts)}.`;
  }),
  views_as_agreed: notice(
    { labels: ourList, missing: count, on: text },
    ({ labels, missing, on }) =>
      sentence`${counted(missing, 'video')} seen in views of ${listed(labels, MAX_COMPARED)} ${missing === 1 ? 'is' : 'are'} not in the stated ${labels.length === 1 ? 'list' : 'lists'}, as agreed before (${word(on)}).`,
    { isFact: true },
  ),
  views_agree: notice(
    { labels: ourList, ...viewed, ...unseenFacts },
    (facts) =>
      sentence`Every video seen in ${viewsText(facts, listed(facts.labels, MAX_COMPARED))} is in the stated list${neverSeen(facts)}.`,
    { mayBeCovered: true, isFact: true },
  ),
  views_not_compared: notice({ labels: ourList, isAll: flag, reason: ours }, ({ labels, isAll, reason }) => {
    const all = labels.length === 1 ? 'The stated list was' : 'The stated lists were';
    return sentence`${isAll ? all : sentence`What is stated of ${listed(labels, MAX_COMPARED)} was`} not checked against views: ${reason}.`;
  }),
  views_not_read: notice(
    { labels: ourList, since: text },
    ({ labels, since }) =>
      sentence`What is stated of ${listed(labels, MAX_COMPARED)} was not checked against views, which is no sign that anything is wrong: not all are stored, and they are too many to be read for one preview. In a terminal, this stores them: “${ownCommand(sentence`sync --from ${word(since)}`)}”.`,
    {
      isFact: true,
      hints: ([one]) =>
        one === undefined ? [] : [sentence`query_analytics with from ${inQuotes(one.since, 20)} stores them; then make this call again.`],
    },
  ),
  stays_unknown: notice(
    { list: listName, count, isOnly: flag },
    ({ list, isOnly, ...facts }) =>
      isOnly
        ? sentence`It stays unknown whether it also holds ${wordsFor([list])}.`
        : sentence`Of ${facts.count} of them it stays unknown whether they also hold ${wordsFor([list])}.`,
    { hints: (all) => all.map(({ list }) => sentence`State ${list} too ([] for none).`) },
  ),
  // Of a change that is undone.
  /** `isShown`: of one that was changed since, whether it shows what it holds. */
  not_set_back: notice({ ...label, reason: ours, isShown: flag.optional() }, (facts) => sentence`${facts.label}: ${facts.reason}`, {
    shared: channels(sentence`can’t be set back. They are left alone.`),
    hints(all) {
      const hides = all.some(({ isShown }) => isShown === false);
      const how = hides ? ', with currentVideoKeys: what the user says that it holds now' : '';
      return all.every(({ isShown }) => isShown === undefined)
        ? []
        : [sentence`What was changed since can be set back by update_channels${how}.`];
    },
  }),
  as_before: notice(label, (facts) => sentence`${facts.label} is as it was before; there is nothing to set back.`, {
    mayBeCovered: 'undo',
    shared: channels(sentence`are as they were before; there is nothing to set back.`),
  }),
  perhaps_changed_set_back: notice(
    label,
    (facts) => sentence`Whether ${facts.label} was changed is not known, but it shows what was sent, so it is set back as well.`,
    { shared: channels(sentence`show what was sent, though whether they were changed is not known. They are set back as well.`) },
  ),
  back_as_stated: notice({ ...label, lists: ours }, (facts) => sentence`${facts.label}: its ${facts.lists} go back as stated.`, {
    mayBeCovered: 'undo',
    shared: channels(sentence`go back as stated.`),
  }),
  // Of a change that is carried on.
  settled_later: notice(
    { ...label, by: text },
    (facts) => sentence`${facts.label} is settled by ${word(facts.by)}, a later change of it.`,
    {
      shared: byLater(sentence`are settled by`, sentence`, later changes of them.`),
    },
  ),
  changed_later: notice(
    { ...label, by: text },
    (facts) => sentence`${facts.label} was changed by ${word(facts.by)} since. It is left alone: ask for its change anew.`,
    {
      shared: byLater(sentence`were changed by`, sentence` since. They are left alone: ask for their changes anew.`),
    },
  ),
  restated_later: notice(
    { ...label, by: text },
    (facts) =>
      sentence`${facts.label} has other contents by what was stated since (${word(facts.by)}). It is left alone: ask for its change anew.`,
    {
      shared: byLater(
        sentence`have other contents by what was stated since, by`,
        sentence`. They are left alone: ask for their changes anew.`,
      ),
    },
  ),
  refused_before: notice(
    { ...label, reason: ours },
    (facts) => sentence`${facts.label} failed before, and is tried again. Why: ${facts.reason}`,
    {
      shared: channels(sentence`failed before, and are tried again.`),
    },
  ),
  not_readable: notice({ ...label, why: ours }, (facts) => sentence`${facts.label} could not be read, so it is left alone. ${facts.why}`, {
    shared: channels(sentence`could not be read. They are left alone.`),
  }),
  no_version: notice(label, (facts) => sentence`${facts.label} shows no version, so nothing tells whether it is as it was.`, {
    shared: channels(sentence`show no version, so nothing tells whether they are as they were.`),
  }),
  perhaps_changed: notice(
    { ...label, reason: ours },
    (facts) =>
      sentence`${facts.label} may have been changed already. ${facts.reason} It is not sent again: look at it, and ask for what is missing.`,
    { shared: channels(sentence`may have been changed already. They are not sent again: look at each, and ask for what is missing.`) },
  ),
  changed_by_others: notice(
    { ...label, from: ours, to: ours },
    ({ from, to, ...facts }) =>
      sentence`${facts.label} was changed by someone else since (version ${from} → ${to}). It is left alone: ask for its change anew.`,
    { shared: channels(sentence`were changed by someone else since. They are left alone: ask for their changes anew.`) },
  ),
};
