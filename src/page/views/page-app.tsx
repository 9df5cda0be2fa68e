import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeStatus, PageSession } from '../contract.ts';
import type { Waiting } from './change/other-changes.tsx';
import { ConnectPage } from './connect/connect-page.tsx';
import { PageContextProvider, useForYou, useIsLast, usePageContext, useRoles } from './data/page-context.tsx';
import { signInAddress } from './data/page-token.ts';
import type { ConnectionState, DataSource } from './data/source.ts';
import { useChanges } from './data/use-loaded.ts';
import { OfferedView } from './offered-view.tsx';
import { Callout, Folded } from './parts/basics.tsx';
import { SignedIn } from './parts/signed-in.tsx';
import { isUnfit } from './parts/statuses.ts';
import { countInWords, timeInShort } from './parts/words.ts';
import { ZoneNote } from './parts/zone-note.tsx';
import { listAddress, type Route, useRoute } from './router.ts';
import { StandingPage } from './standing/standing-page.tsx';
import { View } from './view.tsx';

export function PageApp({ source }: { readonly source: DataSource }) {
  const [session, setSession] = useState<PageSession>();
  const [connection, setConnection] = useState<ConnectionState>('open');
  const [lostAt, setLostAt] = useState<string>();
  useEffect(() => {
    const stopListening = source.listen((event) => {
      if (event.type !== 'connection') return;
      setConnection(event.connection);
      setLostAt((before) => (event.connection === 'open' ? undefined : (before ?? new Date().toISOString())));
    });
    source.session().then(setSession, () => {});
    return stopListening;
  }, [source]);
  return (
    <PageContextProvider source={source} session={session} connection={connection} lostAt={lostAt}>
      <Frame />
    </PageContextProvider>
  );
}

function Frame() {
  const route = useRoute();
  const { session } = usePageContext();
  const main = useRef<HTMLElement>(null);
  const { waiting, open, hadWaiting, isLoaded, hasRunning } = useWaiting();
  useEffect(() => scrollTo(0, 0), [route.view, 'id' in route ? route.id : '']);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <div class="cluster top-inner">
          <p class="cluster account">
            <span class="account-names">
              <strong>Video hosting</strong> {session !== undefined && <bdi class="account-name">{session.account}</bdi>}
            </span>
            {session?.isReadOnly === true && <span class="status">Read only</span>}
          </p>
          <Navigation route={route} waiting={open.length} />
          <SignedIn session={session} route={route} />
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        <ConnectionNotice isInUse={hadWaiting} hasRunning={hasRunning} />
        <OfferedView waiting={isLoaded ? waiting : undefined} />
        <Shown route={route} waiting={waiting} />
      </main>
      <footer class="foot">
        <ZoneNote />
      </footer>
    </>
  );
}

/** What only the page has, or what a conversation has too. */
function Shown({ route, waiting }: { readonly route: Route; readonly waiting: Waiting }) {
  if (route.view === 'approvals') return <StandingPage />;
  return route.view === 'connect' ? <ConnectPage /> : <View route={route} waiting={waiting} />;
}

/** The changes that wait for the person, wherever on the page they are. */
function useWaiting() {
  const { data } = useChanges(1);
  const isLast = useIsLast();
  // What was shown last is no call to anybody.
  const waiting = isLast ? [] : (data?.changes.filter(({ status }) => status === 'waiting') ?? []);
  // Of the others nothing is to be decided.
  const open = waiting.filter((change) => !isUnfit(change));
  useEffect(() => {
    document.title = open.length === 0 ? 'Video hosting' : `(${open.length}) Video hosting`;
  }, [open.length]);
  const has = (wanted: ChangeStatus): boolean => data?.changes.some(({ status }) => status === wanted) === true;
  return { waiting, open, hadWaiting: has('waiting'), isLoaded: data !== undefined, hasRunning: has('running') };
}

