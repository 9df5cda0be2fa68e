import * as z from 'zod';
import { stableJson } from '../../platform/stable-json.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { type Coverable, flag, type NoticeFactsOf, type NoticeRow, notice, WEIGHTS, type Weight } from '../plan/notice.ts';
import { BULK_NOTICES } from './bulk-notices.ts';
import { CHANNEL_NOTICES } from './channel-notices.ts';
import { EARLIER_CHANNEL_NOTICES } from './earlier-channel-notices.ts';
import { OTHER_NOTICES } from './other-notices.ts';
import { STATED_NOTICES } from './stated-notices.ts';

const ROWS = {
  ...CHANNEL_NOTICES,
  ...STATED_NOTICES,
  ...EARLIER_CHANNEL_NOTICES,
  ...BULK_NOTICES,
  ...OTHER_NOTICES,
  /** Where what can’t be undone is to be read before the rest; `undo` of the change says it. */
  no_undo: notice('final', { lacksOrigin: flag.optional() }, () => sentence``, {
    summed: () => sentence`no undo`,
    mayBeCovered: 'copy',
    hints: (all) =>
      all.some(({ lacksOrigin }) => lacksOrigin)
        ? [sentence`To have it undoable, name the project where they are now as their fromProject.`]
        : [],
  }),
  /** Stands in the journal’s lines for one that is damaged, or of another version. */
  notice_unread: notice(
    'caution',
    {},
    () => sentence`Something more was told of this change; what was kept of that can’t be read any more.`,
  ),
};
type Rows = typeof ROWS;
export type NoticeKind = keyof Rows;

/** What a person must know of a change: its kind, with the facts that its words need. */
export type Notice = { readonly [Kind in NoticeKind]: { readonly kind: Kind } & Readonly<NoticeFactsOf<Rows[Kind]['facts']>> }[NoticeKind];
export type NoticeOf<Kind extends NoticeKind> = Extract<Notice, { kind: Kind }>;

// Each kind with its own facts; that the union of them is `Notice` is beyond what the types of a list can say. Made when first
// needed, as are the other large schemas of the journal: most first calls read nothing of it.
const WholeSchema = z.lazy(() =>
  z.discriminatedUnion(
    'kind',
    Object.entries(ROWS).map(([kind, { facts }]) => z.object({ kind: z.literal(kind), ...facts })) as unknown as [
      z.ZodObject<{ kind: z.ZodLiteral }>,
    ],
  ),
) as unknown as z.ZodType<Notice>;

/** As the journal keeps it: what can’t be read of one hides neither its change nor the others. */
export const NoticeSchema = WholeSchema.catch({ kind: 'notice_unread' });

/** A change, as far as its notices are told. */
export interface Noticed {
  readonly notices: readonly Notice[];
  readonly undo: { readonly how: Sentence };
}

export const isNotice =
  <Kind extends NoticeKind>(...kinds: readonly Kind[]) =>
  (one: Notice): one is NoticeOf<Kind> =>
    kinds.some((kind) => kind === one.kind);

// A row is given the facts of its own kind alone.
const noticeRow = ({ kind }: Notice) => ROWS[kind] as unknown as NoticeRow<z.ZodRawShape>;

export const noticeText = (one: Notice): Sentence => noticeRow(one).words(one);

const weightOf = (one: Notice): Weight => noticeRow(one).weight;

/** The heaviest first; those of one weight as they were found. */
export const byWeight = (notices: readonly Notice[]): Notice[] =>
  notices.toSorted((one, other) => WEIGHTS.indexOf(weightOf(one)) - WEIGHTS.indexOf(weightOf(other)));

/** Whether a phrase weighs at least so much. */
const weighs =
  (least: Weight) =>
  ({ weight }: Pick<Phrase, 'weight'>): boolean =>
    WEIGHTS.indexOf(weight) <= WEIGHTS.indexOf(least);

/** Whether a notice does. */
export const isAtLeast =
  (least: Weight) =>
  (one: Notice): boolean =>
    weighs(least)(noticeRow(one));

/** Whether it may be told of a change that a standing approval covers as this. Any other is of a loss, or of something that only a person can judge. */
export const mayBeCovered = (one: Notice, as: Coverable): boolean => [true, as].includes(noticeRow(one).mayBeCovered ?? false);

/** Whether it tells that something is left alone that was asked for. */
export const leavesAlone = (one: Notice): boolean => noticeRow(one).leavesAlone === true;

