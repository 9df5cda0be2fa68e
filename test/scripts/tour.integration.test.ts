import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root, runNode } from './project.ts';

const tour = join('scripts', 'tour.mjs');
const ESCAPE = '\u001b';
/** The temporary folder of the tours in these tests. */
const kept = mkdtempSync(join(tmpdir(), 'tour-test-'));
const env = { TMPDIR: kept, TEMP: kept };

afterAll(() => rmSync(kept, { recursive: true, force: true }));

/** A whole tour takes seconds, and longer while other tests run. */
describe('the tour', () => {
  test('takes every step, each does what it says, no line is wider than the terminal, and only the chart is left', async () => {
    const { code, stdout, stderr } = await runNode([tour], { ...env, COLUMNS: '72' });
    expect(stderr).toBe('');
    expect(stdout).toContain('Every step did what it says.');
    expect(stdout).not.toContain('✗');
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout.split('\n').filter((line) => [...line].length > 72)).toEqual([]);
    expect(code).toBe(0);
    const [folder = '', ...others] = readdirSync(kept);
    expect(others).toEqual([]);
    expect(stdout).toContain(join(kept, folder, 'chart.png'));
    expect(readFileSync(join(kept, folder, 'chart.png')).toString('latin1', 1, 4)).toBe('PNG');
  });

  test('refuses an unknown chapter and lists the known ones', async () => {
    const { code, stderr } = await runNode([tour, 'lookaround']);
    expect(code).toBe(2);
    expect(stderr).toContain('No such chapter: lookaround. There are: look-around,');
  });

  test('fails and shows the step if a step does not do what it says', async () => {
    // The project's own tour with one chapter more, whose only claim is wrong.
    const parent = join(root, 'node_modules', '.cache');
    mkdirSync(parent, { recursive: true });
    const copy = mkdtempSync(join(parent, 'tour-'));
    try {
      for (const name of ['scripts', 'dist']) cpSync(join(root, name), join(copy, name), { recursive: true });
      const chapter = `export const chapters = [{ name: 'wrong', title: 'A wrong claim', run: ({ ask, assert }) =>
        ask({ wants: 'Plans?', call: ['list_plans'], proves: 'None.', check: ({ data }) => assert.equal(data.plans.length, 0) }) }];`;
      writeFileSync(join(copy, 'scripts', 'tour', 'chapters', 'index.mjs'), chapter);
      const { code, stdout } = await runNode([join(copy, 'scripts', 'tour.mjs')]);
      expect(stdout).toContain('✗');
      expect(stdout).toContain('This step did not do what it says.');
      expect(stdout).toContain('Not as it should be: A wrong claim.');
      expect(code).toBe(1);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
