import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A browser that was let in. */
export interface BrowserSession {
  /** The folder of its addresses: other servers on this machine never get its cookie, since they never see this path. */
  readonly path: string;
  /** What a request that changes something has in its header `x-page-token`. */
  readonly token: string;
}

export interface EnteredSession extends BrowserSession {
  /** The value of its cookie, known to its browser alone. */
  readonly secret: string;
  /** What the browser is to show: the fragment of an address. */
  readonly view: string;
}

export const CODE_MS = 60_000;
const MAX_CODES = 10;
/** Browsers, or windows of one, that are let in at a time; the oldest goes. */
const MAX_SESSIONS = 20;

const newSecret = (): string => randomBytes(32).toString('base64url');
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Codes that let a browser in once, within a minute, and the browsers that came in. All in memory. */
export function createSessions(clock: () => number = () => performance.now()) {
  const codes = new Map<string, { readonly view: string; readonly expiresAt: number }>();
  const sessions = new Map<string, BrowserSession & { readonly hash: Buffer }>();
  return {
    newCode(view: string): string {
      const code = newSecret();
      codes.set(hashOf(code).toString('hex'), { view, expiresAt: clock() + CODE_MS });
      dropOldest(codes, MAX_CODES);
      return code;
    },
    /** The session of a code, which is spent. Undefined where the code does not count, or no more. */
    enter(code: string): EnteredSession | undefined {
      const key = hashOf(code).toString('hex');
      const found = codes.get(key);
      codes.delete(key);
      if (found === undefined || found.expiresAt <= clock()) return undefined;
      const secret = newSecret();
      const session = { path: `/p/${newSecret()}/`, token: newSecret() };
      sessions.set(session.path, { ...session, hash: hashOf(secret) });
      dropOldest(sessions, MAX_SESSIONS);
      return { ...session, secret, view: found.view };
    },
    /** The session of a path, if the request has its cookie. */
    find(path: string, secret: string | undefined): BrowserSession | undefined {
      const session = sessions.get(path);
      if (session === undefined || secret === undefined) return undefined;
      return timingSafeEqual(session.hash, hashOf(secret)) ? session : undefined;
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

export const isToken = ({ token }: BrowserSession, given: string | undefined): boolean =>
  given !== undefined && timingSafeEqual(hashOf(token), hashOf(given));

function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
