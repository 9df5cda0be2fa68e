import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root, runNode } from './project.ts';

const tour = join('scripts', 'tour.mjs');
const chart = join('dist', 'demo-chart.png');
const ESCAPE = '\u001b';
/** The temporary folder of the tours in these tests. */
const kept = mkdtempSync(join(tmpdir(), 'tour-test-'));
const env = { TMPDIR: kept, TEMP: kept };

afterAll(() => rmSync(kept, { recursive: true, force: true }));

const outputOf = (stdout: string) => stdout.split('\n');

/** A whole tour takes seconds, and longer while other tests run. */
describe('the tour', () => {
  test('in short tells on a page what was asked and what came of it, ends with what it can’t do, and leaves one picture', async () => {
    const { code, stdout, stderr } = await runNode([tour], env);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const lines = outputOf(stdout.trim());
    expect(lines.length).toBeLessThanOrEqual(70);
    expect(lines.filter((line) => line.startsWith('You ')).length).toBe(lines.filter((line) => line.startsWith('  ✓ ')).length);
    expect(stdout).toMatch(/^Form {2}Change 3 channels\.\n {6}! Loses 1 video/m);
    expect(stdout).toMatch(/^ {2}✓ {3}4736 of 4739 moved\./m);
    expect(stdout).toMatch(/Every step did what it says\. \d+ steps were checked/);
    expect(stdout.slice(stdout.lastIndexOf('\nWhat it can’t do: '))).toContain('delete a channel');
    expect(stdout).not.toContain('✗');
    expect(stdout).not.toContain(ESCAPE);
    expect(readdirSync(kept)).toEqual([]);
    expect(stdout).toContain(chart);
    expect(readFileSync(join(root, chart)).toString('latin1', 1, 4)).toBe('PNG');
  });

  test('in full takes every step, each does what it says, and no line is wider than the terminal', async () => {
    const { code, stdout, stderr } = await runNode([tour, '--full'], { ...env, COLUMNS: '72' });
    expect(stderr).toBe('');
    expect(stdout).toContain('Every step did what it says.');
    expect(stdout).not.toContain('✗');
    expect(stdout).not.toContain(ESCAPE);
    expect(outputOf(stdout).filter((line) => [...line].length > 72)).toEqual([]);
    expect(code).toBe(0);
    expect(stdout.match(/^You /gm)?.length).toBeGreaterThan(25);
    expect(readdirSync(kept)).toEqual([]);
  });

  test.each(['SIGTERM', 'a reader that leaves'])('ended by %s, leaves nothing behind', async (by) => {
    const child = spawn(process.execPath, [tour], { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    expect(readdirSync(kept)).toHaveLength(1);
    if (by === 'SIGTERM') child.kill(by);
    else child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect(code).not.toBe(0);
    expect(readdirSync(kept)).toEqual([]);
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
