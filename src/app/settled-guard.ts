import type { Guard } from '../changes/life/guard.ts';

type Beginning = Pick<Guard, 'guard' | 'propose' | 'beginLater'>;

/** What begins changes, once it is known in which folder: `settle` resolves then. */
export function onceSettled(guarded: Beginning, settle: (signal: AbortSignal) => Promise<unknown>): Beginning {
  return {
    async guard(request) {
      await settle(request.signal);
      return guarded.guard(request);
    },
    async propose(request, signal) {
      await settle(signal);
      return guarded.propose(request, signal);
    },
    beginLater(request, later) {
      const begin = guarded.beginLater(request, later);
      return async (approved, signal, decide) => {
        await settle(signal);
        return begin(approved, signal, decide);
      };
    },
  };
}
