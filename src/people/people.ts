import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { stateNow } from '../changes/standing/file-state.ts';
import { type PersonEntry, readPeopleFile } from './people-file.ts';
import type { Role } from './roles.ts';
import { hashComparer, SECRET_PREFIXES, type SecretName } from './secrets.ts';

export interface Person {
  /** Whoever is added later under the same name has another. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Name the secrets that the person has now, and tell nothing of them: others once these are made anew. */
  readonly tokenId: string;
  /** What began with an earlier page key is over. */
  readonly keyId: string;
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
  /** When the person was added: ISO 8601. Undefined of one who was removed. */
  addedAt(personId: string): string | undefined;
}

/** The file, unless a setting names another. */
export const peopleFileIn = (dataDir: string): string => join(dataDir, 'people.json');

const ID_LENGTH = 16;
const idOf = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, ID_LENGTH);

export const personOf = ({ id, name, roles, clientToken, pageKey }: PersonEntry): Person => ({
  ...{ id, name, roles },
  ...{ tokenId: idOf(clientToken), keyId: idOf(pageKey) },
});

/** Opens the file of people, which need not be there yet: nobody is known then. */
export function openPeople(path: string): People {
  let state: string | undefined;
  let entries: readonly PersonEntry[] = [];

  function look(): readonly PersonEntry[] {
    // Looked at before it is read: what is written in between is seen by the next look.
    const now = stateNow(path);
    if (now === state) return entries;
    state = undefined;
    entries = readPeopleFile(path);
    state = now;
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
    addedAt: (personId) => look().find(({ id }) => id === personId)?.addedAt,
  };
}
