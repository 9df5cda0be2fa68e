import { useState } from 'preact/hooks';
import type { PageSession } from '../../contract.ts';
import { usePageContext } from '../data/page-context.tsx';
import { forgetToken, tokenHeader } from '../data/page-token.ts';
import { listAddress, type Route } from '../router.ts';

/** Who is signed in, where there are several people, and the way out. */
export function SignedIn({ session, route }: { readonly session: PageSession | undefined; readonly route: Route }) {
  const { connection } = usePageContext();
  const [hasFailed, setHasFailed] = useState(false);
  // Once that has ended, the view says so.
  if (session?.person === undefined || connection === 'signed-out') return null;
  const signOut = async (): Promise<void> => {
    const headers = { 'content-type': 'application/json', ...tokenHeader() };
    const answer = await fetch('/sign-out', { method: 'POST', headers, body: '{}' }).catch(() => undefined);
    if (answer?.ok !== true) return setHasFailed(true);
    forgetToken();
    // What the server of the same build sends.
    location.assign(((await answer.json()) as { location: string }).location);
  };
  return (
    <p class="cluster small signed-in">
      <span>
        Signed in as <bdi>{session.person.name}</bdi>
      </span>
      <a href={listAddress('connect')} aria-current={route.view === 'connect' ? 'page' : undefined}>
        Connect a client
      </a>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
      {hasFailed && <span role="alert">The server was not reached: you are still signed in.</span>}
    </p>
  );
}
