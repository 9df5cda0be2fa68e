import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { stateNow } from '../changes/standing/file-state.ts';
import { ownCommand } from '../text/own-command.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { type PersonEntry, readPeopleFile, rolesProblem } from './people-file.ts';
import { isRole, type Role } from './roles.ts';
import { hashComparer, SECRET_PREFIXES, type SecretName } from './secrets.ts';

export interface Person {
  /** Whoever is added later under the same name has another. */
  readonly id: string;
  readonly name: string;
  /** None where those in the file don’t count: `problems` says why. */
  readonly roles: readonly Role[];
  /** Name the secrets that the person has now, and tell nothing of them: others once these are made anew. */
  readonly tokenId: string;
  /** What began with an earlier page key is over. */
  readonly keyId: string;
}

/** Whose roles don’t count and why, and what is to be done. */
export interface RolesProblem {
  readonly detail: Sentence;
  readonly remedy: Sentence;
}

/** Whom a server knows. Each of these looks at the file as it is now, and throws `people_unusable` where it can’t be trusted or read. */
export interface People {
  /** The person whose client token it is (`vhm_…`). */
  byClientToken(token: string): Person | undefined;
  /** The person whose page key it is (`vhp_…`). */
  byPageKey(key: string): Person | undefined;
  /** The person as the file has them now, with the roles of now; undefined once they were removed or have another page key: their sign-ins are over. */
  current(person: Pick<Person, 'id' | 'keyId'>): Person | undefined;
  all(): readonly Person[];
  problems(): readonly RolesProblem[];
  /** When the person was added: ISO 8601. Undefined of one who was removed. */
  addedAt(personId: string): string | undefined;
}

/** The file, unless a setting names another. */
export const peopleFileIn = (dataDir: string): string => join(dataDir, 'people.json');

const ID_LENGTH = 16;
const idOf = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, ID_LENGTH);

export const personOf = (entry: PersonEntry): Person => ({
  ...{ id: entry.id, name: entry.name },
  roles: rolesProblem(entry) === undefined ? entry.roles.filter(isRole) : [],
  ...{ tokenId: idOf(entry.clientToken), keyId: idOf(entry.pageKey) },
});

function problemOf(entry: PersonEntry): RolesProblem | undefined {
  const problem = rolesProblem(entry);
  return (
    problem && {
      detail: sentence`${word(entry.name)} ${problem}, so they may do nothing; everybody else goes on.`,
      remedy: sentence`Give them roles: ${ownCommand('people roles')} ${word(entry.name)} --roles read`,
    }
  );
}

/** Opens the file of people, which need not be there yet: nobody is known then. `log` is told, once, whose roles don’t count. */
export function openPeople(path: string, log: (message: string) => void = () => undefined): People {
  let state: string | undefined;
  let entries: readonly PersonEntry[] = [];
  let told: readonly string[] = [];
  const problems = (): readonly RolesProblem[] => entries.flatMap((entry) => problemOf(entry) ?? []);

  function look(): readonly PersonEntry[] {
    // Looked at before it is read: what is written in between is seen by the next look.
    const now = stateNow(path);
    if (now === state) return entries;
    state = undefined;
    entries = readPeopleFile(path);
    state = now;
    const found = problems().map(({ detail, remedy }) => `In the file of people, ${detail} ${remedy}`);
    for (const problem of found) if (!told.includes(problem)) log(problem);
    told = found;
    return entries;
  }
  function bySecret(name: SecretName, secret: string): Person | undefined {
    // Whatever the file says: of one kind, a secret is never one of the other.
    if (!secret.startsWith(SECRET_PREFIXES[name])) return undefined;
    // All are compared, so that the time tells nothing of whose it nearly is.
    const isItsHash = hashComparer(secret);
    const [found] = look().filter((entry) => isItsHash(entry[name]));
    return found === undefined ? undefined : personOf(found);
  }
  return {
    byClientToken: (token) => bySecret('clientToken', token),
    byPageKey: (key) => bySecret('pageKey', key),
    current({ id, keyId }) {
      const found = look().find((entry) => entry.id === id);
      const person = found === undefined ? undefined : personOf(found);
      return person?.keyId === keyId ? person : undefined;
    },
    all: () => look().map(personOf),
    problems() {
      look();
      return problems();
    },
    addedAt: (personId) => look().find(({ id }) => id === personId)?.addedAt,
  };
}
