import * as z from 'zod';
import type { ListName } from '../../account/contents.ts';
import { counted, inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, LIST_WORDS, wordsFor } from '../plan/channel-fields.ts';
import { count, listed, notice, ourList, ours, text } from '../plan/notice.ts';
import {
  channels,
  label,
  listName,
  listWord,
  MAX_LABELS,
  MAX_NAMED,
  MAX_NAMED_IN_SHORT,
  sumOf,
  who,
  withNumbers,
} from './channels-told.ts';

const NOT_DOCUMENTED = sentence`whether the service accepts that is not documented.`;
const NOT_READABLE = sentence`can’t be read, so it can’t be undone or checked.`;

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

const mayHold = (subject: Sentence, several: boolean, list: ListName): Sentence =>
  sentence`Whether ${subject} also ${several ? 'hold' : 'holds'} ${wordsFor([list])} is not known, nor whether they would stay.`;

/** What a person must know of a change of channels. `label` and `labels` name them. */
export const CHANNEL_NOTICES = {
  /** `former`: by which it was asked for; `on`: when this server renamed it. */
  found_by_former_name: notice(
    'fact',
    { ...label, former: ours, on: ours },
    ({ label: channel, former, on }) => sentence`${former} is ${channel} now: this server renamed it on ${on}.`,
    {
      shared: (all, length) => sentence`${who(all, length)} were asked for by names that they had until this server renamed them.`,
      mayBeCovered: true,
    },
  ),
  /**
   * `made`: when the file of the list was last written; `readAt`: when this server read the channel for an earlier preview. Where clocks differ, the
   * first is absent, and the second tells by what that shows.
   */
  changed_since: notice(
    'contradicted',
    { ...label, id: text, on: ours, file: ours.optional(), made: ours.optional(), readAt: ours.optional() },
    ({ label: channel, on, file, made, readAt }) => {
      const read = readAt === undefined ? '' : sentence`, after this server had read it for an earlier preview (${readAt})`;
      const changed = sentence`${channel} was changed on ${on}, by somebody else as far as this server knows${read}`;
      if (file === undefined)
        return sentence`${changed}. If the given list is older, what they changed is lost for good: unless it is sure to be newer, ask for a fresh one.`;
      const when = made === undefined ? '' : sentence` (${made})`;
      return sentence`${changed}; ${file}, with its list, was last written before that${when}, so what they changed may be lost: ask for a fresh list.`;
    },
    {
      shared: (all, length) => {
        const told = sentence`${counted(all.length, 'channel')} were changed by others lately, or after their lists were made: what those changed may be lost`;
        const [{ file, made } = {}] = all;
        const isSame = file !== undefined && made !== undefined && all.every((one) => one.file === file);
        const written = isSame ? sentence` ${file}, with their lists, was last written before that (${made}).` : '';
        return sentence`${told}. ${withNumbers(all, ({ on }) => sentence`on ${on}`, length === 'short' ? MAX_NAMED_IN_SHORT : MAX_LABELS)}.${written}`;
      },
      summed: (all) => sentence`${all.length} changed by others`,
      hints: () => [sentence`Tell the user when others changed it, and ask whether their list has that.`],
    },
  ),
  contents_unknown: notice(
    'lost',
    { labels: ourList },
    ({ labels }) =>
      sentence`What ${listed(labels, MAX_LABELS)} ${labels.length === 1 ? 'holds' : 'hold'} now is not known: the new list replaces it, and whatever is not in that is lost for good.`,
    { summed: (all) => sentence`perhaps all of ${all.flatMap(({ labels }) => labels).length}` },
  ),
  may_hold: notice(
    'caution',
    { list: listName, labels: ourList },
    ({ list, labels }) => mayHold(listed(labels, MAX_LABELS), labels.length > 1, list),
    {
      brief: ({ list, labels }) =>
        mayHold(labels.length > 1 ? sentence`${labels.length} channels` : listed(labels, 1), labels.length > 1, list),
      // An undo and a resumption take no statement.
      hints: (all) =>
        all.map(
          ({ list }) =>
            sentence`To be sure, state ${CHANNEL_FIELDS[list].statedBy} in a call of update_channels, or ${CHANNEL_FIELDS[list].statedBy}: [] where there are none.`,
        ),
    },
  ),
  /** Of what is known: the first keys are named, with their titles. */
  loses: notice(
    'lost',
    { ...label, what: listWord, count, held: count, which: ours },
    (facts) => sentence`${facts.label} loses ${facts.count} of ${counted(facts.held, facts.what)}: ${facts.which}.`,
    {
      mayBeCovered: 'undo',
      summed: (all) => {
        const sums = LIST_WORDS.map((what) => ({
          what,
          count: sumOf(
            all.filter((facts) => facts.what === what),
            (facts) => facts.count,
          ),
        }));
        return sentence`loses ${joined(
          sums.flatMap(({ what, count: lost }) => (lost === 0 ? [] : [counted(lost, what)])),
          ' and ',
        )}`;
      },
      size: (facts) => facts.count,
      shared: (all, length) => {
        const sums = LIST_WORDS.flatMap((what) => {
          const of = all.filter((facts) => facts.what === what);
          return of.length === 0
            ? []
            : [
                sentence`${inFull(sumOf(of, (facts) => facts.count))} of ${counted(
                  sumOf(of, (facts) => facts.held),
                  what,
                )}`,
              ];
        });
        const lost = sentence`${counted(new Set(all.map((facts) => facts.label)).size, 'channel')} lose ${joined(sums, ' and ')}`;
        return length === 'short'
          ? sentence`${lost}.`
          : sentence`${lost}: ${withNumbers(all, (facts) => sentence`${facts.count} of ${facts.held}`, MAX_NAMED)}.`;
      },
    },
  ),
  ends_empty: notice('emptied', label, (facts) => sentence`${facts.label} ends up empty; ${NOT_DOCUMENTED}`, {
    shared: channels(sentence`end up empty; ${NOT_DOCUMENTED}`, MAX_LABELS),
    summed: (all) => sentence`empties ${all.length}`,
  }),
  stays_empty: notice('caution', label, (facts) => sentence`${facts.label} is empty and stays so; ${NOT_DOCUMENTED}`, {
    shared: channels(sentence`are empty and stay so; ${NOT_DOCUMENTED}`),
  }),
  hidden_field: notice('final', { ...label, state: ours }, (facts) => sentence`${facts.label}: ${facts.state} ${NOT_READABLE}`, {
    shared: (all, length) =>
      channels(sentence`have ${joined([...new Set(all.map(({ state }) => state))], ' and ')} that ${NOT_READABLE}`)(all, length),
  }),
  default_template: notice('caution', label, (facts) => sentence`${facts.label} goes back to the default template; ${NOT_DOCUMENTED}`, {
    shared: channels(sentence`go back to the default template; ${NOT_DOCUMENTED}`),
  }),
  already_so: notice('fact', label, (facts) => sentence`${facts.label} is already as wanted; it is left alone.`, {
    mayBeCovered: true,
    leavesAlone: true,
    shared: channels(sentence`are already as wanted; they are left alone.`),
  }),
  /** What was to be taken out of a list and is not in it. */
  not_held: notice(
    'caution',
    { ...label, what: listWord, count, which: ours },
    (facts) =>
      sentence`${facts.label} does not hold ${facts.count === 1 ? sentence`the ${facts.what}` : counted(facts.count, facts.what)} to be removed (${facts.which}): nothing is removed there for ${facts.count === 1 ? 'it' : 'them'}.`,
    {
      shared: channels(sentence`do not hold all that is to be removed; nothing is removed there for the rest.`),
    },
  ),
  same_name: notice(
    'caution',
    { ...label, name: ours },
    (facts) => sentence`${facts.label} will have the same name as another channel: ${facts.name}.`,
    {
      shared: channels(sentence`will have the same name as another channel.`),
    },
  ),
  keys_not_in_catalogue: notice(
    'caution',
    { ...label, count, which: ours },
    (facts) => sentence`${facts.label}: the video catalogue does not know ${facts.count} of the keys: ${facts.which}.`,
    { mayBeCovered: true, shared: (all) => sentence`${keysInChannels(all)} are not in the catalogue.` },
  ),
  repeated_keys: notice(
    'fact',
    { ...label, what: listWord, count, which: ours },
    (facts) =>
      sentence`${facts.label}: ${counted(facts.count, sentence`repeated ${facts.what}`)} (${facts.which}); each counts once, at its first place.`,
    { mayBeCovered: true, shared: channels(sentence`have repeated entries in their lists; each counts once, at its first place.`) },
  ),
  template_too_high: notice(
    'caution',
    { ...label, needs: ours, has: ours },
    ({ needs, has, ...facts }) =>
      sentence`${facts.label}: the template is for plan type ${needs} or higher and the channel has ${has}, and no channel here shows one so high; the service may refuse it.`,
    { shared: channels(sentence`have a lower plan type than their template wants; the service may refuse them.`) },
  ),
  /** Whether this account is known to use it; which templates an account may use no documented response tells. */
  template_use: notice('fact', { template: ours, channels: count }, ({ template, channels: used }) =>
    used === 0
      ? sentence`No channel of this account uses the template ${template} so far.`
      : sentence`The template ${template} is used by ${counted(used, 'channel')} of this account already.`,
  ),
  list_file: notice(
    'fact',
    { file: ours, how: ours, read: count, channels: count.optional(), repeated: count, blanks: count, unused },
    (facts) => {
      const of = facts.channels === undefined ? '' : sentence` for ${counted(facts.channels, 'channel')}`;
      const held = sentence`${numberOf(facts.read)} read${of}, ${numberOf(facts.repeated)} repeated, ${numberOf(facts.blanks)} blank`;
      const left =
        facts.unused &&
        sentence` ${numberOf(facts.unused.entries)} of them not used: ${facts.unused.entries === 1 ? 'it is' : 'they are'} for ${facts.unused.channels}, whose lists the call does not take from it.`;
      return sentence`From ${facts.file} (${facts.how}): ${held}.${left ?? ''}`;
    },
    { mayBeCovered: true },
  ),
};
