import { MCP_PATH } from '../config/http-address.ts';
import { VideoHostingError } from '../errors.ts';
import type { ClientAccess, RenewedToken } from '../page/contract.ts';
import { PageProblem } from '../page/page-problem.ts';
import type { Person } from '../people/people.ts';
import type { Values } from '../platform/is-object.ts';
import { withTimeLimit } from '../platform/limited-signal.ts';
import { sentence } from '../text/sentence.ts';

export interface ClientAccessOptions {
  readonly publicUrl: string;
  /** Makes a person’s client token anew. */
  readonly renewToken: (seen: Person, stop: AbortSignal) => Promise<string>;
  /** The person as they are now. */
  readonly current: (person: Person) => Person | undefined;
  readonly log: (message: string) => void;
}

/** For another process that changes the file of people. */
const LOCK_MS = 10_000;

/** What a person connects clients with: the address, and a token of their own. Undefined for what it does not answer. */
export async function answerClientAccess(
  { publicUrl, renewToken, current, log }: ClientAccessOptions,
  { isPost, path, body, person }: { readonly isPost: boolean; readonly path: string; readonly body: Values; readonly person: Person },
): Promise<ClientAccess | RenewedToken | undefined> {
  const accessOf = ({ tokenId }: Person): ClientAccess => ({ url: publicUrl, address: `${publicUrl}${MCP_PATH}`, tokenId });
  if (path === 'client' && !isPost) return accessOf(person);
  if (path !== 'client/token' || !isPost) return undefined;
  // Another window, or a press that came twice, must not end the token that was just shown.
  const seen = { ...person, tokenId: typeof body.tokenId === 'string' ? body.tokenId : '' };
  // Not ended with its request: a token that nobody is shown would end the old one all the same.
  const token = await withTimeLimit(LOCK_MS, new AbortController().signal, (stop) => renewToken(seen, stop)).catch((error: unknown) => {
    if (!(error instanceof VideoHostingError)) throw error;
    if (error.code === 'people_refused') throw new PageProblem(409, error.message);
    log(error.message);
    throw new PageProblem(
      503,
      sentence`No token was made: the server can’t write the file of people now; its log says why. The old one counts on.`,
    );
  });
  return { ...accessOf(current(person) ?? person), token };
}
