import { type Sentence, sentence } from '../text/sentence.ts';
import type { ChangeKind } from './kinds/traits.ts';
import type { Coverable } from './notices/notice.ts';

/** What each kind of change does. `resume-change.ts`, `look-again.ts`, `undo.ts`, `undoable.ts` and the others that act by a column have a case for each of its words. */

export interface KindRow {
  /** As what it is undone, or why it can’t be. `either`: by what it did itself. */
  readonly undo: 'channels' | 'moves' | 'either' | { readonly no: Sentence };
  /** How the rest of one that stopped is planned; a change of many ids is always carried on by its ids. */
  readonly resume: 'channels' | 'creation' | 'ids' | 'no';
  /** Whether `retryFailed` sends again what the service refused of it, or why not and what to do. */
  readonly retry: 'possible' | { readonly no: Sentence; readonly hint: Sentence };
  /** Where what is not known of it is looked for. */
  readonly lookAgain: 'channels' | 'new-records' | 'no';
  /** What of it a standing approval can cover, or why nothing of it. */
  readonly standing: Coverable | { readonly never: Sentence };
}

/** What can be done about so many of which nobody knows what became of them, by where that is looked for. */
export const NEXT_OF_UNKNOWN: Readonly<Record<KindRow['lookAgain'], (count: number) => readonly Sentence[]>> = {
  channels: (count) => [
    sentence`resume_change looks first at the ${count} not known, and sends only what is certainly not done or unchanged.`,
  ],
  'new-records': () => [sentence`What may have been created is not sent again by itself: look as its reason says.`],
  no: () => [],
};

const UPDATE = { undo: 'channels', resume: 'channels', retry: 'possible', lookAgain: 'channels' } satisfies Partial<KindRow>;
const CREATION = {
  retry: {
    no: sentence`What the service refused to create has to be corrected, and asked for anew.`,
    hint: sentence`See get_change for why it was refused. Without retryFailed, resume_change creates what was not sent.`,
  },
  lookAgain: 'new-records',
} satisfies Partial<KindRow>;
const BY_IDS = { resume: 'ids', lookAgain: 'no' } satisfies Partial<KindRow>;
const LOCAL = {
  resume: 'no',
  retry: { no: sentence`Nothing of it is sent to the service.`, hint: sentence`Call the same tool anew.` },
  lookAgain: 'no',
} satisfies Partial<KindRow>;

const EMAILS: KindRow = {
  ...LOCAL,
  undo: { no: sentence`Nothing in the account changes; what is given out can’t be taken back.` },
  standing: { never: sentence`No standing approval covers personal data.` },
};

export const KINDS: Readonly<Record<ChangeKind, KindRow>> = {
  update_channels: { ...UPDATE, standing: 'records' },
  undo_change: { ...UPDATE, undo: 'either', standing: 'undo' },
  create_channels: {
    ...CREATION,
    undo: {
      no: sentence`A channel can’t be deleted through this API, so this can’t be undone. It can be renamed, and what it holds replaced.`,
    },
    resume: 'creation',
    standing: { never: sentence`No standing approval covers a new channel.` },
  },
  create_project: {
    ...CREATION,
    undo: { no: sentence`A project can’t be deleted through this API, so this can’t be undone.` },
    resume: 'no',
    standing: { never: sentence`No standing approval covers a new project.` },
  },
  move_videos: { ...BY_IDS, undo: 'moves', retry: 'possible', standing: 'move' },
  copy_cta: {
    ...BY_IDS,
    retry: {
      no: sentence`A copy is not known to be harmless when it is sent twice. What of this one is in doubt is never sent again by itself.`,
      hint: sentence`Look at the CTAs of those that failed or are in doubt in the dashboard, then name those without them in a new copy_cta; its notDoneFile, given as targetVideoIdsFile, stands for those that failed.`,
    },
    undo: { no: sentence`Copied CTAs can’t be taken away again through this API, so this can’t be undone.` },
    standing: 'copy',
  },
  state_contents: {
    ...LOCAL,
    undo: { no: sentence`Nothing in the account changes. A statement ends when somebody else changes the channel, or with another one.` },
    standing: { never: sentence`No standing approval covers a statement of what channels hold.` },
  },
  export_emails: EMAILS,
  show_emails: EMAILS,
};

/** How a change is undone. */
export type UndoWay = Exclude<KindRow['undo'], 'either' | object>;

/** Of a change that has a list of ids, or none. */
export function undoWayOf(kind: ChangeKind, hasIds: boolean): UndoWay | { readonly no: Sentence } {
  const { undo } = KINDS[kind];
  if (undo !== 'either') return undo;
  return hasIds ? 'moves' : 'channels';
}
