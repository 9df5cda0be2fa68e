/** `video-hosting-mcp people`: who may use a server for several. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPeople } from '../../src/people/people.ts';
import { freshHome } from '../harness/cleanup.ts';
import { runInProcess } from '../harness/run-command.ts';

function withCommand(more: Record<string, string> = {}) {
  const home = freshHome();
  const dataDir = join(home, 'data');
  const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, ...more };
  const path = join(dataDir, 'people.json');
  return { home, path, known: openPeople(path), people: (...argv: readonly string[]) => runInProcess(['people', ...argv], env) };
}

const secretsIn = (stdout: string) => ({
  clientToken: /^Client token, for MCP clients: +(vhm_\S+)$/m.exec(stdout)?.[1] ?? '',
  pageKey: /^Page key, to sign in on the page: +(vhp_\S+)$/m.exec(stdout)?.[1] ?? '',
});

test('a person is added without an account, and both secrets are shown once', async () => {
  const { people, known } = withCommand();
  expect((await people('list')).stdout).toMatch(/^Nobody is in it yet\. .*people add NAME --roles read,propose,approve\n$/);
  const { code, stdout, stderr } = await people('add', 'ann', '--roles', 'approve,read');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Added ann, who has the roles read, approve.');
  const { clientToken, pageKey } = secretsIn(stdout);
  const [ann] = known.all();
  expect([known.byClientToken(clientToken), known.byPageKey(pageKey)]).toEqual([ann, ann]);
  const list = await people('list');
  expect(list.stdout).toBe(`ann  read, approve           ${ann?.id}\n`);
  expect(list.stdout + list.stderr).not.toMatch(/vh[mp]_/);
});

test('roles, secrets and people are changed and removed by name', async () => {
  const { people, known } = withCommand();
  const { clientToken } = secretsIn((await people('add', 'ann', '--roles', 'read')).stdout);
  expect(await people('roles', 'ann', '--roles', 'read,propose')).toEqual({
    code: 0,
    stdout: 'ann has the roles read, propose from the next request on.\n',
    stderr: '',
  });
  expect(known.byClientToken(clientToken)?.roles).toEqual(['read', 'propose']);
  const rotated = await people('rotate', 'ann');
  expect(rotated.stdout).toContain('The old ones count no more, and their sign-ins are ended.');
  expect([known.byClientToken(clientToken), known.byClientToken(secretsIn(rotated.stdout).clientToken)?.name]).toEqual([undefined, 'ann']);
  expect((await people('remove', 'ann')).code).toBe(0);
  expect(known.all()).toEqual([]);
});

test('what standing approvals hold for whoever is added, or has new secrets, is said where a file of them is set', async () => {
  const { people } = withCommand({ VIDEO_HOSTING_STANDING_APPROVALS: '/srv/allowed.json' });
  const said = async (...argv: readonly string[]) => (await people(...argv)).stdout.replaceAll(/\s+/g, ' ');
  expect(await said('add', 'nightly', '--roles', 'read,propose')).toContain(
    'What the file of standing approvals (/srv/allowed.json) allows somebody called nightly counts for this person only once it is saved again: look whom it means, then save it (touch is enough).',
  );
  expect(await said('rotate', 'nightly')).toContain(
    'Standing approvals (/srv/allowed.json) count for nightly as before: it is the same person.',
  );
  const without = withCommand();
  expect((await without.people('add', 'ann', '--roles', 'read')).stdout).not.toContain('tanding');
  expect((await without.people('rotate', 'ann')).stdout).not.toContain('tanding');
});

test('that fewer than two are left who may approve is said by the command that brings it', async () => {
  const { people, known } = withCommand();
  for (const name of ['ann', 'cat', 'dan']) await people('add', name, '--roles', 'read,propose,approve');
  expect((await people('remove', 'dan')).stdout).not.toContain('may approve now');
  const removed = await people('remove', 'cat');
  expect(known.all().map(({ name }) => name)).toEqual(['ann']);
  expect(removed.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Only ann may approve now. A server with VIDEO_HOSTING_SECOND_PERSON=always does not start with fewer than two who may, and what ann asks for there can be applied by nobody.',
  );
  await people('add', 'cat', '--roles', 'read,approve');
  expect((await people('roles', 'cat', '--roles', 'read')).stdout).toContain('Only ann may approve now.');
  expect((await people('rotate', 'cat')).stdout).not.toContain('may approve now');
});

test('another file is named by the setting', async () => {
  const elsewhere = join(freshHome(), 'team.json');
  const { people, path } = withCommand({ VIDEO_HOSTING_PEOPLE: elsewhere });
  expect((await people('add', 'ann', '--roles', 'read')).code).toBe(0);
  expect([existsSync(path), JSON.parse(readFileSync(elsewhere, 'utf8')).people[0].name]).toEqual([false, 'ann']);
  const relative = withCommand({ VIDEO_HOSTING_PEOPLE: 'team.json' });
  expect(await relative.people('list')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VIDEO_HOSTING_PEOPLE must be an absolute path.'),
  });
});

test.each([
  [['add', 'ann'], 2, 'people add needs --roles: people list | people add NAME'],
  [['add'], 2, 'people add needs a name'],
  [[], 2, 'people needs to be told what to do'],
  [['list', '--roles', 'read'], 2, 'people list takes no --roles'],
  [['rotate', 'ann', '--roles', 'read'], 2, 'people rotate takes no --roles'],
  [['rotat', 'ann'], 2, 'Did you mean rotate?'],
  [
    ['add', 'ann', '--roles', 'read,aprove'],
    2,
    '--roles: there is no role aprove. Did you mean approve? There are: read (lists, questions and the page), propose (',
  ],
  [
    ['add', 'ann', '--roles', 'approve'],
    2,
    '--roles: whoever has approve needs read too, without which there is no page and no answer: --roles read,approve.',
  ],
  [['add', 'ann', '--roles', ''], 2, '--roles: there is no role'],
  [['add', 'ann lee', '--roles', 'read'], 1, '"ann lee" is no name for a person: it has to be 1 to 40 letters'],
  [['remove', 'bob'], 1, 'Nobody is called bob. Nobody is in the file yet. The file of people is as it was.'],
] as const)('people %j is refused, and the file is not written', async (argv, code, says) => {
  const { people, path } = withCommand();
  expect(await people(...argv)).toEqual({ code, stdout: '', stderr: expect.stringContaining(says) });
  expect(existsSync(path)).toBe(false);
});
