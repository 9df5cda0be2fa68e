import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { isNotSent, isPossiblyApplied } from '../journal/bulk-state.ts';
import { copyIn } from '../journal/facts.ts';
import { digestOfIds } from '../journal/id-files.ts';
import type { Journal } from '../journal/journal.ts';
import { COPIES } from '../kinds.ts';
import { listText } from '../list-text.ts';
import type { Notice } from '../notices/notices.ts';

/** What this server's history has of other copies of a source onto the same videos. */
export interface EarlierCopies {
  readonly doubles: readonly Notice[];
  /** A line that there was none. */
  readonly history: readonly Sentence[];
  /** For the basis of the plan, so that a copy that was begun after the preview is noticed. */
  readonly copiedBefore: Values;
}

/** Which of the ids got CTAs of the source, may have got them, or are about to. */
export async function earlierCopies(source: string, ids: readonly string[], journal: Journal): Promise<EarlierCopies> {
  const wanted = new Set(ids);
  const found = new Set<string>();
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
    const again = earlier.filter((id, index) => wanted.has(id) && mayHaveIt(index));
    if (again.length > 0) last ??= { changeId, isRunning };
    for (const id of again) found.add(id);
  }
  unread.push(...(await journal.unreadableBulk()));
  const lost = [
    ...(ontoSource === undefined ? [] : [{ kind: 'source_got_copies', last: ontoSource } as const]),
    ...(unread.length === 0 ? [] : [{ kind: 'copies_unread', which: listText(unread) } as const]),
  ];
  const before = { unread, ...definedFields({ ontoSource }) };
  if (last === undefined) {
    const history = unread.length > 0 ? [] : [sentence`No earlier copy of this source onto them is in this server’s history.`];
    return { doubles: lost, history, copiedBefore: before };
  }
  const copied = { count: found.size, total: ids.length, which: listText([...found], 3) };
  return {
    doubles: [{ kind: 'copied_before', ...copied, last: last.changeId, isRunning: last.isRunning }, ...lost],
    history: [],
    copiedBefore: { ...before, last: last.changeId, digest: digestOfIds(ids.filter((id) => found.has(id))) },
  };
}
