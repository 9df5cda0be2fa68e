import * as z from 'zod';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { BULK_NOTICES } from './bulk-notices.ts';
import { CHANNEL_NOTICES } from './channel-notices.ts';
import { type Coverable, type FactsOf, flag, type NoticeRow, notice } from './notice.ts';
import { OTHER_NOTICES } from './other-notices.ts';

const ROWS = {
  ...CHANNEL_NOTICES,
  ...BULK_NOTICES,
  ...OTHER_NOTICES,
  /** Where what can’t be undone is to be read before the rest; `undo` of the change says it. */
  no_undo: notice({ lacksOrigin: flag.optional() }, () => sentence``, {
    mayBeCovered: 'copy',
    hints: (all) =>
      all.some(({ lacksOrigin }) => lacksOrigin)
        ? [sentence`To have it undoable, name the project where they are now as their fromProject.`]
        : [],
  }),
  /** Stands in the journal’s lines for one that is damaged, or of another version. */
  notice_unread: notice({}, () => sentence`Something more was told of this change; what was kept of that can’t be read any more.`),
};
type Rows = typeof ROWS;
export type NoticeKind = keyof Rows;

/** What a person must know of a change: its kind, with the facts that its words need. */
export type Notice = { readonly [Kind in NoticeKind]: { readonly kind: Kind } & Readonly<FactsOf<Rows[Kind]['facts']>> }[NoticeKind];
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
const rowOf = ({ kind }: Notice) => ROWS[kind] as unknown as NoticeRow<z.ZodRawShape>;

export const noticeText = (one: Notice): Sentence => rowOf(one).words(one);

/** Whether it only tells something. Any other notice warns. */
export const isFact = (one: Notice): boolean => rowOf(one).isFact === true;
export const isGravest = (one: Notice): boolean => rowOf(one).isGravest === true;

/** Whether it may be told of a change that a standing approval covers as this. Any other is of a loss, or of something that only a person can judge. */
export const mayBeCovered = (one: Notice, as: Coverable): boolean => [true, as].includes(rowOf(one).mayBeCovered ?? false);

export const noticeTexts = ({ notices, undo }: Noticed): Sentence[] =>
  notices.map((one) => (one.kind === 'no_undo' ? undo.how : noticeText(one)));

/** What warns and what only tells, as fields of an answer; one that is empty is left out. */
export function toldOut({ notices, undo }: Noticed): { readonly warnings?: Sentence[]; readonly notes?: Sentence[] } {
  const warnings = noticeTexts({ notices: notices.filter((one) => !isFact(one)), undo });
  const notes = notices.filter(isFact).map(noticeText);
  return { ...(warnings.length === 0 ? {} : { warnings }), ...(notes.length === 0 ? {} : { notes }) };
}

/** For a form: several of a kind in one sentence. */
export const briefTexts = (notices: readonly Notice[]): Sentence[] => briefs(notices).map(({ text }) => text);

/** The same, each with the notices that it tells. */
export const briefs = (notices: readonly Notice[]): { readonly text: Sentence; readonly of: readonly Notice[] }[] =>
  byKind(notices).flatMap(([{ words, brief = words, shared }, group]) =>
    shared !== undefined && group.length > 1 ? [{ text: shared(group), of: group }] : group.map((one) => ({ text: brief(one), of: [one] })),
  );

/** What an assistant can do about them. */
export const hintTexts = (notices: readonly Notice[]): Sentence[] => byKind(notices).flatMap(([{ hints }, group]) => hints?.(group) ?? []);

/** Those of each kind, with its row. */
function byKind(notices: readonly Notice[]): (readonly [ReturnType<typeof rowOf>, readonly Notice[]])[] {
  const groups = new Map<ReturnType<typeof rowOf>, Notice[]>();
  for (const one of notices) groups.set(rowOf(one), [...(groups.get(rowOf(one)) ?? []), one]);
  return [...groups];
}