const STANDING = 'Standing approvals';
const SECTIONS = [
  { list: 'changes', views: ['changes', 'change'], words: 'Changes' },
  { list: 'channels', views: ['channels', 'channel'], words: 'Channels' },
  { list: 'reports', views: ['reports', 'report'], words: 'Reports' },
  { list: 'approvals', views: ['approvals'], words: STANDING },
] as const;

function Navigation({ route, waiting }: { readonly route: Route; readonly waiting: number }) {
  const { session } = usePageContext();
  const forYou = useForYou();
  const shown = SECTIONS.filter(({ list }) => list !== 'approvals' || session?.hasStandingApprovals === true);
  return (
    <nav class="cluster sections" aria-label="Sections">
      {shown.map(({ list, views, words }) => (
        <a key={list} href={listAddress(list)} aria-current={views.some((view) => view === route.view) ? 'page' : undefined}>
          {words === STANDING ? <ShortOnPhones words={words} short="Approvals" /> : words}
          {list === 'changes' && waiting > 0 && (
            <span class="count">
              <span aria-hidden="true">{waiting}</span>
              <span class="unseen">
                , {countInWords(waiting, 'waits', 'wait')}
                {forYou}
              </span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** It keeps its whole name for screen readers. */
const ShortOnPhones = ({ words, short }: { readonly words: string; readonly short: string }) => (
  <>
    <span class="unseen-on-phones">{words}</span>
    <span class="only-on-phones" aria-hidden="true">
      {short}
    </span>
  </>
);

const OwnStart = ({ command }: { readonly command: string }) => (
  <Folded words="Without an assistant">
    <p>
      At a terminal, this opens a new page, where you decide on what still waits: <code>{command}</code>
    </p>
  </Folded>
);

/** `isInUse`: something can’t be answered any more. */
function ConnectionNotice({ isInUse, hasRunning }: { readonly isInUse: boolean; readonly hasRunning: boolean }) {
  const { connection, session, lostAt } = usePageContext();
  const { isShared } = useRoles();
  if (connection === 'open') return null;
  if (connection === 'lost')
    return (
      <Callout tone="caution" title="The connection to the server was lost." isUrgent>
        <p>Trying again. Nothing can be answered until it is back.</p>
      </Callout>
    );
  if (connection === 'signed-out') return <SignedOut name={session?.person?.name} />;
  const at = lostAt === undefined ? '' : ` at ${timeInShort(lostAt)}`;
  return (
    <Callout
      tone={isInUse || hasRunning ? 'loss' : 'plain'}
      title={`The server of this page has ended. What is below is how it was${at}.`}
      isUrgent={isInUse || hasRunning}
    >
      {hasRunning && (
        <p>
          A change was running. What was sent may have been done; nothing more is sent. It is kept on disk: once the server runs again, its
          page tells what became of it, and it can be carried on or undone.
        </p>
      )}
      {isInUse && (
        <p>
          {isShared
            ? 'What waited was not sent, and is kept.'
            : 'What waited was not sent. What the next page still lists waits on; anything else has to be asked for again.'}
        </p>
      )}
      <p>
        <strong>What now:</strong>{' '}
        {isShared
          ? 'Load this page anew once the server runs again. If it stays so, ask whoever runs it.'
          : 'Ask your assistant to go on, or start it again: it opens a new page. You can close this one.'}
      </p>
      {!isShared && session?.pageCommand !== undefined && <OwnStart command={session.pageCommand} />}
    </Callout>
  );
}

/** The sign-in leads back to this view. */
const SignedOut = ({ name }: { readonly name: string | undefined }) => (
  <Callout tone="caution" title="You are not signed in any more." isUrgent>
    {name !== undefined && (
      <p>
        You were signed in as <bdi>{name}</bdi>.
      </p>
    )}
    <p>
      The time of your sign-in ran out (eight hours, half an hour without use), or your page key was made anew, or you may not use this
      server any more. What you had not applied was not sent, and what waits is kept. What is below is what was shown last.
    </p>
    <p>
      <strong>What now:</strong> <a href={signInAddress()}>Sign in</a> with your page key. If it isn’t taken any more, ask whoever runs this
      server for a new one.
    </p>
  </Callout>
);
