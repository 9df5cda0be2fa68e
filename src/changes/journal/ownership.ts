import { isAlive, isOfThisMachine, type ProcessInfo } from '../../platform/process-liveness.ts';

/** The changes that this process writes the journal of now, whichever of its servers does, each by its writers. */
const writtenHere = new Map<string, Set<symbol>>();

/** Notes that this process carries a change out, until what is returned is called. */
export function noteWriting(changeId: string): () => void {
  const writer = Symbol(changeId);
  const writers = writtenHere.get(changeId) ?? new Set();
  writtenHere.set(changeId, writers.add(writer));
  return () => {
    writers.delete(writer);
    if (writers.size === 0) writtenHere.delete(changeId);
  };
}

/** Whether a change is still carried out by the process that its journal names. */
export function isCarriedOut(changeId: string, owner: ProcessInfo, touchedMs: number): boolean {
  // Of ourselves we know it: a journal that could not be written to the end looks as if it went on.
  if (owner.pid === process.pid && isOfThisMachine(owner)) return writtenHere.has(changeId);
  return isAlive(owner, touchedMs);
}
