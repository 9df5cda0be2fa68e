import { useContext, useEffect, useState } from 'preact/hooks';
import { BusyContext } from './data/use-busy.ts';
import { useSource } from './data/use-source.ts';
import { Notice } from './parts/basics.tsx';
import { goTo } from './router.ts';

/** Goes to the view that the assistant asks for; where the person is in the middle of something, it only offers it. */
export function OfferedView() {
  const source = useSource();
  const busy = useContext(BusyContext);
  const [offered, setOffered] = useState<string>();
  useEffect(
    () =>
      source.listen((event) => {
        if (event.type !== 'show' || !event.view.startsWith('#/') || event.view === location.hash) return;
        if (busy.current > 0) setOffered(event.view);
        else goTo(event.view);
      }),
    [source, busy],
  );
  useEffect(() => {
    const forget = (): void => setOffered(undefined);
    addEventListener('hashchange', forget);
    return () => removeEventListener('hashchange', forget);
  }, []);
  if (offered === undefined) return null;
  return (
    <Notice tone="plain" isUrgent>
      <p>
        Your assistant wants to show you something else. <a href={offered}>Show it</a>
      </p>
    </Notice>
  );
}
