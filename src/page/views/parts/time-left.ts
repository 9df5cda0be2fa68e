import { useEffect, useState } from 'preact/hooks';
import { untilInWords } from './words.ts';

const TICK_MS = 15_000;
/** Nobody needs to be hurried before. */
const SHOWN_FROM_MS = 5 * 60_000;

/** How long something still waits, in words; undefined where that is long, over or not known. */
export function useTimeLeft(at: string | undefined): string | undefined {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return at !== undefined && Date.parse(at) - now < SHOWN_FROM_MS ? untilInWords(at, now) : undefined;
}
