import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { usePageContext, useRoles, useSource } from './data/page-context.tsx';
import type { SourceEvent } from './data/source.ts';
import { isBusy } from './data/use-busy.ts';
import { Callout } from './parts/basics.tsx';
import { changeAddress, goTo, routeOf } from './router.ts';

interface Offer {
  readonly view: string;
  readonly sentence: string;
}

/**
 * Goes to what the assistant shows, and from the changes to one that begins to wait. Where the person is in the middle of
 * something, it only offers it.
 */
export function OfferedView({ waiting }: { readonly waiting: readonly { readonly changeId: string }[] | undefined }) {
  const source = useSource();
  const { isShared, mayApprove } = useRoles();
  const { connection } = usePageContext();
  const [offer, setOffer] = useState<Offer>();
  const known = useRef<Set<string> | undefined>(undefined);
  const goOrOffer = useCallback(
    (next: Offer, isWanted = false): void => {
      if (next.view === location.hash) return;
      // Where there are several people, what begins to wait may be anybody’s.
      const mayGo = isWanted || (!isShared && ['change', 'changes'].includes(routeOf(location.hash).view));
      if (mayGo && !isBusy()) goTo(next.view);
      else setOffer(isShared && !isWanted ? { ...next, sentence: mayApprove ? FOR_SOMEBODY : FOR_OTHERS } : next);
    },
    [isShared, mayApprove],
  );
  useEffect(
    () =>
      source.listen((event) => {
        if (event.type === 'change') known.current?.add(event.changeId);
        const next = offerOf(event);
        if (next !== undefined) goOrOffer(next, event.type === 'show');
      }),
    [source, goOrOffer],
  );
  // What began to wait between two streams had no event.
  useEffect(() => {
    if (waiting === undefined) return;
    const before = known.current;
    const missed = before === undefined ? undefined : waiting.find(({ changeId }) => !before.has(changeId));
    known.current = new Set([...(before ?? []), ...waiting.map(({ changeId }) => changeId)]);
    if (missed !== undefined) goOrOffer(waitingOffer(missed.changeId));
  }, [waiting, goOrOffer]);
  useEffect(() => {
    const forget = (): void => setOffer(undefined);
    addEventListener('hashchange', forget);
    return () => removeEventListener('hashchange', forget);
  }, []);
  // Where nothing can be read any more, nothing can be shown either.
  if (offer === undefined || connection === 'ended' || connection === 'signed-out') return null;
  return (
    <Callout tone="plain" isUrgent>
      <p>
        {offer.sentence} <a href={offer.view}>Show it</a>
      </p>
    </Callout>
  );
}

function offerOf(event: SourceEvent): Offer | undefined {
  if (event.type === 'show' && event.view.startsWith('#/'))
    return { view: event.view, sentence: 'Your assistant wants to show you something.' };
  // What is only seen of one that waits is no news.
  const begins = event.type === 'change' && event.status === 'waiting' && event.unfit === undefined;
  return begins ? waitingOffer(event.changeId) : undefined;
}

const FOR_SOMEBODY = 'A change was asked for, and waits.';
const FOR_OTHERS = 'A change was asked for, and waits for somebody who may approve it.';

const waitingOffer = (changeId: string): Offer => ({ view: changeAddress(changeId), sentence: 'A change waits for you.' });
