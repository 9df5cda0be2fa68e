/** What `doctor` says on the machine of a server for several people. */
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkServerSettings } from '../../src/commands/doctor/server-settings.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { addPerson } from '../../src/people/change-people.ts';
import type { Role } from '../../src/people/roles.ts';
import { freshHome } from '../harness/cleanup.ts';
import { runInProcess } from '../harness/run-command.ts';

type Roles = Readonly<Record<string, readonly Role[]>>;
const ALL = ['read', 'propose', 'approve'] as const;

/** A data folder with people. */
async function folderOf(people: Roles, spoil: (file: string) => void = () => undefined): Promise<string> {
  const dataDir = join(freshHome(), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const file = join(dataDir, 'people.json');
  for (const [name, roles] of Object.entries(people)) await addPerson(file, name, roles, new AbortController().signal);
  spoil(file);
  return dataDir;
}

async function found(people: Roles, env: Record<string, string> = {}, spoil?: (file: string) => void) {
  const dataDir = await folderOf(people, spoil);
  const { problems, ...config } = parseConfig(['doctor'], { HOME: '/x', VIDEO_HOSTING_DATA_DIR: dataDir, ...env });
  expect(problems).toEqual([]);
  return (await checkServerSettings({ ...config, problems })).map(
    ({ level, about, detail, remedy }) => `${level} ${about}: ${detail} ${remedy ?? ''}`,
  );
}

test('where nobody means to run one, nothing is said', async () => {
  expect(await found({})).toEqual([]);
  expect(await found({}, { VIDEO_HOSTING_CLIENT_TOKEN: `vhm_${'x'.repeat(43)}` })).toEqual([]);
});

test('who may use it and who may approve is told, and where it is reached', async () => {
  const env = { VIDEO_HOSTING_PUBLIC_URL: 'https://videos.example.com', VIDEO_HOSTING_SECOND_PERSON: 'create_project' };
  expect(await found({ ann: ALL, bob: ['read', 'propose'], dan: ['read', 'approve'] }, env)).toEqual([
    expect.stringMatching(/^fine People: ".*people\.json": 3 people, of whom ann, dan may approve\. $/),
    expect.stringMatching(/^fine Second person: create_project\. $/),
    expect.stringMatching(/^fine Public URL: https:\/\/videos\.example\.com\. It listens on 127\.0\.0\.1:8765\. .*`doctor --url`/),
  ]);
  expect(await found({ ann: ALL })).toContainEqual(expect.stringMatching(/^note Public URL: not set\. .*programs of this machine alone/));
});

describe('what would keep people out, or let others in, is told with what to do', () => {
  test.each<[string, Roles, Record<string, string>, RegExp]>([
    ['nobody is there', {}, { VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:8765' }, /^note People: Nobody is in .* Add somebody: .*people add/],
    ['nobody may approve', { bob: ['read', 'propose'] }, {}, /^note People: .*nobody may approve\. What waits could be applied by nobody/],
    [
      'always, with one who approves',
      { ann: ALL },
      { VIDEO_HOSTING_SECOND_PERSON: 'always' },
      /^wrong Second person: .*only ann may approve/,
    ],
    [
      'what the only one who approves asks for',
      { ann: ALL, bob: ['read', 'propose'] },
      { VIDEO_HOSTING_SECOND_PERSON: 'move_videos>1000' },
      /^note Second person: only ann may approve, so what they ask for of it could be applied by nobody\. Let a second person approve/,
    ],
    [
      'a setting that it can’t have',
      { ann: ALL },
      { VIDEO_HOSTING_CONFIRM: 'form' },
      /^note Settings: VIDEO_HOSTING_CONFIRM can’t be set together with serve --http/,
    ],
  ])('%s', async (_, people, env, says) => expect(await found(people, env)).toContainEqual(expect.stringMatching(says)));

  test.skipIf(process.platform === 'win32').each<[string, (file: string) => void, RegExp]>([
    ['a file that others can read', (file) => chmodSync(file, 0o644), /^wrong People: .*chmod 600/],
    [
      'a folder that others can write',
      (file) => chmodSync(join(file, '..'), 0o777),
      /^wrong People: Others may put another file.*chmod go-w/,
    ],
    [
      'somebody whose roles don’t count',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"read",', '')),
      /^note People: ann lacks the role read.*they may do nothing; everybody else goes on\. Give them roles: .*people roles ann --roles read$/,
    ],
    ['a damaged file', (file) => writeFileSync(file, '{'), /^wrong People: .*is damaged/],
    [
      'a link',
      (file) => {
        renameSync(file, `${file}.real`);
        symlinkSync(`${file}.real`, file);
      },
      /^wrong People: .*is a link/,
    ],
  ])('%s', async (_, spoil, says) => {
    const findings = await found({ ann: ALL, dan: ALL }, {}, spoil);
    expect(findings).toContainEqual(expect.stringMatching(says));
  });
});

/** What is told of how it works, beside the findings; without an account, which changes nothing of it. */
async function told(dataDir: string, env: Record<string, string> = {}): Promise<Readonly<Record<'confirmation' | 'said', string>>> {
  const { stdout } = await runInProcess(['doctor', '--json'], { HOME: freshHome(), VIDEO_HOSTING_DATA_DIR: dataDir, ...env });
  // The shape is what is tested here.
  const { confirmation, ...others } = JSON.parse(stdout) as Record<'confirmation' | 'hidden' | 'notSet' | 'findings', string>;
  const { hidden, notSet, findings } = others;
  return { confirmation, said: JSON.stringify([hidden, notSet, findings]) };
}

test('on the folder of a team it is told how its server confirms, and nothing to set that this server refuses', async () => {
  const approvals = join(freshHome(), 'approvals.json');
  writeFileSync(approvals, JSON.stringify({ version: 1, timeZone: 'UTC', approvals: [] }), { mode: 0o600 });
  const env = { VIDEO_HOSTING_STANDING_APPROVALS: approvals };
  const team = await told(await folderOf({ ann: ALL }), env);
  expect(team.confirmation).toMatch(
    /^by the server for several people: kept until a person decides, on the page behind the link .*, where they sign in\. By one over stdio: a form asks/,
  );
  const REFUSED = /_FILES_DIR is not set|_PERSONAL_DATA is|set VIDEO_HOSTING_CONFIRM/i;
  expect(team.said).not.toMatch(REFUSED);
  const one = await told(await folderOf({}), env);
  expect(one.confirmation).toMatch(/^a form asks the user/);
  for (const refused of ['_FILES_DIR is not set', '_PERSONAL_DATA is', 'set VIDEO_HOSTING_CONFIRM']) expect(one.said).toContain(refused);
});
