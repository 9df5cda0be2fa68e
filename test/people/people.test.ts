/** Who may use a server for several: the file of people, and who a secret belongs to. */
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addPerson, removePerson, rotateSecrets, setRoles } from '../../src/people/change-people.ts';
import { openPeople } from '../../src/people/people.ts';
import { freshHome } from '../harness/cleanup.ts';

const never = () => new AbortController().signal;
const stop = never();

function fresh() {
  const path = join(freshHome(), 'people.json');
  return { path, people: openPeople(path), add: (name: string) => addPerson(path, name, ['read', 'approve'], never()) };
}

test('a person is known by each of their two secrets, in its own place alone', async () => {
  const { people, add } = fresh();
  expect(people.all()).toEqual([]);
  const { person, secrets } = await add('ann');
  const bob = await add('bob');
  expect(secrets.clientToken).toMatch(/^vhm_[\w-]{43}$/);
  expect(secrets.pageKey).toMatch(/^vhp_[\w-]{43}$/);
  expect(people.byClientToken(secrets.clientToken)).toEqual(person);
  expect(people.byPageKey(secrets.pageKey)).toEqual(person);
  expect(people.byPageKey(bob.secrets.pageKey)?.name).toBe('bob');
  expect([people.byClientToken(secrets.pageKey), people.byPageKey(secrets.clientToken)]).toEqual([undefined, undefined]);
  const wrong = [
    '',
    'vhm_',
    secrets.clientToken.slice(0, -1),
    `${secrets.clientToken}x`,
    secrets.clientToken.slice(4),
    ` ${secrets.clientToken}`,
  ];
  expect(wrong.map((token) => people.byClientToken(token))).toEqual(wrong.map(() => undefined));
});

test('nothing in the file can be used: neither a secret nor what stands there', async () => {
  const { path, people, add } = fresh();
  const { secrets } = await add('ann');
  const text = readFileSync(path, 'utf8');
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret.slice(4));
  const [{ clientToken, pageKey }] = JSON.parse(text).people;
  expect([clientToken, pageKey].flatMap((hash) => [people.byClientToken(hash), people.byPageKey(hash)])).toEqual(Array(4).fill(undefined));
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('any text that is no secret belongs to nobody', async () => {
  const { people, add } = fresh();
  await add('ann');
  await fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => people.byClientToken(text) === undefined && people.byPageKey(text) === undefined),
  );
});

test('each change counts from the next request on, also of another process that has the file open', async () => {
  const { path, people, add } = fresh();
  const { person, secrets } = await add('ann');
  expect(people.byClientToken(secrets.clientToken)?.roles).toEqual(['read', 'approve']);
  await setRoles(path, 'ann', ['propose', 'read'], stop);
  expect(people.byClientToken(secrets.clientToken)).toEqual({ ...person, roles: ['read', 'propose'] });
  // What was signed in goes on with the roles of now.
  expect(people.current(person)?.roles).toEqual(['read', 'propose']);
  const rotated = await rotateSecrets(path, 'ann', stop);
  expect([people.byClientToken(secrets.clientToken), people.byPageKey(secrets.pageKey), people.current(person)]).toEqual(
    Array(3).fill(undefined),
  );
  expect(people.byPageKey(rotated.secrets.pageKey)).toEqual(rotated.person);
  expect(rotated.person.id).toBe(person.id);
  expect(people.current(rotated.person)).toEqual(rotated.person);
  await removePerson(path, 'ann', stop);
  expect([people.byClientToken(rotated.secrets.clientToken), people.current(rotated.person)]).toEqual([undefined, undefined]);
  unlinkSync(path);
  expect(people.all()).toEqual([]);
});

test('a name that was removed and added again is another person', async () => {
  const { path, people, add } = fresh();
  const { person } = await add('ann');
  await removePerson(path, 'ann', stop);
  const again = await add('ann');
  expect(again.person.id).not.toBe(person.id);
  expect(people.current(person)).toBeUndefined();
});

test('a name is 1 to 40 letters, digits, ".", "_" and "-", and no other’s in other capitals', async () => {
  const { people, add } = fresh();
  for (const name of ['a', 'Ann.Lee_2-x', 'x'.repeat(40)]) await add(name);
  for (const name of ['', 'x'.repeat(41), 'ann lee', 'ann/lee', 'änn', 'аnn', 'ann\n', '../ann'])
    await expect(add(name)).rejects.toMatchObject({ code: 'people_refused', message: expect.stringContaining('1 to 40 letters') });
  for (const name of ['A', 'ann.lee_2-x'])
    await expect(add(name)).rejects.toMatchObject({ code: 'people_refused', message: expect.stringContaining('is there already') });
  expect(people.all().map(({ name }) => name)).toEqual(['a', 'Ann.Lee_2-x', 'x'.repeat(40)]);
});

