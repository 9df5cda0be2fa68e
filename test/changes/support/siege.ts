/** An account for attempts that must be refused: none of them may send a write or change the account. */
import { expect } from 'vitest';
import { type DemoService, startService } from '../../harness/service.ts';
import { freshHome } from '../../harness/start.ts';
import { type Sample, sampleOf } from '../../mcp/tools/calls.ts';
import { stateOf, writesOf } from './world.ts';

export interface Siege {
  readonly demo: DemoService;
  readonly home: string;
  readonly sample: Sample;
  /** Runs an attempt, and asserts that it sent no write and changed nothing. */
  attempt<T>(what: string, act: () => Promise<T>): Promise<T>;
}

/** A small account with a call that would change it. */
export async function besiege(tool: string): Promise<Siege> {
  const demo = await startService({ channels: 6, projects: 4, videos: 30 });
  const home = freshHome();
  const sample = await sampleOf(tool, demo, home);
  return {
    demo,
    home,
    sample,
    async attempt(what, act) {
      const before = { writes: writesOf(demo).length, state: stateOf(demo) };
      const result = await act();
      expect(writesOf(demo).slice(before.writes), what).toEqual([]);
      expect(stateOf(demo), what).toBe(before.state);
      return result;
    },
  };
}
