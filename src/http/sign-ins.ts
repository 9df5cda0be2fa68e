import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { People, Person } from '../people/people.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/time-units.ts';

const WHOLE_MS = 8 * HOUR_MS;
const IDLE_MS = 30 * MINUTE_MS;
/** Of one person; the oldest goes. */
const MAX_OF_PERSON = 10;

/** A browser in which somebody signed in. */
export interface SignIn {
  /** With the roles of now. */
  readonly person: Person;
  /**
   * What a request that changes something has in its header `x-page-token`. The browser is given it once, by the sign-in, and keeps it for
   * this origin: a cookie goes to every port of its host, so also to what somebody else serves there.
   */
  readonly token: string;
}

interface Kept extends Omit<SignIn, 'person'> {
  readonly of: Pick<Person, 'id' | 'keyId'>;
  readonly at: number;
  usedAt: number;
}

/** The page is for whoever has the role `read`. */
const mayRead = ({ roles }: Person): boolean => roles.includes('read');
const newSecret = (): string => randomBytes(32).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Who is signed in on the page, in memory: a restart signs everybody out. A sign-in lasts eight hours, half an hour without use. */
export function createSignIns(people: Pick<People, 'byPageKey' | 'current'>, now = (): number => performance.now()) {
  /** By the hash of the cookie. */
  const all = new Map<string, Kept>();
  const drop = (isOver: (one: Kept) => boolean): void => {
    for (const [hash, one] of all) if (isOver(one)) all.delete(hash);
  };
  const isOver = ({ at, usedAt }: Kept): boolean => now() - at >= WHOLE_MS || now() - usedAt >= IDLE_MS;
  const currentOf = (of: Kept['of']): Person | undefined => {
    const person = people.current(of);
    return person !== undefined && mayRead(person) ? person : undefined;
  };
  return {
    /** Signs in with a page key. Returns the value of the cookie, which its browser alone has; what of the key keeps it from that otherwise. */
    enter(key: string): { readonly secret: string; readonly token: string; readonly person: Person } | 'wrong' | 'may-not-read' {
      const person = people.byPageKey(key);
      if (person === undefined) return 'wrong';
      if (!mayRead(person)) return 'may-not-read';
      drop(isOver);
      const own = [...all].filter(([, { of }]) => of.id === person.id);
      for (const [hash] of own.slice(0, Math.max(0, own.length + 1 - MAX_OF_PERSON))) all.delete(hash);
      const [secret, token] = [newSecret(), newSecret()];
      all.set(hashOf(secret), { of: { id: person.id, keyId: person.keyId }, token, at: now(), usedAt: now() });
      return { secret, token, person };
    },
    /** Undefined where nobody is signed in with it, or no more: their time is over, their secrets are others, they may not read, or were removed. To find it is no use of it. */
    find(secret: string | undefined): SignIn | undefined {
      const hash = hashOf(secret ?? '');
      const kept = all.get(hash);
      const person = kept === undefined || isOver(kept) ? undefined : currentOf(kept.of);
      if (kept === undefined || person === undefined) {
        all.delete(hash);
        return undefined;
      }
      return { person, token: kept.token };
    },
    /** A person did something: its half an hour begins anew. */
    use(secret: string | undefined): void {
      const kept = all.get(hashOf(secret ?? ''));
      if (kept !== undefined) kept.usedAt = now();
    },
    /** Whether somebody is still signed in with it; that they look is no use of it. */
    isCurrent(secret: string | undefined): boolean {
      const kept = all.get(hashOf(secret ?? ''));
      return kept !== undefined && !isOver(kept) && currentOf(kept.of) !== undefined;
    },
    leave(secret: string | undefined): void {
      all.delete(hashOf(secret ?? ''));
    },
  };
}

export type SignIns = ReturnType<typeof createSignIns>;

export const isTokenOf = ({ token }: SignIn, given: unknown): boolean =>
  typeof given === 'string' && timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(hashOf(given)));

/** `__Host-`: of this host alone, whatever others of its domain set. It takes https. Else its port: two servers of a machine share its cookies. */
const nameOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-session' : `session-${new URL(publicUrl).port || '80'}`;
/** Lax: links are followed from chats, and what changes something takes the page’s token and its own origin. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';
const attributesOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? `${ATTRIBUTES}; Secure` : ATTRIBUTES);

export const cookieOf = (secret: string, publicUrl: string): string => `${nameOf(publicUrl)}=${secret}; ${attributesOf(publicUrl)}`;
export const noCookie = (publicUrl: string): string => `${nameOf(publicUrl)}=; Max-Age=0; ${attributesOf(publicUrl)}`;

export function cookieIn({ headers }: Pick<IncomingMessage, 'headers'>, publicUrl: string): string | undefined {
  const prefix = `${nameOf(publicUrl)}=`;
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
}
