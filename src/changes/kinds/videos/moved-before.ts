import type { Values } from '../../../platform/is-object.ts';
import { longPiece } from '../../../platform/long-work.ts';
import { DAY_MS } from '../../../platform/time-units.ts';
import { type BegunAt, idAt, isBegunAfter } from '../../journal/change-order.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Notice } from '../../notices/notices.ts';
import type { ProjectShare } from '../../plan/facts.ts';
import { digestOfIds } from '../../plan/id-files.ts';
import { MOVES } from '../../plan/traits/index.ts';
import { movesOf, targetsIn } from './later-moves.ts';
import { countsOf, type Origins } from './origins.ts';

/** Where the videos of a move come from, as the caller says and as far as this server's own moves don't contradict it. */
export interface KnownOrigins {
  readonly origins: Origins;
  /** How many this server moved into the target already, of those that the caller says an origin of. */
  readonly movedThere: number;
  readonly notices: readonly Notice[];
  /** By which a plan differs once others were moved; undefined where none were. */
  readonly basis: Values | undefined;
}

/** A move by this server, or the part of one that goes into one project. */
interface LastMove extends BegunAt {
  readonly isRunning: boolean;
  readonly into: ProjectShare;
}

/** By the index of its id, the last move of a video. */
type LastMoves = (index: number) => LastMove | undefined;

/**
 * Longer than a change waits for a person. Of what was moved before, the caller's word counts: others move videos too, and the
 * history of years would be read at each plan.
 */
const LOOKED_BACK_MS = 8 * DAY_MS;

/** How exactly file systems keep times, at worst. */
const FILE_TIME_MS = 2_000;

/** Where the moves by this server in the last days put the videos; undefined of one of which that is not known, or that it did not move. */
async function lastMoves(ids: readonly string[], journal: Journal): Promise<LastMoves> {
  const sinceMs = Date.now() - LOOKED_BACK_MS;
  const since = { changeId: idAt(sinceMs), at: new Date(sinceMs).toISOString() };
  /** By the index of an id: by when the last move had it, the number of that move from 1, and whether it moved it without doubt. */
  const [times, numbers, sure] = [new Float64Array(ids.length), new Uint32Array(ids.length), new Uint8Array(ids.length)];
  const moves: LastMove[] = [];
  let indexes: ReadonlyMap<string, number> | undefined;
  const indexOf = (id: string): number | undefined => {
    indexes ??= new Map(ids.map((id, index) => [id, index]));
    return indexes.get(id);
  };
  /** Whether a change may have moved it after the last move that is found by now. */
  const isWanted = (id: string, touchedMs: number): boolean => {
    const ms = times[indexOf(id) ?? ids.length];
    return ms !== undefined && ms <= touchedMs + FILE_TIME_MS;
  };
  for await (const record of journal.eachSince(MOVES, since, undefined, isWanted)) {
    const { changeId, at, facts } = record.intent;
    const [movedBy, targetAt] = [movesOf(record, since), targetsIn(facts)];
    // Of a list that can’t be read, what the caller says is taken as said, as ever.
    const moved = await journal.readIds(changeId).catch(() => []);
    await longPiece(moved.length);
    for (const [position, id] of moved.entries()) {
      const index = indexOf(id);
      if (index === undefined) continue;
      const [ms = 0, lastMs = 0, into] = [movedBy(position), times[index], targetAt(position)];
      const before = moves[(numbers[index] ?? 0) - 1];
      const isLater = ms > lastMs || (ms === lastMs && before !== undefined && isBegunAfter({ changeId, at }, before));
      if (into === undefined || !isLater) continue;
      const last = moves.at(-1);
      if (last?.changeId !== changeId || last.into.id !== into.id)
        moves.push({ changeId, at, isRunning: record.status === 'running', into });
      times[index] = ms;
      numbers[index] = moves.length;
      sure[index] = record.bulk?.statusAt(position) === 'done' ? 1 : 0;
    }
  }
  return (index) => (sure[index] === 1 ? moves[(numbers[index] ?? 0) - 1] : undefined);
}

