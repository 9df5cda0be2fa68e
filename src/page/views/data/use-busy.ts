import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

/** How many parts of the page the person is in the middle of: then no other view takes the place of this one by itself. */
export const BusyContext = createContext<{ current: number }>({ current: 0 });

export function useBusy(isBusy: boolean): void {
  const busy = useContext(BusyContext);
  useEffect(() => {
    if (!isBusy) return undefined;
    busy.current += 1;
    return () => {
      busy.current -= 1;
    };
  }, [busy, isBusy]);
}
