import { useEffect, useState } from 'preact/hooks';

/** Browsers wait for no longer. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Whether a time is still to come; false once it has. */
export function useIsBefore(at: string | undefined): boolean {
  const [now, setNow] = useState(Date.now());
  const leftMs = at === undefined ? 0 : Date.parse(at) - now;
  useEffect(() => {
    if (!(leftMs > 0)) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(leftMs, MAX_WAIT_MS));
    return () => clearTimeout(timer);
  }, [leftMs]);
  return leftMs > 0;
}
