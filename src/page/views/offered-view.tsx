import { useContext, useEffect, useState } from 'preact/hooks';
import type { SourceEvent } from './data/source.ts';
import { BusyContext } from './data/use-busy.ts';
import { useSource } from './data/use-source.ts';
import { Notice } from './parts/basics.tsx';
import { changeAddress, goTo, routeOf } from './router.ts';

interface Offer {
  readonly view: string;
  readonly sentence: string;
}

/**
 * Goes to what the assistant shows, and from the changes to one that begins to wait. Where the person is in the middle of
 * something, it only offers it.
 */
export function OfferedView() {
  const source = useSource();
  const busy = useContext(BusyContext);
  const [offer, setOffer] = useState<Offer>();
  useEffect(
    () =>
      source.listen((event) => {
        const next = offerOf(event);
        if (next === undefined || next.view === location.hash) return;
        const mayGo = event.type === 'show' || ['change', 'changes'].includes(routeOf(location.hash).view);
        if (busy.current === 0 && mayGo) goTo(next.view);
        else setOffer(next);
      }),
    [source, busy],
  );
  useEffect(() => {
    const forget = (): void => setOffer(undefined);
    addEventListener('hashchange', forget);
    return () => removeEventListener('hashchange', forget);
  }, []);
  if (offer === undefined) return null;
  return (
    <Notice tone="plain" isUrgent>
      <p>
        {offer.sentence} <a href={offer.view}>Show it</a>
      </p>
    </Notice>
  );
}

function offerOf(event: SourceEvent): Offer | undefined {
  if (event.type === 'show' && event.view.startsWith('#/'))
    return { view: event.view, sentence: 'Your assistant wants to show you something.' };
  if (event.type === 'change' && event.status === 'waiting')
    return { view: changeAddress(event.changeId), sentence: 'A change waits for you.' };
  return undefined;
}
