import { expect, inject, test } from 'vitest';
import { runNode } from '../scripts/project.ts';

interface Row {
  readonly name: string;
  readonly era: string;
  readonly wallMs: number;
  readonly cpuMs?: number;
}

// Only Linux shows the CPU time of a running process.
test.runIf(process.platform === 'linux')(
  'the server starts with less CPU time than a one-tool server on the same SDK, in both eras',
  async () => {
    const { stdout, stderr } = await runNode([
      'bench/run.mjs',
      'startup',
      '--runs',
      '3',
      '--warmups',
      '1',
      '--json',
      '--ours',
      inject('command'),
    ]);
    expect(stderr).toBe('');
    // The benchmark's own output.
    const rows = JSON.parse(stdout) as Row[];
    for (const era of ['legacy', 'modern']) {
      const [ours, , oneTool] = rows.filter((row) => row.era === era);
      expect(ours?.name).toBe('ours');
      expect(ours?.cpuMs).toBeLessThan(oneTool?.cpuMs ?? 0);
    }
  },
);
