/** The approval page of the built command: what other processes can see of it, and how it ends. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { addressInFile, enterPage } from '../harness/page.ts';
import { freshHome, start } from '../harness/start.ts';
import { rename, startWithPage, waitingRename } from './support.ts';

/** All command lines and environments of this machine that this user can read. */
function processTexts(): string {
  const texts = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) =>
      ['cmdline', 'environ'].map((file) => {
        try {
          return readFileSync(join('/proc', pid, file), 'latin1');
        } catch {
          return '';
        }
      }),
    );
  return texts.join('\n');
}

test.runIf(process.platform === 'linux')(
  'the program in BROWSER gets a file that only the owner can read, and no command line contains the code',
  async () => {
    // The program keeps running, as a browser does, so that its command line can be read.
    const folder = freshHome();
    const program = join(folder, 'browser');
    const shown = join(folder, 'shown');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${shown}.new'; mv '${shown}.new' '${shown}'\nsleep 20\n`);
    chmodSync(program, 0o700);
    const session = await startWithPage({
      via: 'process',
      env: { VIDEO_HOSTING_BROWSER: undefined, BROWSER: `/nowhere/browser:${program} --new-window %s`, TMPDIR: folder },
    });
    const call = session.client.callTool('update_channels', rename(channelAt(session.demo, 0)));
    await expect.poll(() => existsSync(shown), { timeout: 300_000 }).toBe(true);
    const [flag, url = ''] = readFileSync(shown, 'utf8').split('\n');
    const file = new URL(url);
    expect({ flag, protocol: file.protocol }).toEqual({ flag: '--new-window', protocol: 'file:' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file.pathname)).mode & 0o777).toBe(0o700);
    const address = addressInFile(file.pathname);
    const code = address.split('/').pop() ?? '';
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(processTexts()).not.toContain(code);
    expect(session.output()).not.toContain(code);
    const page = await enterPage(address);
    await page.decide(await page.firstWaiting(), 'apply');
    await call;
    // The file is removed once the code is used.
    await expect.poll(() => existsSync(file)).toBe(false);
    expect(`${processTexts()}\n${session.output()}`).not.toMatch(
      new RegExp([code, page.token, page.cookie.split('=')[1], page.folder].join('|')),
    );
  },
);

test.runIf(process.platform === 'linux')('no file that leads to the page is left, however often a browser was tried', async () => {
  const folder = freshHome();
  const program = join(folder, 'browser');
  writeFileSync(program, '#!/bin/sh\nexit 1\n', { mode: 0o700 });
  const env = { VIDEO_HOSTING_BROWSER: undefined, BROWSER: program, TMPDIR: folder };
  const { client, server } = await startWithPage({ via: 'process', env });
  for (const _ of [1, 2]) expect((await client.callTool('show_to_user', { what: 'changes' })).data).toMatchObject({ shown: false });
  await client.close();
  await server?.exit;
  expect(readdirSync(folder).filter((name) => name.startsWith('video-hosting-mcp-page-'))).toEqual([]);
});

test('a server that is killed while a change waits sends nothing, and the next server has what waits', async () => {
  const { page, change, server, demo, home, browser } = await waitingRename({ via: 'process' });
  const beside = await start({ demo, home });
  // Its client has not ended yet.
  expect((await beside.client.callTool('get_change', { changeId: change.changeId })).data).toMatchObject({
    status: 'waiting',
    message: expect.stringContaining(
      'The client in which it was asked for runs, and its page shows it to the user. They decide there, or at',
    ),
  });
  server?.child.kill('SIGKILL');
  await server?.exit;
  expect(writesOf(demo)).toEqual([]);
  await expect(page.decide(change, 'apply')).rejects.toThrow();
  const next = await start({ demo, home, env: browser.env });
  const reply = await next.client.callTool('get_change', { changeId: change.changeId });
  expect(reply.data).toMatchObject({
    status: 'waiting',
    message: expect.stringContaining('The client in which it was asked for has ended'),
  });
  expect((await next.client.callTool('list_changes')).data).toMatchObject({ changes: [{ changeId: change.changeId, status: 'waiting' }] });
});

test.each(['stdin', 'SIGTERM'] as const)(
  'when the server ends (%s), the page receives the event “ended”, and nothing is sent',
  async (how) => {
    const { page, server, demo, client } = await waitingRename({ via: 'process' });
    const events = await page.events();
    if (how === 'stdin') await client.close();
    else server?.child.kill(how);
    await events.next(({ type }) => type === 'ended');
    await events.ended;
    expect(await server?.exit).toEqual({ code: 0, signal: null });
    expect(writesOf(demo)).toEqual([]);
  },
);
