import { useEffect, useState } from 'preact/hooks';

const ARMED_AFTER_MS = 600;

/**
 * Arms buttons once what they are about has been shown for a moment, so that a press that was meant for what was at the same place
 * before does nothing. Such a press begins the moment anew.
 */
export function useArmed(shown: string) {
  const [armed, setArmed] = useState<string>();
  const [early, setEarly] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(shown), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [shown, early]);
  const isArmed = armed === shown;
  return {
    /** Not `disabled`: a browser does not tell of a press on a button that is. */
    unarmed: { 'aria-disabled': !isArmed },
    whenArmed: (act: () => void) => () => (isArmed ? act() : setEarly((count) => count + 1)),
  };
}
