import { CHANNEL_TRAITS } from './channels.ts';
import { EMAIL_TRAITS } from './emails.ts';
import type { KindTraits } from './kind-traits.ts';
import { PROJECT_TRAITS } from './projects.ts';
import { UNDO_TRAITS } from './undo.ts';
import { COPY, MOVE, VIDEO_TRAITS } from './videos.ts';

const ALL_TRAITS = { ...CHANNEL_TRAITS, ...UNDO_TRAITS, ...PROJECT_TRAITS, ...VIDEO_TRAITS, ...EMAIL_TRAITS };

export type ChangeKind = keyof typeof ALL_TRAITS;
/** Those whose traits have this. */
export type KindWith<Trait> = { [Kind in ChangeKind]: (typeof ALL_TRAITS)[Kind] extends Trait ? Kind : never }[ChangeKind];
type HasMany = Required<Pick<KindTraits, 'ofMany'>>;
/** Those that can change many ids. */
export type BulkKind = KindWith<HasMany>;
/** The schema of what the journal keeps of it besides its records. */
export type FactsSchema<Kind extends ChangeKind> = (typeof ALL_TRAITS)[Kind]['facts'];
/** Those that move videos. */
export type MoveKind = KindWith<{ readonly ofMany: typeof MOVE }>;

/** The traits of each kind of change, by its name. */
export const TRAITS: Readonly<Record<ChangeKind, KindTraits> & Record<BulkKind, HasMany>> = ALL_TRAITS;
export const CHANGE_KINDS = Object.keys(TRAITS) as readonly ChangeKind[]; // its keys

export const isKind = (name: string): name is ChangeKind => Object.hasOwn(TRAITS, name);

/** What is counted of a change: of one of many ids videos, whatever the records of its kind are. */
export const countedIn = (kind: ChangeKind, isOfMany: boolean): KindTraits['record'] => (isOfMany ? 'video' : TRAITS[kind].record);

export const kindsWith = (isWanted: (traits: KindTraits) => boolean): readonly ChangeKind[] =>
  CHANGE_KINDS.filter((kind) => isWanted(TRAITS[kind]));

/** Those that do something to channels that exist. */
export const OF_CHANNELS = kindsWith(({ channels }) => channels !== undefined);
export const MOVES = kindsWith(({ ofMany }) => ofMany === MOVE);
export const COPIES = kindsWith(({ ofMany }) => ofMany === COPY);
export const BULK_KINDS = kindsWith(({ ofMany }) => ofMany !== undefined) as readonly BulkKind[]; // by what defines them
export const UNDOS = kindsWith(({ facts }) => 'undoes' in facts.shape);
