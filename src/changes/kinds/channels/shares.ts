import { shownName } from '../../../account/references.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { CHANNEL_FIELDS, FIELDS, isKeys, isSameValue } from '../../plan/channel-fields.ts';
import { listDifference } from '../../plan/list-difference.ts';
import type { ChangePlan, PlannedItem } from '../../plan/plan.ts';
import type { Rule, RuleKind } from '../../standing/rules.ts';
import { coverableShares, never, type Share, type Shares } from '../shares.ts';

/** What of an update a standing approval can cover. */
export const sharesOfUpdate = (plan: ChangePlan): Shares =>
  coverableShares(plan, {
    as: 'records',
    parts: () => ('items' in plan ? ofRecords(plan.items) : never(sentence`No standing approval covers this.`)),
  });

function ofRecords(items: readonly PlannedItem[]): Shares {
  const found = together(items.map((item) => ofChannel(item)));
  if ('shares' in found || !items.some(({ replaces }) => replaces)) return found;
  const meant = together(items.map((item) => ofChannel({ ...item, replaces: false })));
  return 'never' in meant ? found : never(found.never, { ...meant, words: WITHOUT_SET });
}

const together = (found: readonly Shares[]): Shares =>
  found.find((one) => 'never' in one) ?? { shares: found.flatMap((one) => ('shares' in one ? one.shares : [])) };

const WITHOUT_SET = sentence`With addVideoKeys, firstVideoKeys and lastVideoKeys in the place of the whole list it would be covered. To do the same by these, make the call again with them.`;

const unapprovedText = (label: Sentence): Sentence =>
  sentence`What ${label} holds is known only by a change that no person confirmed in a form, on the page or at a terminal, and no standing approval covers what starts from that. A person can confirm a state_contents of it there.`;

function ofChannel(item: PlannedItem): Shares {
  const { id, label, seen, before, after } = item;
  if (seen === null) return never(sentence`No standing approval covers a new channel.`);
  if ((item.states ?? []).length > 0) return never(sentence`No standing approval covers contents that the assistant states itself.`);
  if (item.replaces === true) return never(sentence`No standing approval covers a list that is set; add, first and last are.`);
  if ((item.unapproved ?? []).length > 0) return never(unapprovedText(label));
  const isUnder = (rule: Rule): boolean => 'channels' in rule && rule.channels.some((channel) => channel.id === id);
  const names = new Map(before.name === undefined ? [] : [[id, shownName({ id, name: before.name })]]);
  const shares: Share[] = [];
  const add = (kind: RuleKind, units: number, words: Sentence, isOf = (_rule: Rule) => true) =>
    shares.push({ rule: kind, units, item: id, isUnder: (rule) => rule.kind === kind && isUnder(rule) && isOf(rule), words, names });
  for (const field of FIELDS) {
    const [held, next] = [before[field], after[field]];
    if (next === undefined || isSameValue(held, next)) continue;
    const { word: called, standing: under } = CHANNEL_FIELDS[field];
    const isNamed = (rule: Rule) => 'fields' in rule && rule.fields.some((name) => name === field);
    if (under === 'text') add('change_texts', 1, sentence`the ${called} of ${label}`, isNamed);
    else if (under !== 'videos') return never(sentence`No standing approval covers a change of ${under}.`);
    else if (!isKeys(held) || !isKeys(next)) return never(sentence`No standing approval covers a channel whose contents are not known.`);
    else {
      const { removed, added, moved } = listDifference(held, next);
      if (removed.length > 0) return never(sentence`No standing approval covers a video that leaves a channel.`);
      if (added.length > 0) add('add_videos', added.length, sentence`videos added to ${label}`);
      if (moved.length > 0) add('reorder_videos', 1, sentence`the order of ${label}`);
    }
  }
  return { shares };
}
