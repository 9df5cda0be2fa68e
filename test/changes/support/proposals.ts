import { join } from 'node:path';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { createAskedHere } from '../../../src/changes/proposals/asked-here.ts';
import { createMemoryBackEnd } from '../../../src/changes/proposals/memory.ts';
import { createProposalStore, type StoreOptions } from '../../../src/changes/proposals/store.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';

/** What a process asks that keeps nothing on disk. */
export function inMemory({ decided }: Pick<StoreOptions, 'decided'> = {}) {
  const journal = createJournal(join(freshHome(), 'changes'));
  const proposals = createProposalStore({ backEnds: { memory: createMemoryBackEnd() }, journal, ...(decided && { decided }) });
  atEnd(() => proposals.close());
  return { proposals, askedHere: createAskedHere(proposals) };
}
