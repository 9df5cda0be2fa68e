import { useEffect, useState } from 'preact/hooks';
import { PageContextProvider } from '../data/page-context.tsx';
import type { DataSource } from '../data/source.ts';
import { Callout, ViewHeading } from '../parts/basics.tsx';
import { routeOf } from '../router.ts';
import { View } from '../view.tsx';
import type { Host } from './host.ts';
import { HostActions } from './host-actions.tsx';
import { useWantedView } from './wanted-view.ts';

interface Props {
  readonly host: Host;
  readonly source: DataSource;
}

/** The views in a conversation: what the assistant shows, and what is linked from there. To look at only. */
export function ChatApp({ host, source }: Props) {
  const wanted = useWantedView(host);
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    const follow = (event: Event): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
      if (link === null) return;
      // The frame has no address that could change.
      event.preventDefault();
      setChosen(link.getAttribute('href') ?? undefined);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
  const address = chosen ?? wanted.address;
  return (
    <PageContextProvider source={source} session={undefined} connection="open">
      <main>
        {wanted.isGuessed && chosen === undefined && (
          <Callout tone="plain">
            <p>What your assistant meant to show did not arrive here. These are the changes; choose one, or ask again.</p>
          </Callout>
        )}
        {wanted.isCancelled && address === undefined && (
          <>
            <ViewHeading>Nothing to show</ViewHeading>
            <p>The call was cancelled before it said what to show. Ask your assistant again.</p>
          </>
        )}
        {address !== undefined && <View route={routeOf(address)} />}
      </main>
      {address !== undefined && <HostActions host={host} address={address} />}
    </PageContextProvider>
  );
}
