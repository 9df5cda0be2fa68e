/** The pictures of the approval page, and of its views in a conversation, in the documentation. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, root, runNode, textOf } from '../scripts/project.ts';

const pictures = readdirSync(join(root, 'docs')).filter((name) => /^(page|app)-.*\.png$/.test(name));

test('are of the size that is drawn today', async () => {
  expect(await runNode([join('scripts', 'page-pictures.mjs'), '--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('are small, and each is shown with words for those who can’t see it', () => {
  expect(pictures.length).toBeGreaterThan(1);
  const shown = documents().map(textOf).join('\n');
  for (const name of pictures) {
    expect(statSync(join(root, 'docs', name)).size).toBeLessThan(name.startsWith('app-') ? 100_000 : 150_000);
    expect(readFileSync(join(root, 'docs', name)).toString('latin1', 1, 4)).toBe('PNG');
    expect(shown).toMatch(new RegExp(`!\\[[^\\]]{40,}\\]\\((docs/)?${name.replace('.', '\\.')}\\)`));
  }
});
