import { useCallback, useMemo, useState } from 'preact/hooks';
import type { ProjectsSaid } from '../../contract.ts';
import type { EditorRow, EditorRows } from './rows.ts';

const MAX_UNDO = 100;

/** What a person says that a channel holds: a list that is edited, which edits can be taken back, and which rows are selected. */
export interface Draft {
  readonly rows: EditorRows;
  readonly past: readonly { readonly rows: EditorRows; readonly what: string }[];
  readonly selected: ReadonlySet<EditorRow>;
  /** The row that the keyboard is at. */
  readonly active: number;
  readonly projects: ProjectsSaid;
}

type Said = Pick<Draft, 'rows' | 'projects'>;

export type Editor = ReturnType<typeof useEditor>;

/** Lists that were begun, by channel: they stay while the page is open. */
const drafts = new Map<string, Draft>();

/** The statements that were made on this page, by the change that waits. The channel is a way back to the list. */
export const statements = new Map<string, { readonly channelId: string; readonly stated: Said }>();

export const hasDraft = (channelId: string): boolean => drafts.has(channelId);

/** What was stated is recorded: the list is none that was begun any more, unless it was edited since. */
export function endDraft(changeId: string): void {
  const statement = statements.get(changeId);
  if (statement === undefined) return;
  const { channelId, stated } = statement;
  const draft = drafts.get(channelId);
  if (draft?.rows === stated.rows && draft.projects === stated.projects) drafts.delete(channelId);
}

const toText = ({ rows, projects }: Said): string => JSON.stringify([rows.map(({ key }) => key), projects]);

/** What was begun; nothing where it came to what the channel is known to hold. */
function draftOf(channelId: string, known: Said): Draft | undefined {
  const draft = drafts.get(channelId);
  if (draft === undefined || toText(draft) !== toText(known)) return draft;
  drafts.delete(channelId);
  return undefined;
}

export function useEditor(channelId: string, known: Said) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(channelId, known) ?? { ...known, past: [], selected: new Set(), active: 0 });
  const update = useCallback(
    (change: (draft: Draft) => Draft) =>
      setDraft((before) => {
        const next = change(before);
        if (next.rows !== before.rows || next.projects !== before.projects) drafts.set(channelId, next);
        return next;
      }),
    [channelId],
  );
  const { rows, selected, active, past } = draft;
  const chosen = useMemo(() => {
    const row = rows[active];
    return selected.size > 0 || row === undefined ? selected : new Set([row]);
  }, [rows, selected, active]);
  const select = (next: ReadonlySet<EditorRow>): void => update((before) => ({ ...before, selected: next }));
  return {
    ...draft,
    /** Selected rows, or else the one that the keyboard is at. */
    chosen,
    select,
    toggle(row: EditorRow): void {
      const next = new Set(selected);
      if (!next.delete(row)) next.add(row);
      select(next);
    },
    /** The next rows; `what` names the edit for the button that takes it back. */
    edit: (next: EditorRows, what: string, at?: number): void =>
      update((before) => ({
        ...before,
        rows: next,
        past: [...before.past, { rows: before.rows, what }].slice(-MAX_UNDO),
        selected: new Set([...before.selected].filter((row) => next.includes(row))),
        active: within(at ?? before.active, next),
      })),
    activate: (index: number): void => update((before) => ({ ...before, active: within(index, before.rows) })),
    sayProjects: (next: ProjectsSaid): void => update((before) => ({ ...before, projects: next })),
    /** Returns what was taken back. */
    undo(): string | undefined {
      const last = past.at(-1);
      if (last === undefined) return undefined;
      update((before) => ({ ...before, rows: last.rows, past: before.past.slice(0, -1), active: within(before.active, last.rows) }));
      return last.what;
    },
  };
}

const within = (index: number, rows: EditorRows): number => Math.max(0, Math.min(rows.length - 1, index));
