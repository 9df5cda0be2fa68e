/** What a person is told to do once a setting was changed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/errors/codes.ts';
import { setAnew, setToldIn, toTakeEffect, withInstall } from '../../src/text/own-command.ts';
import { sentence } from '../../src/text/sentence.ts';

test('what makes a setting count is told for the place where it is told', () => {
  expect(ERRORS.settings_invalid.hint).toBe('Correct the named settings and restart the server.');
  setToldIn(() => 'command');
  expect(ERRORS.settings_invalid.hint).toBe('Correct the named settings and run this command again.');
  setToldIn((variable) => (variable === 'VIDEO_HOSTING_API_KEY' ? 'questions' : 'install'));
  expect(ERRORS.unauthorized.hint).toBe('Check VIDEO_HOSTING_API_KEY: correct it and enter it below.');
  expect(ERRORS.settings_invalid.hint).toBe('Correct the named settings and run install again.');
  expect(toTakeEffect('VIDEO_HOSTING_BASE_URL')).toBe('run install again');
  expect(setAnew('VIDEO_HOSTING_API_KEY')).toBe('enter it below');
  expect(setAnew('VIDEO_HOSTING_ACCESS_TOKEN')).toBe('set VIDEO_HOSTING_ACCESS_TOKEN to it and run install again');
});

test('that install asks for a renewed key is told everywhere but in install', () => {
  const text = sentence`Set it.`;
  expect(withInstall(text)).toMatch(/^Set it\. `.* install`, run again, asks for the new key\.$/);
  setToldIn(() => 'install');
  expect(withInstall(text)).toBe('Set it.');
});

test('no other file says by itself that the server is to be restarted', () => {
  const source = join(import.meta.dirname, '..', '..', 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const saying = files.filter((name) => /restart (?:the server|it)\b/.test(readFileSync(join(source, name), 'utf8')));
  expect(saying).toEqual([join('text', 'own-command.ts')]);
});
