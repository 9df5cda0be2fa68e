import { sentence, word } from '../../text/sentence.ts';
import { flag, notice, ours, text } from '../plan/notice.ts';
import { byLater, channels, label } from './channels-told.ts';

/** What a person must know of the channels of an earlier change that is undone or carried on. */
export const EARLIER_CHANNEL_NOTICES = {
  // Of a change that is undone.
  /** `isKnown`: of one that was changed since, whether what it holds is known. */
  not_set_back: notice(
    'caution',
    { ...label, reason: ours, isKnown: flag.optional() },
    (facts) => sentence`${facts.label}: ${facts.reason}`,
    {
      leavesAlone: true,
      shared: channels(sentence`can’t be set back. They are left alone.`),
      hints(all) {
        const unknown = all.some(({ isKnown }) => isKnown === false);
        const list = unknown
          ? [
              sentence`Give with it currentVideoKeys, all that the channel holds now by what the user says, in order: it replaces what is there.`,
            ]
          : [];
        return all.every(({ isKnown }) => isKnown === undefined)
          ? []
          : [sentence`What was changed since can be set back by update_channels.`, ...list];
      },
    },
  ),
  as_before: notice('fact', label, (facts) => sentence`${facts.label} is as it was before; there is nothing to set back.`, {
    mayBeCovered: 'undo',
    leavesAlone: true,
    shared: channels(sentence`are as they were before; there is nothing to set back.`),
  }),
  perhaps_changed_set_back: notice(
    'caution',
    label,
    (facts) => sentence`Whether ${facts.label} was changed is not known, but it shows what was sent, so it is set back as well.`,
    { shared: channels(sentence`show what was sent, though whether they were changed is not known. They are set back as well.`) },
  ),
  back_as_stated: notice(
    'fact',
    { ...label, lists: ours },
    (facts) => sentence`${facts.label}: its ${facts.lists} go back to a list that was given; nobody checked it.`,
    {
      mayBeCovered: 'undo',
      shared: channels(sentence`go back to lists that were given; nobody checked them.`),
    },
  ),
  // Of a change that is carried on.
  settled_later: notice(
    'fact',
    { ...label, by: text },
    (facts) => sentence`${facts.label} is settled by ${word(facts.by)}, a later change of it.`,
    {
      leavesAlone: true,
      shared: byLater(sentence`are settled by`, sentence`, later changes of them.`),
    },
  ),
  changed_later: notice(
    'caution',
    { ...label, by: text },
    (facts) => sentence`${facts.label} was changed by ${word(facts.by)} since. It is left alone: ask for its change anew.`,
    {
      leavesAlone: true,
      shared: byLater(sentence`were changed by`, sentence` since. They are left alone: ask for their changes anew.`),
    },
  ),
  restated_later: notice(
    'caution',
    { ...label, by: text },
    (facts) =>
      sentence`${facts.label} has other contents by what was stated since (${word(facts.by)}). It is left alone: ask for its change anew.`,
    {
      leavesAlone: true,
      shared: byLater(
        sentence`have other contents by what was stated since, by`,
        sentence`. They are left alone: ask for their changes anew.`,
      ),
    },
  ),
  refused_before: notice(
    'caution',
    { ...label, reason: ours },
    (facts) => sentence`${facts.label} failed before, and is tried again. Why: ${facts.reason}`,
    {
      shared: channels(sentence`failed before, and are tried again.`),
    },
  ),
  not_readable: notice(
    'caution',
    { ...label, why: ours },
    (facts) => sentence`${facts.label} could not be read, so it is left alone. ${facts.why}`,
    {
      leavesAlone: true,
      shared: channels(sentence`could not be read. They are left alone.`),
    },
  ),
  no_version: notice('caution', label, (facts) => sentence`${facts.label} shows no version, so nothing tells whether it is as it was.`, {
    shared: channels(sentence`show no version, so nothing tells whether they are as they were.`),
  }),
  perhaps_changed: notice(
    'caution',
    { ...label, reason: ours },
    (facts) =>
      sentence`${facts.label} may have been changed already. ${facts.reason} It is not sent again: look at it, and ask for what is missing.`,
    {
      leavesAlone: true,
      shared: channels(sentence`may have been changed already. They are not sent again: look at each, and ask for what is missing.`),
    },
  ),
  changed_by_others: notice(
    'caution',
    { ...label, from: ours, to: ours },
    (facts) => sentence`${facts.label} was changed by someone else since. It is left alone: ask for its change anew.`,
    { leavesAlone: true, shared: channels(sentence`were changed by someone else since. They are left alone: ask for their changes anew.`) },
  ),
};
