/** What people are told to type, typed. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { waitingAgent } from '../changes/proposals/harness.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { runCommand } from '../harness/run-command.ts';
import { spawnServer } from '../harness/spawn.ts';
import { freshHome } from '../harness/start.ts';

/** The built program in a folder with a space in its path. */
function copyWithSpace(): string {
  const dist = join(freshHome(), 'my tools', 'dist');
  mkdirSync(dist, { recursive: true });
  cpSync(dirname(inject('command')), dist, { recursive: true });
  return join(realpathSync(dist), 'main.cjs');
}

/** Types a line at a shell. What it prints, whatever it ends with. */
async function shell(line: string, env: Readonly<Record<string, string | undefined>>): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('/bin/sh', ['-c', line], { env: { PATH: process.env.PATH, ...env } }).catch((error) => error);
}

test('an agent’s answer names commands that run here, in a folder with a space too', async () => {
  const command = copyWithSpace();
  const { move, person } = await waitingAgent({ via: 'process', command });
  const asked = await move(4);
  const [, waiting = '', page = ''] =
    /A person decides at a terminal, with: (.+?); or in a browser, with: (.+?)\. Nobody/.exec(String(asked.data?.message)) ?? [];
  expect([waiting, page]).toEqual([`node '${command}' waiting`, `node '${command}' page`]);
  const listed = await shell(waiting, person);
  expect(listed.stdout).toContain(String(asked.data?.changeId));
  // So does what is printed there.
  const [, show = ''] = /^(.+? show) ID shows one in full/m.exec(listed.stdout) ?? [];
  expect((await shell(`${show} ${String(asked.data?.changeId)}`, person)).stdout).toContain('Move 4 videos');
  expect((await shell(page, { ...person, VIDEO_HOSTING_BROWSER: 'none' })).stderr).toContain(`Without one, \`${waiting}\` and`);
});

test('by its name where that is on the PATH', async () => {
  const folder = freshHome();
  symlinkSync(inject('command'), join(folder, 'video-hosting-mcp'));
  const { move } = await waitingAgent({ via: 'process', env: { PATH: `${folder}:${process.env.PATH}` } });
  expect((await move(4)).data?.message).toContain('with: video-hosting-mcp waiting; or in a browser, with: video-hosting-mcp page.');
});

test('help and the page name it too', async () => {
  const command = inject('command');
  const env = { PATH: process.env.PATH };
  expect((await runCommand(['--help'], env)).stdout).toContain(`Usage: node ${command} [serve] [--demo] [settings]\n`);
  expect((await runCommand(['waiting', '--help'], env)).stdout).toContain(`Usage: node ${command} waiting [show ID`);
  const browser = createTestBrowser();
  spawnServer({ argv: ['page', '--demo'], home: freshHome(), env: browser.env });
  const page = await enterPage(await browser.opened());
  expect(JSON.parse((await page.get('api/session')).text)).toMatchObject({ pageCommand: `node ${command} page` });
});