test('who is not there is told with who may be meant, and nothing is written', async () => {
  const { path, add } = fresh();
  await expect(rotateSecrets(path, 'ann', stop)).rejects.toThrow('Nobody is called ann. Nobody is in the file yet.');
  await add('Annabel');
  const before = readFileSync(path, 'utf8');
  await expect(removePerson(path, 'Anabel', stop)).rejects.toThrow('Nobody is called Anabel. Did you mean Annabel?');
  await expect(setRoles(path, 'bob', ['read'], stop)).rejects.toThrow('Nobody is called bob. There are: Annabel.');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('twenty who are added at once are all there, and each secret is its person’s', async () => {
  const { people, add } = fresh();
  const added = await Promise.all(Array.from({ length: 20 }, (_, index) => add(`person-${index}`)));
  expect(people.all()).toHaveLength(20);
  for (const { person, secrets } of added) expect(people.byClientToken(secrets.clientToken)).toEqual(person);
});

const DAMAGE: readonly (readonly [name: string, damage: (path: string) => void, says: string])[] = [
  ['that others can read', (path) => chmodSync(path, 0o640), 'can be read or written by others than its owner: take that away (chmod 600)'],
  [
    'that is a link',
    (path) => {
      renameSync(path, `${path}.real`);
      symlinkSync(`${path}.real`, path);
    },
    'is a link',
  ],
  [
    'that is a folder',
    (path) => {
      unlinkSync(path);
      mkdirSync(path);
    },
    'is no regular file',
  ],
  ['that has a second name', (path) => linkSync(path, `${path}.other`), 'has another name beside this one (a hard link)'],
  [
    'in which a client token signs in, too',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/("clientToken": )"(\w+)"(.*?"pageKey": )"\w+"/s, '$1"$2"$3"$2"')),
    'people.0 has a secret that is in it twice',
  ],
  ['of more than 1 MB', (path) => writeFileSync(path, ' '.repeat(1_000_001)), 'more than 1 MB'],
  ['that is cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, 200)), 'is damaged: it is not one that this program wrote'],
  [
    'of a newer version',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"version": 1', '"version": 2')),
    'was written by a newer version of this program. Nobody gets in',
  ],
  [
    'of a version that never was',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"version": 1', '"version": 0')),
    'is damaged: version',
  ],
  ['with a role that is no text', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"approve"', '1')), 'people.0.roles.1'],
  [
    'with a field that there is not',
    (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"addedAt"', '"isAdmin": true, "addedAt"')),
    'has no field isAdmin',
  ],
  [
    'with one person twice',
    (path) => {
      const { people } = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ version: 1, people: [...people, ...people] }));
    },
    'people.1 has the name or id of another person in it',
  ],
];

test.skipIf(process.platform === 'win32').each(DAMAGE)('with a file %s nobody gets in, and nobody is added', async (_, damage, says) => {
  const { path, people, add } = fresh();
  const { secrets } = await add('ann');
  expect(people.byClientToken(secrets.clientToken)?.name).toBe('ann');
  damage(path);
  const error = expect.objectContaining({ code: 'people_unusable', message: expect.stringContaining(says) });
  expect(() => people.byClientToken(secrets.clientToken)).toThrow(error);
  expect(() => people.all()).toThrow(error);
  await expect(add('bob')).rejects.toEqual(error);
  for (const secret of Object.values(secrets)) expect(String(await add('bob').catch((thrown: unknown) => thrown))).not.toContain(secret);
});

const NO_ROLES: readonly (readonly [name: string, edit: (text: string) => string, says: string])[] = [
  ['lacks read', (text) => text.replace('"read",', ''), 'ann lacks the role read, without which the others are of no use'],
  ['has a role that there is not', (text) => text.replace('"approve"', '"admin"'), 'ann has roles that there are not (admin)'],
  ['has none', (text) => text.replace(/"roles": \[[^\]]*\]/, '"roles": []'), 'ann lacks the role read'],
];

test.each(NO_ROLES)(
  'an entry that %s keeps its person out, and nobody else; it is told once, and set right with a command',
  async (_, edit, says) => {
    const { path, add } = fresh();
    const { secrets } = await add('ann');
    const bob = await add('bob');
    const log: string[] = [];
    const people = openPeople(path, (message) => log.push(message));
    writeFileSync(path, edit(readFileSync(path, 'utf8')), { mode: 0o600 });
    expect([people.byClientToken(secrets.clientToken)?.roles, people.byPageKey(secrets.pageKey)?.roles]).toEqual([[], []]);
    expect(people.byClientToken(bob.secrets.clientToken)?.roles).toEqual(['read', 'approve']);
    expect(log).toEqual([
      expect.stringMatching(
        /^In the file of people, ann .*, so they may do nothing; everybody else goes on\. Give them roles: .*people roles ann --roles read$/,
      ),
    ]);
    expect(log[0]).toContain(says);
    // Others are added, and it stays as it is.
    await add('eve');
    expect(people.problems()).toHaveLength(1);
    expect(log).toHaveLength(1);
    await setRoles(path, 'ann', ['read', 'approve'], stop);
    expect(people.byClientToken(secrets.clientToken)?.roles).toEqual(['read', 'approve']);
    expect(people.problems()).toEqual([]);
  },
);

test('once the file is put right, everybody is there again', async () => {
  const { path, people, add } = fresh();
  const { secrets } = await add('ann');
  const right = readFileSync(path, 'utf8');
  writeFileSync(path, right.slice(0, 100));
  expect(() => people.all()).toThrow('is damaged');
  writeFileSync(path, right);
  expect(people.byPageKey(secrets.pageKey)?.name).toBe('ann');
});
