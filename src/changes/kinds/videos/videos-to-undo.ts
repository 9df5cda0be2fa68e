import { throwProblems } from '../../../errors/field-problems.ts';
import type { FieldProblem } from '../../../errors.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { listText } from '../../plan/list-text.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import type { VideosToUndo } from '../kind.ts';
import { type CollectedIds, collectIds } from './collect-ids.ts';

const MAX_SHOWN = 20;

/** The videos that a caller names; undefined where none are named, which stands for all. */
export async function videosNamed(
  { videoIds, videoIdsFile }: VideosToUndo,
  { catalogue, filesDirs }: FileDeps,
  signal: AbortSignal,
): Promise<CollectedIds | undefined> {
  if (videoIds === undefined && videoIdsFile === undefined) return undefined;
  return collectIds({
    listField: sentence`videoIds`,
    fileField: sentence`videoIdsFile`,
    list: videoIds,
    file: videoIdsFile,
    filesDirs,
    catalogue: await catalogue(),
    signal,
  });
}

/** The move that is undone. */
interface UndoneMove {
  readonly changeId: string;
  readonly ids: readonly string[];
  /** Whether the id at an index was moved, or may have been, and can be moved back. */
  readonly canGoBack: (index: number) => boolean;
}

/** The indexes of the ids that are named. Throws `invalid_arguments` with all that the move did not name, or that it left where they were. */
export function indexesNamed(
  named: readonly string[],
  { changeId, ids, canGoBack }: UndoneMove,
  { videoIds }: VideosToUndo,
): ReadonlySet<number> {
  const field = videoIds === undefined ? sentence`videoIdsFile` : sentence`videoIds`;
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const missing = named.filter((id) => !indexes.has(id));
  const found = named.flatMap((id) => indexes.get(id) ?? []);
  const stayed = found.filter((index) => !canGoBack(index)).map((index) => ids[index] ?? '');
  const problem = (about: readonly string[], one: Sentence, many: Sentence): FieldProblem[] =>
    about.length === 0 ? [] : [{ field, problem: sentence`${listText(about, MAX_SHOWN)} ${about.length === 1 ? one : many}` }];
  throwProblems([
    ...problem(missing, sentence`is not in ${word(changeId)}.`, sentence`are not in ${word(changeId)}.`),
    ...problem(
      stayed,
      sentence`is in ${word(changeId)}, but it was not moved there, or no other project is known for it.`,
      sentence`are in ${word(changeId)}, but they were not moved there, or no other project is known for them.`,
    ),
  ]);
  return new Set(found);
}
