/** The documentation’s pictures: the README’s chart, the approval page and the chat view. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, root, runNode, textOf } from '../scripts/project.ts';

const pictures = readdirSync(join(root, 'docs')).filter((name) => /^(chart|page-.*|app-.*)\.png$/.test(name));

test('the pictures have the size of freshly drawn ones', async () => {
  expect(await runNode([join('scripts', 'pictures.mjs'), '--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the pictures are small PNG files, and each is shown with an alternative text', () => {
  expect(pictures.length).toBeGreaterThan(1);
  const shown = documents().map(textOf).join('\n');
  for (const name of pictures) {
    expect(statSync(join(root, 'docs', name)).size).toBeLessThan(150_000);
    expect(readFileSync(join(root, 'docs', name)).toString('latin1', 1, 4)).toBe('PNG');
    expect(shown).toMatch(new RegExp(`!\\[[^\\]]{40,}\\]\\((docs/)?${name.replace('.', '\\.')}\\)`));
  }
});
