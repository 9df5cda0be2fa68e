import type { Values } from '../../platform/is-object.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { digestOf } from '../../platform/stable-json.ts';
import type { BackEnd, StoredProposal } from './back-end.ts';
import type { Ending } from './disk-file.ts';
import type { Proposal } from './proposal.ts';
import { MAX_ENDED, MAX_ENDED_KEYS } from './proposal-limits.ts';
import { recordsOf } from './records-of.ts';

interface Entry {
  readonly proposal: Proposal;
  readonly args: Values;
  ending: Ending | undefined;
}

/** What waits as long as this process runs, and the last that waited. */
export function createMemoryBackEnd(): BackEnd {
  const entries = new Map<string, Entry>();
  const withMutex = createKeyedMutex();
  const storedOf = ({ proposal, ending }: Entry): StoredProposal => ({ proposal, ending, hasFileCopies: false, isTold: true });

  return {
    name: 'memory',
    ended: { max: MAX_ENDED, maxKeys: MAX_ENDED_KEYS, keptMs: Number.POSITIVE_INFINITY },
    exclusively: (_signal, act) => withMutex('all', act),
    async add({ proposal, args }) {
      const { changeId, plan } = proposal;
      // The order is that in which they were added.
      entries.delete(changeId);
      entries.set(changeId, { proposal: { ...proposal, digest: digestOf(plan), store: 'memory' }, args, ending: undefined });
    },
    async read(changeId) {
      const entry = entries.get(changeId);
      return entry && storedOf(entry);
    },
    list: async () => ({ stored: [...entries.values()].reverse().map(storedOf), damaged: [] }),
    async settle(changeId, ending) {
      const entry = entries.get(changeId);
      if (entry === undefined || entry.ending !== undefined) return false;
      entry.ending = ending;
      return true;
    },
    async unsettle(changeId, ending) {
      const entry = entries.get(changeId);
      if (entry?.ending === ending) entry.ending = undefined;
      return entry !== undefined && entry.ending === undefined;
    },
    release: async () => undefined,
    remove: async (changeId) => void entries.delete(changeId),
    tidy: async () => undefined,
    async recordsOf(changeId) {
      const entry = entries.get(changeId);
      return entry === undefined ? [] : recordsOf(entry.proposal.plan);
    },
    callOf: async (changeId) => ({ args: entries.get(changeId)?.args ?? {}, files: [] }),
    markTold: async () => false,
    watch: () => () => undefined,
  };
}
