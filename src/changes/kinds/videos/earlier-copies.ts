import { definedFields } from '../../../platform/defined-fields.ts';
import type { Values } from '../../../platform/is-object.ts';
import { isNotSent, isPossiblyApplied } from '../../journal/bulk-state.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Notice } from '../../notices/notices.ts';
import { copyIn } from '../../plan/facts.ts';
import { digestOfIds } from '../../plan/id-files.ts';
import { listText } from '../../plan/list-text.ts';
import { COPIES } from '../../plan/traits/index.ts';

/** What this server's history has of other copies of a source onto the same videos. */
export interface EarlierCopies {
  readonly doubles: readonly Notice[];
  /** By which other copy each of the ids got them, or may have got them: the newest. */
  readonly copiedBy: ReadonlyMap<string, string>;
  /** For the basis of the plan, so that a copy that was begun after the preview is noticed. */
  readonly copiedBefore: Values;
}

/** Which of the ids got CTAs of the source, may have got them, or are about to. */
export async function earlierCopies(source: string, ids: readonly string[], journal: Journal): Promise<EarlierCopies> {
  const wanted = new Set(ids);
  const copiedBy = new Map<string, string>();
  /** Those that have them for certain. */
  const done = new Set<string>();
  const unread: string[] = [];
  let last: { readonly changeId: string; readonly isRunning: boolean } | undefined;
  /** The newest copy onto the source itself. */
  let ontoSource: string | undefined;
  for await (const { intent, bulk, status } of journal.each(COPIES)) {
    if (bulk === undefined) continue;
    const { changeId } = intent;
    const isRunning = status === 'running';
    const earlier: readonly string[] = await journal.readIds(changeId).catch(() => []);
    if (earlier.length !== intent.ids) unread.push(changeId);
    const mayHaveIt = (index: number): boolean => {
      const is = bulk.statusAt(index);
      return is === 'done' || isPossiblyApplied(is) || (isRunning && isNotSent(is));
    };
    if (copyIn(intent.facts)?.source !== source) {
      const index = earlier.indexOf(source);
      if (index >= 0 && mayHaveIt(index)) ontoSource ??= changeId;
      continue;
    }
    for (const [index, id] of earlier.entries()) {
      if (!wanted.has(id) || !mayHaveIt(index)) continue;
      last ??= { changeId, isRunning };
      if (!copiedBy.has(id)) copiedBy.set(id, changeId);
      if (bulk.statusAt(index) === 'done') done.add(id);
    }
  }
  unread.push(...(await journal.unreadableBulk()));
  const lost = [
    ...(ontoSource === undefined ? [] : [{ kind: 'source_got_copies', last: ontoSource } as const]),
    ...(unread.length === 0 ? [] : [{ kind: 'copies_unread', which: listText(unread) } as const]),
  ];
  const before = { unread, ...definedFields({ ontoSource }) };
  if (last === undefined) {
    const none = unread.length > 0 ? [] : [{ kind: 'no_earlier_copy' } as const];
    return { doubles: [...lost, ...none], copiedBy, copiedBefore: before };
  }
  const copied = { count: copiedBy.size, done: done.size, total: ids.length, which: listText([...copiedBy.keys()], 3) };
  return {
    doubles: [{ kind: 'copied_before', ...copied, last: last.changeId, isRunning: last.isRunning }, ...lost],
    copiedBy,
    copiedBefore: { ...before, last: last.changeId, digest: digestOfIds(ids.filter((id) => copiedBy.has(id))) },
  };
}
