import { useEffect } from 'preact/hooks';

/** How many parts of the page the person is in the middle of: then no other view takes the place of this one by itself. */
let busyParts = 0;

export const isBusy = (): boolean => busyParts > 0;

export function useBusy(isNow: boolean): void {
  useEffect(() => {
    if (!isNow) return undefined;
    busyParts += 1;
    return () => {
      busyParts -= 1;
    };
  }, [isNow]);
}