/**
 * Compares where the videos come from by the caller's word with where this server moved them last. What it moved into the target comes
 * from there; what it moved elsewhere than the caller says comes from a project that is not known, so that no undo takes it to a wrong one.
 */
export async function checkOrigins(said: Origins, ids: readonly string[], target: ProjectShare, journal: Journal): Promise<KnownOrigins> {
  const moveOf = await lastMoves(ids, journal);
  await longPiece(ids.length);
  const numbers = said.rows?.projects ?? new Uint16Array(ids.length).fill(said.projects.length === 0 ? 0 : 1);
  const saidAt = (index: number) => said.projects[(numbers[index] ?? 0) - 1]?.id;
  const [there, elsewhere]: [number[], number[]] = [[], []];
  for (const index of ids.keys()) {
    const into = moveOf(index)?.into.id;
    if (into === undefined) continue;
    if (into === target.id) there.push(index);
    else if (saidAt(index) !== undefined && saidAt(index) !== into) elsewhere.push(index);
  }
  if (there.length + elsewhere.length === 0) return { origins: said, movedThere: 0, notices: [], basis: undefined };
  const comeFromThere = there.filter((index) => saidAt(index) !== undefined);
  const factsOf = (indexes: readonly number[]) => ({ ...sumOf(indexes, moveOf), total: ids.length });
  const digestAt = (indexes: readonly number[]) => digestOfIds(indexes.map((index) => ids[index] ?? ''));
  return {
    origins: comeFromThere.length + elsewhere.length === 0 ? said : corrected(said, numbers, target, { comeFromThere, elsewhere }),
    movedThere: comeFromThere.length,
    notices: [
      ...(there.length === 0 ? [] : [{ kind: 'in_target_since', ...factsOf(there), hasUndo: said.projects.length > 0 } as const]),
      ...(elsewhere.length === 0 ? [] : [{ kind: 'moved_elsewhere', ...factsOf(elsewhere) } as const]),
    ],
    basis: { movedBefore: [digestAt(there), digestAt(elsewhere)] },
  };
}

/** Of some videos: how many they are, where they were moved, and by what. */
function sumOf(indexes: readonly number[], moveOf: LastMoves) {
  const moves = [...new Set(indexes.flatMap((index) => moveOf(index) ?? []))];
  const last = moves.toSorted((one, other) => (isBegunAfter(one, other) ? -1 : 1))[0]?.changeId ?? '';
  const labels = new Map(moves.map(({ into }) => [into.id, into.label]));
  const [label] = labels.size === 1 ? labels.values() : [];
  return {
    videos: indexes.length,
    ...(label === undefined ? {} : { label }),
    last,
    changes: new Set(moves.map(({ changeId }) => changeId)).size,
    isRunning: moves.some(({ isRunning }) => isRunning),
  };
}

/** With the target for those that come from there, and no project for those that were moved elsewhere. */
function corrected(
  said: Origins,
  before: Uint16Array,
  target: ProjectShare,
  { comeFromThere, elsewhere }: { readonly comeFromThere: readonly number[]; readonly elsewhere: readonly number[] },
): Origins {
  const projects = said.projects.some(({ id }) => id === target.id) ? said.projects : [...said.projects, target];
  const targetNumber = projects.findIndex(({ id }) => id === target.id) + 1;
  const numbers = Uint16Array.from(before);
  for (const index of comeFromThere) numbers[index] = targetNumber;
  for (const index of elsewhere) numbers[index] = 0;
  const counts = countsOf(numbers, projects.length, numbers.length, 0);
  return {
    ...said,
    rows: { positions: said.rows?.positions ?? new Uint32Array(numbers.length), projects: numbers },
    projects: projects.map(({ id, label }, index) => ({ id, label, count: counts[index + 1] ?? 0 })),
    unnamed: counts[0] ?? 0,
  };
}
