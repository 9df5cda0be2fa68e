import { shownName } from '../../account/references.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { copyIn, moveIn, undoneIn } from '../journal/facts.ts';
import { CHANNEL_FIELDS, FIELDS, isKeys, isSameValue } from '../kinds/channels/fields.ts';
import { KINDS } from '../kinds.ts';
import { listDifference } from '../list-difference.ts';
import type { Coverable } from '../notices/notice.ts';
import { byWeight, isNotice, mayBeCovered, type Notice, noticeTexts } from '../notices/notices.ts';
import type { ChangePlan, PlannedItem } from '../plan.ts';
import type { Rule, RuleKind } from './rules.ts';

/** One part of a plan, which falls under one kind of rule. */
export interface Share {
  readonly rule: RuleKind;
  /** Videos, channels or changes. */
  readonly units: number;
  /** The record that it changes, of a plan of records. */
  readonly item?: string;
  /** Of a bulk change. */
  readonly ids?: readonly string[];
  /** Whether a rule of that kind is about it, its list of ids aside. */
  readonly isUnder: (rule: Rule) => boolean;
  readonly words: Sentence;
  /** The names that its records have now, by id, where they are known. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The parts of a plan, or why no standing approval can cover it, and what the call lacks where it could with other arguments. */
export type Shares = { readonly shares: readonly Share[] } | { readonly never: Sentence; readonly lacks?: Lacking };

interface Lacking {
  /** The parts of the plan that was meant. */
  readonly shares: readonly Share[];
  /** The argument by its name, for a call that is covered where these are. */
  readonly words: Sentence;
}

const never = (words: Sentence, lacks?: Lacking) => ({ never: words, ...definedFields({ lacks }) });

/** `notOwn`: of an undo, why it is none of what the agent did itself. */
export function sharesOf(plan: ChangePlan, notOwn: Sentence | undefined): Shares {
  const coverable = KINDS[plan.kind].standing;
  if (typeof coverable === 'object') return coverable;
  if (plan.resumes !== undefined) return never(sentence`No standing approval covers carrying a change on.`);
  const blocking = byWeight(plan.preview.notices.filter((notice) => !mayBeCovered(notice, coverable)));
  const [first] = blocking;
  const found = PARTS[coverable](plan, notOwn);
  if ('never' in found) return first === undefined && isUndoable(plan) ? found : never(found.never);
  if (first === undefined)
    return isUndoable(plan) ? found : never(sentence`No standing approval covers what can’t all be undone. ${plan.preview.undo.how}`);
  const words = coverable === 'move' ? lackingOrigin(blocking) : undefined;
  const lacks = words && { ...found, words };
  if (coverable === 'move' && isOriginUnsaid(first))
    return never(sentence`No standing approval covers a move of videos of which it was not said where all of them are now.`, lacks);
  const warning = joined(noticeTexts({ notices: [first], undo: plan.preview.undo }));
  return never(sentence`No standing approval covers a change with this warning: ${warning}`, lacks);
}

const isOriginUnsaid = isNotice('no_undo', 'origin_not_named', 'origin_column');
const isOriginOther = isNotice('moved_elsewhere');

/** What a move lacks that is not covered only for what it says, or does not say, of where its videos are; undefined of any other. */
function lackingOrigin(blocking: readonly Notice[]): Sentence | undefined {
  if (!blocking.every((notice) => isOriginUnsaid(notice) || isOriginOther(notice))) return undefined;
  const columns = blocking.filter(isNotice('origin_column')).filter(({ blank }) => blank === 0);
  if (columns.length > 0) {
    const named = joined(
      columns.map(({ column }) => column),
      ' or ',
    );
    return sentence`With fromProjectColumn ${named} it would be covered. If that column says where they are now, make the call again with it.`;
  }
  if (blocking.some(isOriginOther))
    return sentence`With the project where they are now as their fromProject it would be covered. If it is that one, make the call again with it.`;
  return sentence`With the project where each of them is now as its fromProject it would be covered. If it is known, and not guessed, make the call again with it.`;
}

/** Of a move, videos that are in their target already need no way back; a copy never has one, as its rule says. */
function isUndoable({ facts, preview, ...plan }: ChangePlan): boolean {
  const { possible } = preview.undo;
  if ('items' in plan) return possible === 'yes';
  return possible !== 'partly' && moveIn(facts)?.fromProjects.length !== 0;
}

const PARTS: Readonly<Record<Coverable, (plan: ChangePlan, notOwn: Sentence | undefined) => Shares>> = {
  records: (plan) => ('items' in plan ? ofRecords(plan.items) : never(sentence`No standing approval covers this.`)),
  move: (plan) => {
    const targets = moveIn(plan.facts)?.targetProjects ?? [];
    const labels = targets.map(({ label }) => label);
    const names = new Map(targets.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
    const ids = targets.map(({ id }) => id);
    const isUnder = (rule: Rule) => rule.kind === 'move_videos' && areNamed(ids, rule.to);
    return ofIds(plan, { rule: 'move_videos', isUnder, words: sentence`a move into ${joined(labels, ', ')}`, names });
  },
  copy: (plan) => {
    const source = copyIn(plan.facts)?.source ?? '';
    const isUnder = (rule: Rule) => rule.kind === 'copy_cta' && areNamed([source], rule.from);
    return ofIds(plan, { rule: 'copy_cta', isUnder, words: sentence`a copy of the CTAs of ${word(source)}` });
  },
  undo: (plan, notOwn) => {
    const undone = undoneIn(plan.facts);
    if (notOwn !== undefined) return never(notOwn);
    const own: Share = {
      rule: 'undo_own',
      units: undone.length,
      isUnder: ({ kind }) => kind === 'undo_own',
      words: sentence`the undo of its own changes`,
    };
    // Where its videos came from was the agent's own word: so a rule for moves must let them go there.
    const back = moveIn(plan.facts) === undefined ? { shares: [] } : PARTS.move(plan, notOwn);
    return 'never' in back ? back : { shares: [own, ...back.shares] };
  },
};

const areNamed = (ids: readonly string[], refs: readonly { readonly id: string }[]): boolean =>
  ids.every((id) => refs.some((ref) => ref.id === id));

function ofIds(plan: ChangePlan, share: Omit<Share, 'units' | 'ids'>): Shares {
  const ids = 'ids' in plan ? (plan.open ?? plan.ids) : [];
  return { shares: [{ ...share, units: ids.length, ids }] };
}

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
