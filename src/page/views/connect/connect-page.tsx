import { useRef, useState } from 'preact/hooks';
import type { ClientAccess } from '../../contract.ts';
import { ActionBar, focusOn } from '../change/other-bars.tsx';
import { useActions, useAnnounce, usePageContext, useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Callout, Folded, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { clientEntries, installCommand, TOKEN_VARIABLE } from './client-entries.ts';
import { Copyable } from './copyable.tsx';

/** What a person connects clients of theirs with: a token, and what each client is given. */
export function ConnectPage() {
  const source = useSource();
  const loaded = useLoaded('client', source.clientAccess, () => false);
  return (
    <WhenLoaded loaded={loaded} what="Connect a client">
      {(access) => <Connect access={access} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

/** The token in force can’t be shown, since only its digest is kept. A new one is shown until the view is left. */
function Connect({ access, reload }: { readonly access: ClientAccess; readonly reload: () => void }) {
  const announce = useAnnounce();
  const [asked, setAsked] = useState<HTMLElement>();
  const [token, setToken] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  function shown(renewed: string): void {
    setAsked(undefined);
    setToken(renewed);
    announce('A new client token was made. It is shown this once.');
    reload();
    // The button goes, and the focus with it.
    heading.current?.focus();
  }
  return (
    <>
      <ViewHeading>Connect a client</ViewHeading>
      <p class="lead">
        A client is the program in which you talk with your assistant. Connected, it works here with your roles. What it wants to change
        waits on this page: it can approve nothing.
      </p>
      <section class="panel stack" aria-labelledby="token">
        <h2 id="token" ref={heading} tabIndex={-1}>
          1. Have your client token
        </h2>
        {token === undefined ? <Unseen ask={setAsked} /> : <NewToken token={token} />}
      </section>
      <Clients access={access} />
      {asked !== undefined && <RenewBar tokenId={access.tokenId} button={asked} end={() => setAsked(undefined)} shown={shown} />}
    </>
  );
}

function Unseen({ ask }: { readonly ask: (button: HTMLElement) => void }) {
  const { mayAct } = usePageContext();
  return (
    <>
      <p>
        By it this server knows that a client is yours. It begins with <code>vhm_</code>, came with your page key, and is shown once only:
        if you don’t have it any more, make a new one.
      </p>
      {mayAct && (
        <p>
          <button type="button" onClick={({ currentTarget }) => ask(currentTarget)}>
            Make a new token …
          </button>
        </p>
      )}
    </>
  );
}

const NewToken = ({ token }: { readonly token: string }) => (
  <Callout tone="good" title="This is your new client token. It is shown this once.">
    <Copyable text={token} what="The new client token" />
    <p>
      Clients with the old one are refused from now on, until they have this one. Keep it where nobody else reads it, and put it in no
      address.
    </p>
  </Callout>
);

interface RenewProps {
  readonly tokenId: string;
  /** Has the focus again where nothing is made. */
  readonly button: HTMLElement;
  readonly end: () => void;
  readonly shown: (token: string) => void;
}

/** Asks once, since the old token can’t be had back. */
function RenewBar({ tokenId, button, end, shown }: RenewProps) {
  const { renewToken } = useActions();
  return (
    <ActionBar
      about={`token ${tokenId}`}
      label="Make a new client token?"
      explanation={
        <>
          <strong>Make a new client token?</strong> The old one ends at once: each of your clients that has it is refused until it is given
          the new one. What they asked for waits on, and you stay signed in here.
        </>
      }
      cancel={{
        words: 'Keep the old one',
        act: () => {
          end();
          focusOn(button);
        },
      }}
      actions={[{ words: 'Make a new token', act: () => renewToken({ tokenId }) }]}
      onAnswer={({ token }) => shown(token)}
    />
  );
}

function Clients({ access: { url, address } }: { readonly access: ClientAccess }) {
  const entries = clientEntries(address);
  return (
    <section class="stack" aria-labelledby="clients">
      <h2 id="clients">2. Give it to your client</h2>
      <p>
        If this program is installed on your computer, type this at a terminal. It asks for the token, and sets up the clients it finds:
      </p>
      <Copyable text={installCommand(url)} what="The command for all clients" />
      <p>
        If not, choose your client. Its text holds no token: put that into the variable <code>{TOKEN_VARIABLE}</code> of the environment
        that the client is started with.
      </p>
      {entries.map(({ id, title, how, text }) => (
        <Folded key={id} words={title}>
          <p class="quiet small">{how}:</p>
          <Copyable text={text} what={`What ${title} is given`} />
        </Folded>
      ))}
      <p class="quiet">
        Any other client that can send a header takes the address <code>{address}</code> and the header <code>Authorization: Bearer</code>{' '}
        with the token. claude.ai and ChatGPT take no token, so they can’t be connected.
      </p>
      <h2>3. Try it</h2>
      <p>Start the client anew, and ask your assistant which channels there are.</p>
    </section>
  );
}
