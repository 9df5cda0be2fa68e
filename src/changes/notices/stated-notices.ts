import { counted, inFull } from '../../text/counted.ts';
import { ownCommand, toReaders } from '../../text/own-command.ts';
import { inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import { wordsFor } from '../plan/channel-fields.ts';
import { count, flag, listed, notice, ourList, ours, text, texts } from '../plan/notice.ts';
import { channels, label, listName, listWord, MAX_LABELS, MAX_NAMED_IN_SHORT, sumOf, withNumbers } from './channels-told.ts';

const MAX_COMPARED = 5;

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

function lostText(lost: number, missing: number, where: 'channel' | 'channels' = 'channel'): Sentence {
  if (lost === 0) return sentence``;
  const which = lost < missing ? sentence`${lost} of them` : lost === 1 ? sentence`it` : sentence`they`;
  return sentence`: ${which} would be removed from the ${where}`;
}

/** Such as “63 views of Academy since 2025-11-22”; stored ones are not counted. */
export const viewsText = ({ views, since }: { readonly views?: number | undefined; readonly since: string }, of: Sentence): Sentence =>
  sentence`${views === undefined ? 'views' : sentence`${views} ${views === 1 ? 'view' : 'views'}`} of ${of} since ${word(since)}`;

const neverSeen = (
  { unseen, unseenKeys }: { readonly unseen: number; readonly unseenKeys: Sentence },
  of: 'that list' | 'those lists' = 'that list',
): Sentence =>
  unseen === 0
    ? sentence``
    : sentence`; ${unseen} of the videos in ${of} ${unseen === 1 ? 'was' : 'were'} never seen there (${unseenKeys})`;

/** What a person must know of lists that are stated of channels: what views and earlier statements tell of them. */
export const STATED_NOTICES = {
  views_of_another: notice(
    'contradicted',
    { ...label, ...missingFacts, statedKeys: texts },
    (facts) => {
      const lost = facts.lost === 0 ? '' : ', which would be removed from the channel';
      const { length } = facts.statedKeys;
      const none = length === 1 ? 'The video' : sentence`None of the ${counted(length, 'video')}`;
      return sentence`${none} listed for ${facts.label} was ${length === 1 ? 'never' : 'ever'} seen in ${viewsText(facts, sentence`it`)}. Is this another channel’s list? Seen there: ${facts.keys}${lost}.`;
    },
    {
      summed: (all) => sentence`views contradict ${counted(all.length, 'list')}`,
      shared: channels(sentence`have views with none of the videos listed for them: are these other channels’ lists?`, MAX_LABELS),
    },
  ),
  /** Of what an earlier statement has and a new one leaves out. */
  restated: notice(
    'contradicted',
    { ...label, what: listWord, count, which: ours },
    (facts) => {
      const [ifThere, it] = facts.count === 1 ? (['if it is', 'it'] as const) : (['if they are', 'them'] as const);
      return sentence`${facts.label}: the new list leaves out ${counted(facts.count, facts.what)} of the list before (${facts.which}); ${ifThere} there, sending the new list may remove ${it}.`;
    },
    {
      summed: (all) => sentence`${inFull(sumOf(all, (facts) => facts.count))} fewer than stated before`,
      size: (facts) => facts.count,
      shared: channels(
        sentence`hold less by their new lists than by those before; if the rest is there, sending the new lists may remove it.`,
        MAX_LABELS,
      ),
    },
  ),
  views_missing: notice(
    'contradicted',
    { ...label, ...missingFacts, agreed: count, ...unseenFacts },
    (facts) => {
      const { length } = facts.missingKeys;
      const agreed = facts.agreed === 0 ? '' : sentence`, besides ${facts.agreed} agreed to before`;
      return sentence`${facts.label}: ${viewsText(facts, sentence`it`)} ${facts.views === 1 ? 'shows' : 'show'} ${counted(length, 'video')} that the list leaves out${lostText(facts.lost, length)} (${facts.keys})${agreed}${neverSeen(facts)}.`;
    },
    {
      summed: (all) => sentence`${inFull(sumOf(all, ({ missingKeys }) => missingKeys.length))} seen in views not listed`,
      size: ({ missingKeys }) => missingKeys.length,
      shared: (all, length) => {
        const missing = sumOf(all, ({ missingKeys }) => missingKeys.length);
        const told = sentence`Views of ${counted(all.length, 'channel')} show ${counted(missing, 'video')} that their lists leave out${lostText(
          sumOf(all, ({ lost }) => lost),
          missing,
          'channels',
        )}`;
        const max = length === 'short' ? MAX_NAMED_IN_SHORT : MAX_LABELS;
        return sentence`${told} (${withNumbers(all, ({ missingKeys }) => sentence`${missingKeys.length}`, max)}).`;
      },
    },
  ),
  views_as_agreed: notice(
    'fact',
    { labels: ourList, missing: count, on: text },
    ({ labels, missing, on }) =>
      sentence`${counted(missing, 'video')} seen in views of ${listed(labels, MAX_COMPARED)} ${missing === 1 ? 'is' : 'are'} not in the given ${labels.length === 1 ? 'list' : 'lists'}, as agreed before (${word(on)}).`,
  ),
  views_agree: notice(
    'fact',
    { labels: ourList, ...viewed, ...unseenFacts, added: count.optional() },
    (facts) => {
      const [list, of] = facts.labels.length === 1 ? (['list', 'that list'] as const) : (['lists', 'those lists'] as const);
      const seen = facts.unseen === 0 ? sentence`, and every video of ${of} was seen there` : neverSeen(facts, of);
      return sentence`Every video seen in ${viewsText(facts, listed(facts.labels, MAX_COMPARED))} is in the given ${list}${facts.added === undefined ? '' : ' or is added to it'}${seen}.`;
    },
    { mayBeCovered: true },
  ),
  views_not_compared: notice('caution', { labels: ourList, isAll: flag, reason: ours }, ({ labels, isAll, reason }) => {
    const all = labels.length === 1 ? 'The given list was' : 'The given lists were';
    return sentence`${isAll ? all : sentence`The list given for ${listed(labels, MAX_COMPARED)} was`} not checked against views: ${reason}. So nothing here confirms it.`;
  }),
  views_not_read: notice(
    'fact',
    { labels: ourList, since: text },
    ({ labels, since }) =>
      sentence`The list given for ${listed(labels, MAX_COMPARED)} was not checked against views, which is no sign that anything is wrong: not all are stored, and they are too many to be read for one preview.${toReaders(() => sentence` In a terminal, this stores them: “${ownCommand(sentence`sync --from ${word(since)}`)}”.`, '')}`,
    {
      hints: ([one]) =>
        one === undefined ? [] : [sentence`query_analytics with from ${inQuotes(one.since, 20)} stores them; then make this call again.`],
    },
  ),
  stays_unknown: notice(
    'caution',
    { list: listName, count, isOnly: flag },
    ({ list, isOnly, ...facts }) =>
      isOnly
        ? sentence`It stays unknown whether it also holds ${wordsFor([list])}, which a later change may then drop.`
        : sentence`Of ${facts.count} of them it stays unknown whether they also hold ${wordsFor([list])}, which later changes may then drop.`,
    { hints: (all) => all.map(({ list }) => sentence`State ${list} too ([] for none).`) },
  ),
};