/** Each by itself. */
export const noticeTexts = (noticed: Noticed): Sentence[] => textOfEach(phrases(noticed, 'each'));

/** What a person must know of a change, in a sentence. */
export interface Phrase {
  readonly weight: Weight;
  readonly text: Sentence;
  /** What it tells. */
  readonly of: readonly Notice[];
}

/** The notices of a change as the journal keeps them: of those that say whether they were told, with a mark on each that the form had no room for. */
export function asToldInForm(notices: readonly Notice[], untold: readonly Notice[]): Notice[] {
  const left = new Set(untold.map((one) => stableJson(one)));
  return notices.map((one) => ('isUntold' in noticeRow(one).facts && left.has(stableJson(one)) ? { ...one, isUntold: true } : one));
}

/** So many of a kind are told each by itself, where there is room. */
const MAX_EACH = 3;

/**
 * What a person must know of a change, the heaviest first. `each`: all of it, one by one. `long`: what is the same of many records is told once,
 * with the worst by name. `short`: what is the same of several is told once, in numbers.
 */
export function phrases({ notices, undo }: Noticed, how: 'each' | 'long' | 'short' = 'long'): Phrase[] {
  const most = { each: Number.POSITIVE_INFINITY, long: MAX_EACH, short: 1 }[how];
  return byKind(byWeight(notices)).flatMap(([{ weight, words, brief = words, shared, size }, group]): Phrase[] => {
    if (how !== 'each' && shared !== undefined && group.length > most) {
      const worstFirst = size === undefined ? group : group.toSorted((one, other) => size(other) - size(one));
      return [{ weight, text: shared(worstFirst, how), of: group }];
    }
    const wordsOf = how === 'short' ? brief : words;
    return group.map((one) => ({ weight, text: one.kind === 'no_undo' ? undo.how : wordsOf(one), of: [one] }));
  });
}

export const isFact = ({ weight }: Pick<Phrase, 'weight'>): boolean => weight === 'fact';

/** What a layout has room for, with those that weigh so much that it never leaves them out; `left`: how many it leaves out. */
export function roomFor(
  warnings: readonly Phrase[],
  max: number,
  never?: Weight,
): { readonly shown: readonly Phrase[]; readonly left: readonly Sentence[] } {
  const isHeavy = never === undefined ? () => false : weighs(never);
  const shown = warnings.filter((one, index) => index < max || isHeavy(one));
  return { shown, left: moreWarnings(warnings.length - shown.length, shown.length) };
}

/** How many warnings a layout leaves out beside those that it shows, in words; nothing where that is none. */
export const moreWarnings = (left: number, shown: number): readonly Sentence[] =>
  left === 0 ? [] : [counted(left, shown > 0 ? 'more warning' : 'warning')];

const textOfEach = (told: readonly Phrase[]): Sentence[] => told.map(({ text }) => text);

/** What warns and what only tells, as fields of an answer; one that is empty is left out. */
export function toldOut(noticed: Noticed, how?: 'each' | 'long'): { readonly warnings?: Sentence[]; readonly notes?: Sentence[] } {
  const all = phrases(noticed, how);
  const [warnings, notes] = [all.filter((one) => !isFact(one)), all.filter(isFact)].map(textOfEach);
  return { ...(warnings?.length ? { warnings } : {}), ...(notes?.length ? { notes } : {}) };
}

/** In few words: several of a kind in one sentence. */
export const shortTexts = (notices: readonly Notice[]): Sentence[] => textOfEach(phrases({ notices, undo: { how: sentence`` } }, 'short'));

/** What weighs most, in so few words that a summary has room for it: the heaviest first. */
export const heaviest = (notices: readonly Notice[]): Phrase[] =>
  byKind(byWeight(notices)).flatMap(([{ weight, summed }, group]) =>
    summed === undefined ? [] : [{ weight, text: summed(group), of: group }],
  );

/** What an assistant can do about them. */
export const hintTexts = (notices: readonly Notice[]): Sentence[] => byKind(notices).flatMap(([{ hints }, group]) => hints?.(group) ?? []);

/** Those of each kind, with its row. */
function byKind(notices: readonly Notice[]): (readonly [ReturnType<typeof noticeRow>, readonly Notice[]])[] {
  const groups = new Map<ReturnType<typeof noticeRow>, Notice[]>();
  for (const one of notices) groups.set(noticeRow(one), [...(groups.get(noticeRow(one)) ?? []), one]);
  return [...groups];
}
