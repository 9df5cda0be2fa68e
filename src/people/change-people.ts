import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withRecordLock } from '../changes/journal/record-lock.ts';
import { diskReason } from '../errors/disk-error.ts';
import { failureToWrite, fsyncFolder, makeFolder, moveFile, removeIfPossible, writeDurably } from '../platform/files.ts';
import { nearest } from '../text/nearest.ts';
import { type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { type Person, personOf } from './people.ts';
import { isName, isSameName, MAX_PEOPLE, NAME_FORM, type PersonEntry, peopleError, readPeopleFile, textOfPeople } from './people-file.ts';
import { ROLE_NAMES, type Role } from './roles.ts';
import { hashOf, newClientToken, newSecrets, type Secrets } from './secrets.ts';

/** A person, with the secrets that are shown once. */
export interface WithSecrets {
  readonly person: Person;
  readonly secrets: Secrets;
}

const hashesOf = ({ clientToken, pageKey }: Secrets) => ({ clientToken: hashOf(clientToken), pageKey: hashOf(pageKey) });
const now = (): string => new Date().toISOString();
/** In the order of the table, each once. */
const inOrder = (roles: readonly Role[]): Role[] => ROLE_NAMES.filter((role) => roles.includes(role));

/** Throws `people_refused` where somebody has the name, and `people_unusable`. */
export async function addPerson(path: string, name: string, roles: readonly Role[], stop: AbortSignal): Promise<WithSecrets> {
  const secrets = newSecrets();
  const entry = { id: `person-${randomUUID()}`, name, roles: inOrder(roles), ...hashesOf(secrets), addedAt: now() };
  await change(path, stop, (people) => {
    if (!isName(name)) throw peopleError(sentence`${word(name)} is no name for a person: it has to be ${NAME_FORM}.`, 'people_refused');
    const other = people.find((one) => isSameName(one.name, name));
    if (other !== undefined)
      throw peopleError(
        sentence`${word(other.name)} is there already. Their roles are set with people roles, new secrets made with people rotate. A second person needs another name.`,
        'people_refused',
      );
    if (people.length >= MAX_PEOPLE)
      throw peopleError(sentence`There are ${MAX_PEOPLE} people already, which is the most.`, 'people_refused');
    return [...people, entry];
  });
  return { person: personOf(entry), secrets };
}

/** Gives other roles. Throws `people_refused` where nobody has the name, and `people_unusable`. */
export const setRoles = async (path: string, name: string, roles: readonly Role[], stop: AbortSignal): Promise<Person> =>
  personOf(await changeOne(path, name, stop, (entry) => ({ ...entry, roles: inOrder(roles) })));

/** Gives new secrets, with which the old ones end, and what was signed in with them. Throws as `setRoles`. */
export async function rotateSecrets(path: string, name: string, stop: AbortSignal): Promise<WithSecrets> {
  const secrets = newSecrets();
  const rotated = await changeOne(path, name, stop, (entry) => ({ ...entry, ...hashesOf(secrets), rotatedAt: now() }));
  return { person: personOf(rotated), secrets };
}

/**
 * Gives a person another client token, with which the old one ends; their page key, and what is signed in with it, stays. `seen`: the person as
 * they were when that was decided on. Throws `people_refused` where they were removed or have other secrets by now, and `people_unusable`.
 */
export async function renewClientToken(path: string, seen: Pick<Person, 'id' | 'tokenId' | 'keyId'>, stop: AbortSignal): Promise<string> {
  const token = newClientToken();
  await change(path, stop, (people) => {
    const found = people.find((entry) => {
      const { id, tokenId, keyId } = personOf(entry);
      return id === seen.id && tokenId === seen.tokenId && keyId === seen.keyId;
    });
    if (found === undefined)
      throw peopleError(sentence`The token was made anew meanwhile, so none was made now, and the newest counts.`, 'people_refused');
    return people.map((entry) => (entry === found ? { ...entry, clientToken: hashOf(token), rotatedAt: now() } : entry));
  });
  return token;
}

/** Throws as `setRoles`. */
export async function removePerson(path: string, name: string, stop: AbortSignal): Promise<void> {
  await change(path, stop, (people) => {
    const found = byName(people, name);
    return people.filter((entry) => entry !== found);
  });
}

async function changeOne(path: string, name: string, stop: AbortSignal, act: (entry: PersonEntry) => PersonEntry): Promise<PersonEntry> {
  const people = await change(path, stop, (entries) => {
    const found = byName(entries, name);
    return entries.map((entry) => (entry === found ? act(entry) : entry));
  });
  return byName(people, name);
}

function byName(people: readonly PersonEntry[], name: string): PersonEntry {
  const found = people.find((one) => one.name === name);
  if (found === undefined) throw peopleError(sentence`Nobody is called ${word(name)}. ${whoIsThere(people, name)}`, 'people_refused');
  return found;
}

const MAX_NAMED = 20;

function whoIsThere(people: readonly PersonEntry[], name: string): Sentence {
  const names = people.map((one) => one.name);
  const [meant] = nearest(name, names, 1);
  if (meant !== undefined) return sentence`Did you mean ${word(meant)}?`;
  if (names.length === 0) return sentence`Nobody is in the file yet.`;
  return names.length > MAX_NAMED ? sentence`There are ${names.length} people.` : sentence`There are: ${wordList(names)}.`;
}

/**
 * Changes the file under its lock: it is read anew, written whole beside itself and put in its place, so that whoever reads meanwhile, and
 * whoever starts after a kill, has all of the old one or all of the new one.
 */
async function change(
  path: string,
  stop: AbortSignal,
  act: (people: readonly PersonEntry[]) => readonly PersonEntry[],
): Promise<readonly PersonEntry[]> {
  await makeFolder(dirname(path)).catch((error: unknown) => {
    throw notWritten(path, error);
  });
  // By another path to the same folder, it is the same file, and needs the same lock.
  const folder = await realpath(dirname(path));
  const failure = await failureToWrite(folder);
  if (failure !== undefined) throw notWritten(path, failure);
  const file = join(folder, basename(path));
  return withRecordLock(folder, file, stop, async () => {
    const people = act(readPeopleFile(file));
    const written = `${file}.new`;
    // What a process left that was killed may have other rights.
    await removeIfPossible(written);
    await writeDurably(written, textOfPeople(people));
    await moveFile(written, file);
    await fsyncFolder(folder);
    return people;
  });
}

const notWritten = (path: string, error: unknown) =>
  peopleError(
    sentence`The file of people ${word(path, 4_096)} can’t be written (${diskReason(error)}). Nobody was added, changed or removed.`,
  );
